"""What a model would take of this machine, told from its sizes alone: what is refused, and what takes long.

The limits leave room above the largest model of the list: ViT-H/14 has 632 million parameters and 167 G multiply-adds.
Seconds are those of two cores of a server (AMD EPYC): 55 G multiply-adds a second and core, 2.5 G attention weights.
"""

from math import ceil

from vitviz.config import ViTConfig
from vitviz.counts import activation_memory, total_macs, total_parameters
from vitviz.machine.device import DeviceError
from vitviz.numbers import exact, short

MOST_DRAWN = 1_000_000_000  # parameters: 4 GB, drawn in some five seconds
MOST_MACS = 2_000_000_000_000  # of one forward pass, or of its attention rollout: some twenty seconds
MOST_WEIGHTS = 40_000_000_000  # attention weights of one forward pass: some ten seconds, most of it exponentials
MOST_HIDDEN = 10_000_000_000  # hidden activations of its MLPs: some twenty seconds, most of it GELU
MOST_IN_A_MAP = 100_000_000_000_000  # multiply-adds of the many runs behind a map: some forty minutes, in pieces
MOST_READ = 20_000_000  # logits that the logit lens reads, a set of all classes after every layer
MOST_IN_FILTERS = 50_000_000  # numbers of the patch embedding, whose principal components a page shows

WHILE, LONG = 0.1, 0.5  # seconds: what takes longer waits apart from the rest
FREE_SECONDS = 2.0  # seconds of many forward passes that a page begins without being asked
DRAWN_PER_SECOND = 150e6
SECONDS_PER_BLOCK = 2e-3  # to make a block's modules, and to run them, however small they are
MACS_PER_SECOND = 40e9
WEIGHTS_PER_SECOND = 1.5e9
HIDDEN_PER_SECOND = 0.5e9
MOST_AT_ONCE, BYTES_AT_ONCE = 32, 500_000_000  # runs in one batch: more are no faster, and what they hold
MACS_OF_A_PIECE = 72e9  # of a map: four runs of ViT-B/16, of which each takes a fifth less time than alone
GPU_BYTES_AT_ONCE = 2_000_000_000  # the same where memory is a GPU's: 32 pictures of ViT-L/16
COLOURS_PER_SECOND = 40e6  # of a picture that is resized, normalised, cut and drawn


def require_drawable(config: ViTConfig) -> None:
    """Raise `DeviceError` for a model with more parameters than are drawn here; a trained one may have more."""
    parameters = total_parameters(config)
    if parameters > MOST_DRAWN:
        raise DeviceError(
            f"this model has {exact(parameters)} parameters, and at most {exact(MOST_DRAWN)} are drawn at random; "
            "choose a smaller model"
        )


def require_forward(config: ViTConfig) -> None:
    """Raise `DeviceError` for a model whose forward pass, or what pages make of it, would take minutes."""
    rollout, read = config.depth * config.tokens**3, (config.depth + 1) * config.classes
    filters, fewer = config.dim * config.patch_values, "a smaller model or fewer, larger patches"
    for amount, most, what, way_out in (
        (total_macs(config), MOST_MACS, "one forward pass of this model takes {} multiply-adds", fewer),
        (rollout, MOST_MACS, "the attention rollout of this model takes {} multiply-adds", fewer),
        (attention_weights(config), MOST_WEIGHTS, "one forward pass of this model has {} attention weights", fewer),
        (hidden(config), MOST_HIDDEN, "the MLPs of this model have {} hidden activations", fewer),
        (read, MOST_READ, "the logit lens of this model reads {} logits", "fewer classes or layers"),
        (filters, MOST_IN_FILTERS, "the patch embedding of this model has {} numbers", "smaller patches"),
    ):
        if amount > most:
            raise DeviceError(f"{what.format(short(amount))} and the limit is {short(most)}; choose {way_out}")


def require_map(config: ViTConfig, runs: int, what: str) -> None:
    """Raise `DeviceError` for a map of `what` from so many forward passes that one visitor should not start it."""
    if (amount := runs * total_macs(config)) > MOST_IN_A_MAP:
        raise DeviceError(
            f"{what} of this model takes {short(amount)} multiply-adds and the limit is {short(MOST_IN_A_MAP)}; "
            "choose a smaller model or fewer, larger patches"
        )


