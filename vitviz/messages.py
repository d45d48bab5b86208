"""What Python tells the browser, as types: `make schema` writes those of the front end from these.

Fields say under them what their names do not.
"""

from collections.abc import Mapping
from typing import Any, Literal, NotRequired, TypedDict

Drawn = Mapping[str, Any]  # a figure, as vitviz/figures/live writes it
Sides = tuple[int, int]  # rows and columns
Made = Literal["lens", "maps", "rows", "exact", "alone", "rollout", "rollouts", "by-layer"]
Kind = Literal["choose", "number", "patch", "pair"]  # of questions
Phase = Literal["none", "open", "locked", "revealed"]  # of a step of a room


class Sizes(TypedDict):
    """The sizes of one model, never guessed from the data."""

    rows: int
    columns: int
    prefix: tuple[str, ...]
    "The names of the tokens that stand before those of the patches."
    pool: str
    image_sides: Sides
    "Rows and columns of pixels."
    patch_sides: Sides
    read: tuple[int, ...]
    "Channels, rows and columns of what becomes one token, as it is drawn."
    stem: bool
    "Whether convolutions stand before the projection."
    channels: int
    dim: int
    depth: int
    heads: int
    head_dim: int
    mlp_dim: int
    classes: int
    tokens: int
    patches: int
    switches: dict[str, bool]
    "What of the architecture is on."


class Match(TypedDict):
    """How model and picture go together, where another model that ships may know such pictures better."""

    says: str
    why: str
    other: str
    label: str


class Picture(TypedDict):
    """The picture that the model sees."""

    title: str
    alt: str
    digest: str


class Takes(TypedDict):
    """What a picture can be taken away as, and what is said of it before."""

    key: str
    "The picture's name in what Python is asked for."
    files: list[str]
    files_at: NotRequired[dict[str, list[str]]]
    "Those at the moments that have others."
    own: NotRequired[bool]
    "Whether it is of somebody's own picture."
    cell: NotRequired[str]
    "Where in the notebook the page's cells are."
    remade: NotRequired[bool]
    "Whether the numbers are made once more, on the CPU in float32."
    layers: NotRequired[str]
    'How many layers an offline file has room for, where these are not all: "9 of 24 layers".'
    learns: NotRequired[str]
    "The moment that shows the model as it was while it learned, where one does: no offline file is of that."


class Meta(Sizes):
    """Sizes and names of one model and picture."""

    digest: str
    model: str
    model_title: str
    "What people read in place of the model's name."
    trained: bool
    caveat: str
    match: NotRequired[Match | None]
    picture: Picture
    crop: str
    'The square of the picture that was chosen, as in the address; "" for the model\'s own.'
    edits: str
    'What is changed in the forward pass, as in the address; "" for nothing.'
    donor: str
    "The second picture as in the address: a sample's name, the digest of one's own, or \"\"."
    takes: NotRequired[Takes]
    "What the menu of the picture offers; nothing in an offline file."


class FileAnswer(TypedDict):
    """A file that Python has made and where it lies, or a sentence why there is none."""

    word: str
    "What Python was asked, as the address has it."
    url: NotRequired[str]
    name: NotRequired[str]
    says: NotRequired[str]


class Moment(TypedDict):
    """A moment of a page by its name, and the sentence over it."""

    name: str
    sentence: str


class Count(TypedDict):
    """What the count line says: shape in, shape out, parameters of the step and of the model."""

    before: str
    after: str
    here: str
    total: str


class Stage(TypedDict):
    """One stage of the strip: a page that has a scene."""

    stem: str
    title: str
    label: str
    shape: str
    colour: str
    moments: list[Moment]
    numbered: NotRequired[list[int]]
    "The places from 0 of the moments that old links call 1, 2 ... 9."
    columns: list[str]
    "The moments that can stand beside those of a second model or picture."
    count: Count


class Other(TypedDict):
    """A page without a scene: it stands in the menu at the strip's end."""

    begins: NotRequired[str]
    "The chapter that begins with it."
    stem: str
    title: str


class Column(TypedDict):
    """What a column shows; names as in the address."""

    model: str
    image: str
    edits: str
    size: str
    'Pixels of a side, "" where the model reads pictures of one size.'


