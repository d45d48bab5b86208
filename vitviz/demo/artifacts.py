"""What lies beside this code: the checkpoint, the snapshots, and the metrics that README and pages quote."""

import json
from pathlib import Path
from typing import Any

DATA = Path(__file__).parent / "data"
CHECKPOINT, SNAPSHOTS, METRICS = "demo.safetensors", "snapshots.safetensors", "metrics.json"


def read_metrics(folder: Path = DATA) -> dict[str, Any]:
    """What was measured, by section.

    "training": the plan and what it cost. "history": losses by step. "milestones": measures at each snapshot.
    "trained" and "untrained": the measures of the report by name, on "report"["scenes"] scenes.
    """
    return json.loads((folder / METRICS).read_text(encoding="utf-8"))


def write_metrics(metrics: dict[str, Any], folder: Path = DATA) -> None:
    """Keep the metrics as JSON with one entry of a section per line, so that a change can be read."""
    sections = (f"{json.dumps(name)}: {_section(section)}" for name, section in metrics.items())
    (folder / METRICS).write_text("{\n" + ",\n".join(sections) + "\n}\n", encoding="utf-8")


def _section(section: dict[str, Any] | list[Any]) -> str:
    if isinstance(section, list):
        return "[\n  " + ",\n  ".join(map(json.dumps, section)) + "\n]"
    return "{\n  " + ",\n  ".join(f"{json.dumps(key)}: {json.dumps(value)}" for key, value in section.items()) + "\n}"
