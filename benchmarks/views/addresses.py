"""The views that are compared, by the addresses that were shared while moments had numbers: they stay valid for ever.

Every page as it begins, every moment, several models, two columns, edits, moments of training, and what single pages
let one choose. This list is the only place that counts moments.
"""

from collections.abc import Mapping, Sequence

MOMENTS = {
    "overview": 2,
    "patch_grid": 5,
    "patch_embedding": 5,
    "position_embedding": 4,
    "query_key_value": 5,
    "heads": 3,
    "depth": 3,
    "encoder_block": 4,
    "class_head": 4,
    "intervene": 6,
}
TABLES = ("tensor_shapes", "parameters")
LABORATORY = ("switches", "siblings", "order", "shift", "resolution", "chance", "norms", "first_values")
LEARNING = ("five_shots", "gradients")
COUNTING = ("three_counts", "layer_table", "arithmetic", "growth", "memory", "build_a_vit", "side_by_side")
NAMED = ("what_a_token_knows", "why_this_answer")  # whose moments never had numbers
OTHERS = ("find_the_model", "speed", "lecture", "lecturer", "notebook", "status")
PAGES = (*MOMENTS, *NAMED, *TABLES, *LABORATORY, *LEARNING, *COUNTING, *OTHERS)
# Pages on which numbers, and what sentences make of them, are a clock's or a machine's.
MEASURED = ("speed", "status")

