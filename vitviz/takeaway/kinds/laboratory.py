"""Kinds of view of the chapter Laboratory."""

from functools import partial

from vitviz.takeaway.kinds.kind import Kind as AnyKind
from vitviz.takeaway.notebook import plain

Kind = partial(AnyKind, shown=False)

LABORATORY = "vitviz/measures/laboratory"
ANSWERED = "from vitviz.measures.classes import result"
LABELLED = "label = int(result(trace).argmax())  # the class that the model names"

KINDS = {
    "intervene": Kind(
        "Intervene",
        "what leaves the model without the edits, and with them: logits",
        "2 classes",
        f"{ANSWERED}\nfrom vitviz.trace import record",
        "np.stack([result(record(trace.model, image)), result(trace)])",
        plain.before_and_after,
        "unedited_w, w, image, config",
        (*plain.ATTENDED[:-1], plain.logits),
        ("without the edits", "with them"),
    ),
    "switches": Kind(
        "Switches",
        "parameters, multiply-accumulates, and bytes of parameters and activations without a switch, and with it",
        "count 2",
        "from vitviz.cards import CARDS\nfrom vitviz.cards.change import compared, totals",
        "np.array([(it.without, it.having) for it in figures])",
        before="card = CARDS[switch]\nfigures = totals(*compared(config, card, card.choice(value)))",
        names='{"count": [it.name for it in figures]}',
        places=("without", "with"),
        pictured=False,
        lacks="every switch has its own formulas; `vitviz/counts/parts.py` has them",
    ),
    "siblings": Kind(
        "Siblings",
        "the accuracy that each sibling reached on things, on relations and on all scenes, mean over its seeds",
        "sibling 3",
        "from vitviz.shelf.measured import MEASURES, all_of",
        "np.array([[row.mean(measure) for measure in MEASURES] for row in found], np.float32)",
        before="found = all_of(rows)",
        names='{"sibling": [row.row for row in found]}',
        places=("things", "relations", "all scenes"),
        pictured=False,
        lacks="they are what trainings wrote down; `vitviz/shelf/training.py` trains, `vitviz/shelf/data` holds them",
    ),
    "order": Kind(
        "Permutation",
        "how far tokens moved when patches changed places: that of the same place, and that of the same patch",
        "2 gh gw",
        "from vitviz.edits import Edits\nfrom vitviz.measures.laboratory.order import order_of, reordered\n"
        "from vitviz.trace import record",
        "np.stack([(it := reordered(swapped)).in_place, it.followed])",
        plain.moved,
        "w, image, config, order_of(swapped)",
        plain.ATTENDED[:-1],
        ("token of the same place", "token of the same patch"),
        before="swapped = record(trace.model, image, edits=Edits.parse(swap, config), plain=trace)",
        note="Guess before you run this: two patches, or all, change places. How far does the token of each place "
        "move, and how far the token of each patch? And of a model that was trained without positions?",
        after='The page shows the same of a sibling without positions: `load("shelf_none_0")` makes it, and its second '
        "map is 0 but for rounding.",
        figure="from vitviz.figures.laboratory.panels import panels\n\n"
        'maps = {"token of the same place": values[0], "token of the same patch": values[1]}\n'
        'panels(maps, [float(values.max())] * 2, "largest difference")',
    ),
    "shift": Kind(
        "Shift",
        "how like themselves two maps stay when the picture moves, pixel by pixel: embedding and last layer of the "
        "model, first and last layer of the shelf's CNN",
        "4 shift",
        "from vitviz.images import DEMO\nfrom vitviz.measures.laboratory.shift import moved_features, moved_tokens\n"
        "from vitviz.shelf.cnn import load_cnn",
        "np.stack([it[: most + 1] for they in (tokens, features) for it in (they.first_kept, they.last_kept)])",
        before="tokens = moved_tokens(trace, most)\n"
        "features = moved_features(load_cnn(), DEMO.normalised(DEMO.crop(picture, square)))",
        names='{"shift": [f"{pixels} pixels" for pixels in range(most + 1)]}',
        note="Guess before you run this: the picture moves by half a patch. Whose last map, moved back, stays more "
        "like itself: the model's or the CNN's?",
        places=("embedding", "last layer", "CNN, first layer", "CNN, last layer"),
        lacks=f"a forward pass for every pixel, and a CNN; `{LABORATORY}/shift.py` has both",
    ),
    "resolution": Kind(
        "Resolution",
        "the probability of every class at every picture size, positions interpolated",
        "size classes",
        "from vitviz.laboratory.resizing import at_size\nfrom vitviz.measures.classes import answer as read_out\n"
        "from vitviz.trace import record",
        "np.stack([read_out(it, config.depth).probabilities for it in traces])",
        before="models = [at_size(loaded, config.with_(image_size=size)) for size in sizes]\n"
        "crops = [it.preprocess.crop(picture, square) for it in models]\n"
        "traces = [record(it.model, it.preprocess.normalised(crop)) for it, crop in zip(models, crops, strict=True)]",
        names='{"size": [f"{size} pixels" for size in sizes]}',
        lacks="interpolated positions; `vitviz/laboratory/resizing.py` has them",
        note="Guess before you run this: the model learned from pictures of one size. At which others does it still "
        "give the same answer?",
        after="What a head looks at there: `at_this_size` of `vitviz.measures.laboratory.resolution`.",
        figure="from vitviz.figures.laboratory.answers import answers\nfrom vitviz.measures.classes import best\n\n"
        "places = best(values.max(axis=0), 5)\n"
        "answers([loaded.labels[at] for at in places], "
        '{f"{size} pixels": row[places] for size, row in zip(sizes, values, strict=True)})',
        headed=True,
    ),
    "chance": Kind(
        "Dropout",
        "the probability of every class in every run under dropout and drop path",
        "run classes",
        "from vitviz.measures.laboratory.chance import answers_by_chance",
        "answers_by_chance(trace, dropout, drop_path, first, first + runs).probabilities",
        names='{"run": [f"seed {seed}" for seed in range(first, first + runs)]}',
        lacks="what is dropped follows from seeds of our own; `vitviz/edits/dropout.py` draws it",
        figure="from vitviz.figures.laboratory.chance import strips\n"
        "from vitviz.measures.classes import answer, best\n\n"
        "undisturbed = answer(trace, config.depth).probabilities\n"
        "places = best(np.maximum(undisturbed, values.mean(axis=0)), 6)\n"
        "strips([loaded.labels[at] for at in places], values[:, places], undisturbed[places])",
        headed=True,
    ),
    "norms": Kind(
        "Norms",
        "one token of the picture under layer norm and under batch norm, beside the pictures of two batches",
        "2 batch d",
        "from vitviz.edits.running import draw_scenes\nfrom vitviz.laboratory.batches import two_batches",
        "two_batches(trace, loaded, one, other, night, layer, len(config.prefix_tokens) + patch).after",
        before="one, other = (draw_scenes(start, start + beside) for start in (0, 100))  # test scenes",
        places=("layer norm", "batch norm"),
        names='{"batch": ["A", "B"]}',
        lacks=f"the other pictures run through the model, too; `{LABORATORY}/norms.py` has both norms",
        figure="from vitviz.figures.strips import strips\n\n"
        'names = [f"{norm} norm, batch {batch}" for norm in ("layer", "batch") for batch in "AB"]\n'
        "strips(dict(zip(names, values.reshape(4, -1), strict=True)))",
    ),
    "first_values": Kind(
        "Initialisation",
        "what the class token, or the mean token, looks at in layer 1 of untrained models, by what they start from",
        "start head n",
        f"{ANSWERED}\nfrom vitviz.measures.laboratory.first_values import first_values, start",
        "np.stack([start(trace, name, seed, label).maps for name in starts])",
        plain.first_maps,
        "[first_values(trace, name, seed) for name in starts], image, config",
        plain.ATTENDED[:-1],
        before="label = int(result(trace).argmax()) if config.classes else 0  # of the loss",
        names='{"start": starts}',
        note="`start` holds lengths by depth, answers and first gradients as well.",
        figure="from vitviz.figures.laboratory.first_values import first_maps\n\n"
        "grids = {name: row.reshape(-1, *config.grid) for name, row in zip(starts, values, strict=True)}\n"
        "first_maps(grids, [float(it.max()) for it in grids.values()])",
    ),
    "five_shots": Kind(
        "Five shots",
        "the scores of a read-out from a few pictures of each class: of the picture on screen, then of all held-out "
        "ones, class by class",
        "picture group",
        "from vitviz.laboratory.shots import see_scenes\n"
        "from vitviz.measures.laboratory.five_shots import read_vector, ridge",
        "ridge(taught, labels, len(scenes), penalty).scores(tests)",
        plain.read_out,
        "taught, labels, tests, penalty",
        before="seen = [see_scenes(loaded, name, 0, pictures).vectors for name in scenes]\n"
        "taught = np.concatenate([it[:shots] for it in seen])\n"
        "labels = [label for label in range(len(scenes)) for _ in range(shots)]\n"
        "held_out = [it[max(1, pictures // 3) :] for it in seen]\n"
        "tests = np.concatenate([read_vector(trace)[None], *held_out])",
        names='{"picture": ["on screen", *(f"{name}, held out {at + 1}" for name, its in zip(scenes, held_out, '
        'strict=True) for at in range(len(its)))], "group": scenes}',
        figure="from vitviz.figures.laboratory.five_shots import scores\n\nscores(scenes, values[0])",
        of_any=True,
    ),
    "gradients": Kind(
        "Gradients",
        "the length of the loss's gradient, layer by layer: of the model as it is and with parts of it changed, then "
        "of an untrained one",
        "curve part",
        f"{ANSWERED}\nfrom vitviz.measures.laboratory.gradients import gradients, ways",
        "np.stack([getattr(gradients(trace, label, way, begun, seed), of) for begun, way in wanted])",
        before=f"{LABELLED}\n"
        'own = [("", way) for way in ways(config) if not loaded.trained or way in ("usual", "scores")]\n'
        "drawn = [(initial, way) for way in ways(config)] if loaded.trained else []\n"
        "wanted = [*own[:1], *drawn[:1], *own[1:], *drawn[1:]][:curves]\n"
        'layers = [f"layer {number}" for number in range(1, config.depth + 1)]',
        names='{"curve": [f"{begun or \'own\'}, {way}" for begun, way in wanted], "part": {"stages": ["embedding", '
        '*layers, "after the blocks"], "scores": layers, "streams": ["embedding", *layers]}[of]}',
        note="The class that the answer should be stands in no address: it is the one that the model names.",
        figure="from vitviz.figures.laboratory.curves import by_layer, span\n\n"
        "lines = {f\"{begun or loaded.trained and 'learned' or 'untrained'}, {way}\": row "
        "for (begun, way), row in zip(wanted, values, strict=True)}\n"
        "styles = [ways(config).index(way) for _, way in wanted]\n"
        "parts = [str(part) for part in range(values.shape[1])]\n"
        'by_layer(lines, parts, span([values]), "length", styles)',
        lacks=f"changed architectures and a backward pass; `{LABORATORY}/gradients.py` has both",
        headed=True,
    ),
}
ALONE = partial(
    Kind,
    axes="layer head",
    imports=f"{ANSWERED}\nfrom vitviz.measures.interventions import heads_off\nfrom vitviz.trace import record",
    note='Every patch hidden alone: `occluded(unedited, "grey", 0, config.patches)[:, label]` of the same module.',
    headed=True,
)
UNEDITED = "unedited = record(trace.model, image)\nlabel = int(result(unedited).argmax())  # the class that it names"
EACH = "np.stack([heads_off(unedited, each, 0, config.heads{})[:, label] for each in range(config.depth)])"
HEADS_OFF = ALONE(
    "Intervene",
    "how the logit of the answer changes when every head is off alone",
    call=EACH.format(""),
    plain=plain.heads_off,
    given="unedited_w, image, config, label",
    helpers=(*plain.ATTENDED[:-1], plain.logits),
    passes=lambda config: config.depth * config.heads + 1,
    before=UNEDITED,
)
HEADS_AT_MEANS = ALONE(
    "Intervene",
    "how the logit of the answer changes when every head alone stands at its mean over scenes",
    call=EACH.format(", means"),
    before=f"from vitviz.edits.running import reference_means\n\n{UNEDITED}\nmeans = reference_means(loaded)",
    lacks="means over scenes need all of them; `vitviz/measures/reference.py` makes them",
)