class ColumnSetup(Column):
    """What the heads of the two columns say and offer."""

    model_title: str
    sizes: tuple[str, ...]
    "Pixels of a side between which one chooses; none where the model reads pictures of one size."
    learned: int | None
    "Steps of training, null for the model as it is."
    switches: str
    'What a model that is built has beside the usual one: "depth=6 positions=none".'
    first: Column
    models: list[tuple[str, str]]
    "Name and title."
    images: list[tuple[str, str]]
    moments: tuple[int, ...]
    "Steps of training of which something was kept."
    fields: tuple[str, ...]
    "What an address says of a model besides its name."
    says: str
    'Why there is no such column, or "".'
    notes: tuple[str, ...]


class ColumnShown(TypedDict):
    """The second column on a page."""

    page: str
    meta: Meta
    facts: dict[str, Any]
    stages: list[Stage]
    names: list[str]


class ColumnFailed(TypedDict):
    """Why it cannot be drawn."""

    page: str
    failed: str


ColumnData = ColumnShown | ColumnFailed


class Strip(TypedDict):
    """What the strip and the foot of the board say of a model."""

    stages: list[Stage]
    others: list[Other]
    palette: dict[str, str]
    weights: list[int]
    "The colour scale of weights, 256 times red, green, blue."


class OfPage(TypedDict):
    """What is said of a page in every run."""

    page: str
    lit: NotRequired[str]
    "In the lecturer's window the page of the step: the strip lights it as well."
    picture: str
    "The chosen picture and model, on every page; `model` is its name in the address, the others are read."
    own: str
    'The digest of a picture that the visitor brought, or "".'
    key: str
    "What opens the numbers of this session to the tab that shows it, also where no cookie is kept."
    arrived: str
    'Which file of a visitor\'s Python has seen last, shown or refused; "" before the first.'
    device: str
    'Where the model runs, and in which precision but fp32: "CPU · bf16"; "" as long as no device has answered.'
    model: str
    model_title: str
    meta: Meta | None
    facts: dict[str, Any]
    "What the scene of this page needs and is no array."
    second: ColumnSetup | None
    "What the second column is asked to be; null where there is none."
    ahead: NotRequired[bool]
    "Whether it was said before this visitor's first forward pass, and may come after what was said later."
    names: NotRequired[list[str]]
    "The numbers that its address needs, the most wanted first."


class Data(Strip, OfPage):
    """What Python says about the board in every run."""


class Config(TypedDict):
    """A model's sizes for the forward pass in the browser."""

    channels: int
    dim: int
    depth: int
    heads: int
    mlp_dim: int
    classes: int
    activation: str
    epsilon: float
    tokens: int
    "All tokens, and those before the ones of the patches."
    prefix: int
    patch_values: int
    "Numbers of a patch."
    rows: int
    columns: int


class ModelSpec(TypedDict):
    """What Python says of a model that runs in the browser: addresses beside those of the pages, and sizes."""

    script: str
    parameters: str
    means: str
    config: Config
    bytes: int
    "How many bytes its parameters are, where they are fetched only when somebody asks for it; else 0."


class Question(TypedDict):
    """What is asked: one of `options`, a number from `low` to `high`, a patch of the photo, or two of them."""

    kind: Kind
    asks: str
    options: list[str]
    low: float
    high: float
    unit: str


class Step(TypedDict):
    """A step of a lesson."""

    says: str
    view: str
    'The address of what is on screen: "heads?layer=5&head=2".'
    notes: str
    minutes: float
    optional: bool
    "Whether it is left out where time is short: the plan does without it."
    question: Question | None
    explains: str


class Lesson(TypedDict):
    """A lesson with all of its steps."""

    name: str
    title: str
    minutes: float
    steps: list[Step]


class Shares(TypedDict):
    """Of patches, as base64 of little-endian u2: a share is u / 65535 · most."""

    map: str
    most: float


class Truth(TypedDict):
    """What is right, and in words. Patches count from 0, and `map` and `most` are `Shares`."""

    text: str
    option: NotRequired[int]
    value: NotRequired[float]
    patch: NotRequired[int]
    map: NotRequired[str]
    most: NotRequired[float]
    pair: NotRequired[tuple[int, int]]


class Sums(TypedDict):
    """How many voted for what: options, bins of a number, or base64 of u1 for patches up to the last with a vote."""

    voted: int
    right: int | None
    "null as long as the room does not know what is right."
    choose: NotRequired[list[int]]
    number: NotRequired[list[int]]
    patch: NotRequired[str]
    pair: NotRequired[str]


class Result(TypedDict):
    """What was revealed."""

    rounds: list[Sums]
    truth: Truth