PLACE = "sample=left&layer=3&head=2&query=40"
CLASSLESS = "model=build-your-own&image_size=32&patch_size=8&dim=24&depth=2&heads=2&mlp_dim=16&classes=0"
MODELS: Mapping[str, Mapping[str, Sequence[int]]] = {
    "model=photo&sample=coffee&layer=2&query=class": {
        "patch_embedding": (1, 5),
        "position_embedding": (2,),
        "heads": (1, 2, 3),
        "depth": (1, 2, 3),
        "class_head": (1, 2, 3),
        "intervene": (1, 4),
    },
    "model=vit_tiny_patch16_224&sample=fish&layer=12&head=3": dict.fromkeys(MOMENTS, (1,)),
    "model=shelf_none_0": {"position_embedding": (1, 2, 3, 4)},
    "model=shelf_relative_0": {"position_embedding": (1, 2, 3, 4), "query_key_value": (2,)},
    "model=shelf_gap_0": {"depth": (1, 2), "class_head": (1, 2, 3)},
    "model=shelf_registers_0": {"heads": (1, 2), "class_head": (2,)},
    "model=shelf_hybrid_0": {"patch_grid": (1,), "patch_embedding": (1, 2)},
    CLASSLESS: {"overview": (1, 2), "class_head": (1, 3), "intervene": (1, 5)},
    "model=deit_base_distilled_patch16_224": {"tensor_shapes": (1,), "parameters": (1,), "layer_table": (1,)},
}
COLUMNS = (
    "overview?sample=left&b.model=demo&b.image=fish",
    "overview?moment=2&sample=left&b.model=shelf_none_0",
    "patch_embedding?moment=5&b.model=shelf_none_0",
    "position_embedding?moment=2&b.model=shelf_learned_2d_0",
    "query_key_value?moment=3&layer=3&head=2&b.model=shelf_unscaled_0",
    "heads?sample=left&layer=3&b.model=shelf_none_0&b.image=fish&b.edits=h2.1*0",
    "heads?sample=left&layer=6&query=40&moment=2&b.model=shelf_gap_0&b.image=above&b.edits=h2.1*0",
    "heads?moment=3&b.model=demo&b.image=fish",
    "depth?through=5&b.model=shelf_relative_0",
    "encoder_block?moment=2&layer=2&b.model=shelf_post_norm_0",
    "class_head?moment=2&b.model=demo&b.image=fish&b.edits=h3.1*0",
    "heads?sample=fish&donor=tabby&edits=p3=paste&b.model=demo&b.image=cat&b.edits=p3=paste",
)
EDITS = (
    "overview?moment=2&edits=h3.1*0+b4*0",
    "query_key_value?sample=left&edits=h2.1*0+t3=4&layer=3&moment=4&query=70",
    "heads?sample=left&edits=h3.1*0+b4*0&layer=5&query=70",
    "depth?edits=h2.1*0&moment=2",
    "encoder_block?sample=left&edits=m3*0&layer=3&moment=3&query=40",
    "class_head?edits=b2*0&moment=2",
    "intervene?sample=left&moment=2&edits=h3.1*0+p40",
    "intervene?sample=left&moment=3&edits=h3.1*0+m5*0.5+p40-45",
    "intervene?sample=left&moment=4&edits=b2*0",
    "intervene?sample=fish&moment=5&taken=mean&edits=b2*0",
    "intervene?sample=left&moment=6&runs=server",
    "intervene?sample=left&runs=server&edits=a1*0.5",
    "intervene?model=photo&sample=coffee&donor=astronaut&moment=4&edits=p3=paste",
    "intervene?sample=left&edits=h9.1*0+h3.1*0+x+p999",
)
TRAINING = (
    "heads?learned=166",
    "heads?learned=700&layer=4&head=3&query=40",
    "heads?b.model=demo&b.moment=69",
    "position_embedding?moment=2&b.model=demo&b.moment=1200",
    "position_embedding?moment=2&query=20&b.model=demo&b.moment=166",
    "position_embedding?moment=2&learned=166",
)
CHOICES = (
    "overview?moment=2&covered=yes",
    "patch_grid?sample=coffee&moment=5&crop=250-100-500",
    "patch_grid?moment=4&query=53&tried=8",
    "position_embedding?sample=column&moment=3&placed=off",
    "position_embedding?sample=column&moment=3&placed=shuffled",
    "query_key_value?moment=3&divide=one",
    "query_key_value?moment=3&divide=all",
    "heads?shows=column&layer=4&head=2&query=70",
    "heads?shows=rollout&query=70",
    "heads?scale=own&drawn=colours",
    "heads?moment=2&mean=1&layer=3",
    "heads?query=2000&layer=9&moment=9",
    "class_head?moment=3&answer=3&after=2",
    "depth?moment=3&through=4&query=class",
    "what_a_token_knows?sample=left&layer=3&query=40&of=pixels",
    "what_a_token_knows?moment=elsewhere&layer=3&query=40",
    "what_a_token_knows?moment=colours&layer=3&principal=2",
    "what_a_token_knows?moment=length&layer=3",
    "why_this_answer?sample=left&layer=3&opened=head&answer=3&against=2",
    "why_this_answer?moment=maps&map=gradient_attention",
    "why_this_answer?moment=trial&map=rollout&fill=blur&removed=12",
    "why_this_answer?moment=randomised&randomised=2",
    "encoder_block?moment=4&layer=2&component=7",
    "switches?switch=pool&value=mean",
    "switches?switch=positions&value=relative",
    "siblings?differs=Switches",
    "siblings?differs=Data+sizes",
    "order?swap=40x41",
    "order?swap=shuffled@3",
    "chance?dropout_rate=0.2&draw=2",
    "norms?night=true&norm_layer=3&batch_size=4",
    "first_values?drawn_seed=2",
    "five_shots?shots=3&shot_classes=3",
    "gradients?gradient_of=queries+and+keys",
    "tensor_shapes?tensors=Activations",
    "tensor_shapes?tensors=Parameters&table=Tree",
    "three_counts?head_classes=10",
    "growth?grow=Depth&axes=Logarithmic",
    "memory?batch=64",
    "build_a_vit?model=build-your-own&dim=96&heads=3&depth=2&seed=7",
    "side_by_side?beside=vit_base_patch16_224",
    "find_the_model?budget_of=MACs&budget=5",
)


def _all() -> Sequence[str]:
    moments = [(page, moment) for page, many in MOMENTS.items() for moment in range(1, many + 1)]
    of_models = [
        f"{page}?{words}" + (f"&moment={moment}" if page in MOMENTS else "")
        for words, pages in MODELS.items()
        for page, its in pages.items()
        for moment in its
    ]
    return tuple(
        dict.fromkeys(
            (
                *PAGES,
                *(f"{page}?moment={moment}" for page, moment in moments if moment > 1),
                *(f"{page}?{PLACE}&moment={moment}" for page, moment in moments),
                *of_models,
                *COLUMNS,
                *EDITS,
                *TRAINING,
                *CHOICES,
            )
        )
    )


VIEWS = _all()


def page_of(view: str) -> str:
    """The page of a view: the first word of its address."""
    return view.partition("?")[0]
