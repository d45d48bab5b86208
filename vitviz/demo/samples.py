"""The scenes that the app offers by name; the model has never been trained on one of them."""

from typing import NamedTuple

from vitviz.demo.scenes import Scene, render


class SceneSample(NamedTuple):
    """A scene with a name: `id` for links, `title` for people, `seed` and `exchanged` for `render`."""

    id: str
    title: str
    seed: int
    exchanged: bool = False

    @property
    def scene(self) -> Scene:
        return render(self.seed, self.exchanged)


SAMPLES = (
    SceneSample("cat", "Cat", 10_000_150),
    SceneSample("left", "Red ball left of blue ball", 10_000_060),
    SceneSample("right", "Red ball right of blue ball", 10_000_253),
    SceneSample("above", "Red ball above blue ball", 10_000_222),
    SceneSample("below", "Red ball below blue ball", 10_000_095),
    SceneSample("column", "Red ball above blue ball, aligned", 10_000_766),  # in one column, and in no other relation
    SceneSample("sailboat", "Sailboat", 10_000_083),
    SceneSample("butterfly", "Butterfly", 10_000_185),
    SceneSample("mushroom", "Mushroom", 10_000_199),
    SceneSample("fish", "Fish", 10_000_084),
    SceneSample("rocket", "Rocket", 10_000_136),
)
BY_ID = {sample.id: sample for sample in SAMPLES}
RELATIONS = ("left", "right", "above", "below", "column")
# Each differs from its sample in nothing but the colours of both balls: a pair to trace between.
EXCHANGED = {
    f"{name}_exchanged": SceneSample(f"{name}_exchanged", f"{title}, colours exchanged", seed, exchanged=True)
    for name, title, seed, _ in map(BY_ID.__getitem__, RELATIONS)
}
OPPOSITES = {"left": "right", "right": "left", "above": "below", "below": "above", "column": "below"}  # second pictures
WATCHED = tuple(BY_ID[name] for name in ("cat", "butterfly", "left", "above"))  # seen at every snapshot of training


def second_sample(id: str) -> str:
    """The sample that stands beside a picture: the opposite of a relation, else the first that is another one."""
    return OPPOSITES.get(id) or next(name for name in BY_ID if name != id)
