"""`vitviz count vit_base_patch32_224 classes=5 --layer-table`: count a model without building it."""

import argparse
from collections.abc import Sequence

from vitviz.config import FIELDS, PRESETS, ConfigError, ViTConfig
from vitviz.config.config import with_words
from vitviz.counts import (
    Item,
    activations,
    conventions,
    inference_memory,
    layer_table_text,
    mac_split,
    parameter_split,
    total_macs,
    total_parameters,
    training_memory,
)
from vitviz.numbers import bytes_, exact, short


def main(arguments: Sequence[str] | None = None) -> None:
    """Print what one model's parameters and multiply-accumulates sum up from, or its layer table."""
    parser = argparse.ArgumentParser(prog="vitviz count", description="Count a Vision Transformer.")
    parser.add_argument("model", choices=PRESETS, metavar="model", help=" · ".join(PRESETS))
    parser.add_argument("changes", nargs="*", metavar="field=value", help=f"fields: {', '.join(FIELDS)}")
    parser.add_argument("--layer-table", action="store_true", help="one row per module, in the form of torchsummary")
    options = parser.parse_intermixed_args(arguments)
    try:
        config = with_words(PRESETS[options.model], options.changes)
    except ConfigError as error:
        parser.error(str(error))
    print(layer_table_text(config) if options.layer_table else _summary(config))


def _summary(config: ViTConfig) -> str:
    arithmetic = total_macs(config)
    inference, training = (sum(i.bytes for i in memory(config)) for memory in (inference_memory, training_memory))
    return "\n".join(
        [
            f"parameters: {exact(total_parameters(config))}",
            *_lines(parameter_split(config)),
            "",
            f"multiply-accumulates of one image: {exact(arithmetic)} "
            f"({short(arithmetic)}MAC = {short(2 * arithmetic)}FLOP)",
            *_lines(mac_split(config)),
            "",
            "the same parameters in three conventions",
            *(f"{exact(way.total):>20}  {way.name:<20} {way.rule}" for way in conventions(config)),
            "",
            f"memory: {bytes_(inference)} for inference in 16 bit, {bytes_(training)} for training with AdamW, "
            f"{bytes_(sum(row.bytes for row in activations(config)))} for all activations of one image",
        ]
    )


def _lines(items: Sequence[Item]) -> list[str]:
    return [f"{exact(item.count):>20}  {item.name:<20} {item.formula} = {item.numbers}" for item in items]


if __name__ == "__main__":
    main()