def runs_at_once(config: ViTConfig, layer: int, macs: float = LONG * MACS_PER_SECOND) -> int:
    """How many runs from block `layer` on make a batch of so many multiply-adds, and whose memory is no trouble."""
    of_one = total_macs(config) * max(1, config.depth - layer) / config.depth
    fit = min(macs / of_one, BYTES_AT_ONCE / forward_bytes(config), MOST_AT_ONCE)
    return max(1, int(fit))


def pieces(config: ViTConfig, runs: int) -> list[tuple[int, int]]:
    """So many runs behind a map in batches, first and behind the last."""
    at_once = 1 if config.norm == "batch" else runs_at_once(config, 0, MACS_OF_A_PIECE)  # it sees pictures beside one
    return [(first, min(first + at_once, runs)) for first in range(0, runs, at_once)]


def at_once(config: ViTConfig, passes: float, most: int) -> int:
    """How many of `most` things, each of so many forward passes, a page makes unasked: one at least."""
    return max(1, min(most, int(FREE_SECONDS / (passes * seconds(config)))))


def begins_unasked(config: ViTConfig, runs: int) -> bool:
    """Whether a page begins with so many forward passes, in batches, without being asked."""
    batches = ceil(runs / runs_at_once(config, 0))
    took = runs * total_macs(config) / MACS_PER_SECOND + batches * config.depth * SECONDS_PER_BLOCK
    return took <= FREE_SECONDS


def seconds(config: ViTConfig) -> float:
    """Of one forward pass, about."""
    return total_macs(config) / MACS_PER_SECOND + config.depth * SECONDS_PER_BLOCK


def forward_bytes(config: ViTConfig) -> int:
    """Most bytes that a forward pass in fp32 and the attention that pages ask for take at once, without the parameters.

    The picture and its patches, the residual stream that is kept, the widest block, one layer's scores and weights,
    what relative positions add to them, and the rollout.
    """
    patches = 5 * config.patches * config.patch_values
    stream = config.tokens * config.dim * (config.depth + 10)
    mlp = config.tokens * config.mlp_dim * (5 if config.activation == "swiglu" else 3)
    written_out = config.tokens**2 * (3 * config.heads + config.depth)
    relative = config.tokens**2 * (2 * config.heads + 8) if config.positions == "relative" else 0  # and who is where
    return 4 * (patches + stream + mlp + written_out + relative)


def backward_bytes(config: ViTConfig) -> int:
    """Most bytes that a loss's gradient takes: all activations, the gradients, and an untrained model beside it."""
    return 4 * (sum(activation_memory(config).values()) + 2 * total_parameters(config)) + forward_bytes(config)


def takes_long_to_make(config: ViTConfig) -> bool:
    """Whether drawing or reading the parameters takes so long that others should not wait for it."""
    return total_parameters(config) / DRAWN_PER_SECOND + config.depth * SECONDS_PER_BLOCK > LONG


def takes_a_while_to_run(config: ViTConfig) -> bool:
    """Whether a forward pass takes a moment for one, and for a class so long that others should not wait for it."""
    return _seconds_of_all(config) > WHILE


def takes_a_while_to_embed(config: ViTConfig) -> bool:
    """Whether making the tokens that enter the first block takes so long; a stem of convolutions always does."""
    values = config.patches * config.patch_values
    return config.stem != "patch" or values * (config.dim / MACS_PER_SECOND + 1 / COLOURS_PER_SECOND) > WHILE


def takes_long_to_run(config: ViTConfig) -> bool:
    """Whether a forward pass, or what a page makes of it, takes so long that others should not wait for it."""
    return _seconds_of_all(config) > LONG


def _seconds_of_all(config: ViTConfig) -> float:
    """Of a forward pass, or of what a page makes of it, about."""
    macs = max(total_macs(config), config.depth * config.tokens**3)
    seconds = macs / MACS_PER_SECOND + config.depth * SECONDS_PER_BLOCK
    seconds += attention_weights(config) / WEIGHTS_PER_SECOND + hidden(config) / HIDDEN_PER_SECOND
    return seconds + config.patches * config.patch_values / COLOURS_PER_SECOND


def attention_weights(config: ViTConfig) -> int:
    """Attention weights of one forward pass: one for each block, head, query and key."""
    return config.depth * config.heads * config.tokens**2


def hidden(config: ViTConfig) -> int:
    """Hidden activations of all MLPs in one forward pass: one for each block, token and unit."""
    return config.depth * config.tokens * config.mlp_dim
