"""The app as data: chapters and pages in lecture order. A page's file name is its address."""

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Entry:
    """One page: file under `pages/`, title, the stage of its count line or "", whether it shows a forward pass."""

    file: str
    title: str
    stage: str
    forward: bool = True

    @property
    def stem(self) -> str:
        """The name of the page's file."""
        return Path(self.file).stem

    @property
    def address(self) -> str:
        """The last part of the page's address; the first page has none."""
        return "" if self.stem == "overview" else self.stem


CHAPTERS = {
    "Overview": (Entry("overview.py", "Overview", "model"),),
    "Tokens": (
        Entry("tokens/patch_grid.py", "Patch grid", "patches"),
        Entry("tokens/patch_embedding.py", "Patch embedding", "patch_embedding"),
        Entry("tokens/position_embedding.py", "Position embedding", "position_embedding"),
    ),
    "Attention": (
        Entry("attention/query_key_value.py", "Query, key, value", "attention"),
        Entry("attention/heads.py", "Heads", "attention"),
        Entry("attention/depth.py", "Depth", "blocks"),
    ),
    "Model": (
        Entry("model/encoder_block.py", "Encoder block", "block"),
        Entry("model/class_head.py", "Class head", "head"),
        Entry("model/tensor_shapes.py", "Tensor shapes", "model", forward=False),
        Entry("model/parameters.py", "Parameters", "model", forward=False),
    ),
    "Laboratory": (
        Entry("laboratory/intervene.py", "Intervene", "model"),
        Entry("laboratory/switches.py", "Switches", "model", forward=False),
        Entry("laboratory/siblings.py", "Siblings", "model", forward=False),
        Entry("laboratory/order.py", "Permutation", "position_embedding"),
        Entry("laboratory/shift.py", "Shift", "patch_embedding"),
        Entry("laboratory/resolution.py", "Resolution", "position_embedding"),
        Entry("laboratory/chance.py", "Dropout", "model"),
        Entry("laboratory/norms.py", "Norms", "model"),
        Entry("laboratory/first_values.py", "Initialisation", "model"),
        Entry("laboratory/five_shots.py", "Five shots", "head"),
        Entry("laboratory/gradients.py", "Gradients", "model"),
    ),
    "Counting": (
        Entry("counting/three_counts.py", "Three ways to count", "model", forward=False),
        Entry("counting/layer_table.py", "Layer table", "model", forward=False),
        Entry("counting/arithmetic.py", "Arithmetic", "model", forward=False),
        Entry("counting/growth.py", "Growth", "model", forward=False),
        Entry("counting/memory.py", "Memory", "model", forward=False),
        Entry("counting/build_a_vit.py", "Build a ViT", "model", forward=False),
        Entry("counting/side_by_side.py", "Side by side", "model", forward=False),
        Entry("counting/find_the_model.py", "Find the model", "model", forward=False),
        Entry("counting/speed.py", "Speed", "model"),
    ),
    "Lecture": (
        Entry("lecture/lecture.py", "Lecture", "", forward=False),
        Entry("lecture/lecturer.py", "Lecturer", "", forward=False),
    ),
    "Server": (Entry("server/status.py", "Server status", "model", forward=False),),
}

ENTRIES = tuple(entry for chapter in CHAPTERS.values() for entry in chapter)
