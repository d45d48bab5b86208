"""Kinds of view of the chapter Counting."""

from functools import partial

from vitviz.takeaway.kinds.kind import Kind
from vitviz.takeaway.notebook import plain

Counted = partial(Kind, pictured=False, shown=False)

KINDS = {
    "three_counts": Counted(
        "Three ways to count",
        "all parameters, those that a layer table sees, and those of a back-of-the-envelope count",
        "3",
        "from vitviz.counts import conventions",
        "np.array([it.total for it in conventions(config)])",
        plain.three_ways,
        "built(config)",
        (plain.built,),
        before="config = config.with_(classes=classes)",
        places=("exact", "layer table", "envelope"),
    ),
    "layer_table": Counted(
        "Layer table",
        "parameters and results of every call of a module, as torchsummary lists them",
        "call 2",
        "from vitviz.counts import layer_table",
        "np.array([(row.parameters, row.outputs) for row in layer_table(config)])",
        before="config = config.with_(classes=classes)",
        lacks="the modules are those of the usual PyTorch port; `vitviz/counts/layers.py` lists their calls",
        places=("parameters", "results"),
        names='{"call": [row.name for row in layer_table(config)]}',
    ),
    "arithmetic": Counted(
        "Arithmetic",
        "the multiply-accumulates of one forward pass, by kind of product",
        "product",
        "from vitviz.counts import mac_split",
        "np.array([it.count for it in mac_split(config)])",
        plain.by_kind,
        "config",
        (plain.products,),
        names='{"product": [it.name for it in mac_split(config)]}',
        note="The orders of growth beside recurrence and convolution: `vitviz.counts.complexity(config, kernel)`.",
    ),
    "growth": Counted(
        "Growth",
        "what it is drawn against, all multiply-accumulates, and those of QKᵀ and AV, at every size of the curve",
        "size 3",
        "from vitviz.counts import growth",
        "np.array([(it.against, it.macs, it.quadratic) for it in growth(config, field)])",
        lacks="it counts a model for every size; `vitviz/counts/totals.py` has the closed form",
        places=("drawn against", "all MACs", "of QKᵀ and AV"),
        names='{"size": [f"{field} {it.size}" for it in growth(config, field)]}',
    ),
    "memory": Counted(
        "Memory",
        "bytes: the parameters in use, each of the copies that training holds, and all activations of a batch in 16 "
        "bit, kind by kind",
        "kind",
        "from vitviz.counts import activation_memory, inference_memory, training_memory",
        "np.array([*(it.bytes for it in (*inference_memory(config), *training_memory(config))), *activations])",
        before="activations = [2 * batch * numbers for numbers in activation_memory(config).values()]",
        names='{"kind": [*(f"in use: {it.name}" for it in inference_memory(config)), *(f"in training: {it.name}" for '
        'it in training_memory(config)), *(f"activations: {kind}" for kind in activation_memory(config))]}',
        lacks="activations are counted by name; `vitviz/activations.py` has their names and axes",
    ),
    "build_a_vit": Counted(
        "Build a ViT",
        "parameters by kind, then multiply-accumulates by kind",
        "kind",
        "from vitviz.counts import mac_split, parameter_split",
        "np.array([it.count for it in (*parameter_split(config), *mac_split(config))])",
        plain.by_kinds,
        "built(config), config",
        (plain.built, plain.products, plain.by_kind),
        names='{"kind": [*(f"parameters: {it.name}" for it in parameter_split(config)), *(f"MACs: {it.name}" for it in '
        "mac_split(config))]}",
    ),
    "side_by_side": Counted(
        "Side by side",
        "tokens, dim, depth, heads, MLP width, parameters and multiply-accumulates of two models",
        "model 7",
        "from vitviz.config import PRESETS\nfrom vitviz.counts import total_macs, total_parameters",
        "np.array([(*sizes(it), total_parameters(it), total_macs(it)) for it in (config, PRESETS[other])])",
        before="sizes = lambda it: (it.tokens, it.dim, it.depth, it.heads, it.mlp_dim)",
        lacks="two models of any family are counted; `vitviz/counts/totals.py` has the closed form",
        places=("tokens", "dim", "depth", "heads", "MLP width", "parameters", "multiply-accumulates"),
        names='{"model": ["this model", other]}',
    ),
    "find_the_model": Counted(
        "Find the model",
        "dim, depth, MLP width and count of the models that come nearest to a budget, in the order of their dim",
        "model 4",
        "from vitviz.counts import nearest",
        "np.array(sorted((it.config.dim, it.config.depth, it.config.mlp_dim, it.count) for it in found))",
        before='count = round(budget * {"parameters": 10**6, "MACs": 10**9}[unit])\n'
        "found = nearest(config, count, unit)",
        lacks="it is a search; `vitviz/counts/scaling/search.py` searches",
        places=("dim", "depth", "MLP width", "count"),
        names='{"model": [f"dim {dim}" for dim in sorted(it.config.dim for it in found)]}',
    ),
    "speed": Kind(
        "Speed",
        "the multiply-accumulates of every step of the forward pass",
        "step",
        "from vitviz.counts import mac_steps",
        "np.array(list(mac_steps(config).values()))",
        plain.products,
        "config",
        names='{"step": list(mac_steps(config))}',
        anew="from vitviz.measures.speed import speed\n\n"
        "{it.stage: (it.calls, it.seconds) for it in speed(trace).stages}  # calls, and seconds of one",
        note="Seconds are those of this machine, and others every time: they are measured anew below, and only what is "
        "counted is asserted.",
        shown=False,
    ),
}