class State(TypedDict):
    """What everybody in a room shows; alone the browser makes it itself. Steps count from 1."""

    serial: int
    lesson: str
    "The name of the lesson, which no other has; titles may be equal."
    title: str
    step: int
    of: int
    says: str
    explains: str
    withheld: NotRequired[str]
    "Of who leads: the explanation before it is shown."
    grant: NotRequired[str]
    "Of who leads: the right to share a picture, for Python."
    heard: NotRequired[int]
    "Of who leads: how many of the steps that came over this line the room has moved to."
    view: str
    question: Question | None
    phase: Phase
    round: Literal[1, 2]
    blank: bool
    code: bool
    "Whether every screen shows how to come in."
    following: int
    result: Result | None
    shared: str | None


class Solution(TypedDict):
    """What is right in a step."""

    truth: Truth | None
    "Nothing as long as it is computed, or where the model gives no answer."
    why: str
    'Why the model gives no answer, or "".'


class Right(Solution):
    """What is right in a step of a lesson that the address asks for."""

    lesson: str
    step: int


class Given(Lesson):
    """A lesson, and the step of the address."""

    step: int


class LessonMessage(TypedDict):
    """The lesson that the address asks for."""

    lesson: Given


class LessonMissing(TypedDict):
    """The address asks for a lesson that there is not."""

    missing: str


class TruthMessage(TypedDict):
    """What is right in its step, once that is computed."""

    truth: Right


class SecondMessage(TypedDict):
    """What Python says about the second column."""

    beside: ColumnData


class FileMessage(TypedDict):
    """What Python says of a file that it was asked for."""

    file: FileAnswer


Taught = LessonMessage | LessonMissing | TruthMessage
Message = Data | SecondMessage | FileMessage | Taught  # all that is carried to the board
Vote = int | Sides  # an option, a number, a patch, or two patches


class WindowData(Solution):
    """What Python tells the lecturer's window."""

    lesson: Lesson | None
    "The lesson that the address asks for, if there is one."
    step: int
    "The step of the address, from 1."
    grid: Sides
    "Rows and columns of patches of that step's model."
    shared: str | None
    'The name under which a picture can be shared, "" for one that is not here; null where none was asked for.'


class WidgetData(TypedDict):
    """What every live widget is given."""

    untold: list[str]
    "Names of moves that are not written into the address."
    keeps: dict[str, str]
    "What the address should say of it."
    heard: int
    "How many of its messages Python has answered."


class SliderStop(TypedDict):
    """Where a slider may stand: its value as the address has it, and in words."""

    value: str
    says: str


class SliderData(WidgetData):
    """A slider."""

    name: str
    label: str
    stops: list[SliderStop]
    at: int
    plays: bool


class MosaicData(WidgetData):
    """A picture whose patches change places."""

    name: str
    picture: str
    "A PNG as a data URI."
    rows: int
    columns: int
    order: list[int]
    "The patch that each place shows."
    pair: tuple[int, int] | None
    seed: int
    alt: str
    chosen: str


class ChartData(WidgetData):
    """A chart."""

    figure: Drawn
    alt: str
    label: str
    "Framed at the top right."
    chosen: str


class FrameStop(TypedDict):
    """Where the slider of frames may stand: its value in the address, and in words."""

    value: int
    says: str


class FramesPanel(TypedDict):
    """One picture of frames."""

    title: str
    sheet: str
    "All frames, one below the other: a PNG as a data URI."
    frames: int
    slides: float
    "A share of the width for each stop."
    lines: tuple[tuple[int, int], ...]
    "Rows and columns, for each stop or one for all."
    boxes: tuple[tuple[float, float, float, float], ...]
    "Left, top, width and height, as shares of the picture's sides."


class FramesChart(TypedDict):
    """A chart over the values of the stops, and what a screen reader says of it."""

    figure: Drawn
    alt: str


class FramesData(WidgetData):
    """Pictures and charts that a slider runs through."""

    name: str
    label: str
    stops: list[FrameStop]
    at: int
    panels: list[FramesPanel]
    charts: list[FramesChart]
    chosen: str


class TensorRow(TypedDict):
    """One tensor of the list."""

    place: str
    name: str
    axes: list[str]
    """The names of each axis: "t", "(c ph pw)"."""
    shape: list[str]
    bytes: str
    kind: str
    page: str
    "The page that shows it, with its query."
    light: str
    "What is lit with it."


class TensorData(TypedDict):
    """The list of tensors."""

    rows: list[TensorRow]
    alt: str
    height: int
    chosen: str
    meanings: Mapping[str, str]
    "What axis names stand for."
