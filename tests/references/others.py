"""timm's models of other families, and what the sentence must say that refuses them."""

REFUSED = {
    "is a BEiT or data2vec, .*: no position is added to the tokens; .* others for the class token": [
        "beit_base_patch16_224",
        "beitv2_base_patch16_224",
    ],
    "is a BEiT-3, .* layer norms stand inside": ["beit3_base_patch16_224"],
    "is an EVA, .*: k has no bias": [
        "eva_giant_patch14_224",
        "eva02_base_patch14_224",
        "eva02_tiny_patch14_224",
        "eva02_base_patch16_clip_224",
        "eva02_enormous_patch14_clip_224",
    ],
    r"by its name a ViT with rotary positions \(rope\), .* rotations leave no tensor": [
        "vit_small_patch16_rope_ape_224",
        "vit_base_patch16_rope_ape_224",
        "vit_large_patch16_rope_ape_224",
    ],
    r"is a ViT with rotary positions \(rope\), .* turned by angles": [
        "vit_small_patch16_rope_mixed_224",
        "vit_small_patch16_rope_mixed_ape_224",
    ],
    "is a ViT without a position embedding, .* turned by angles": [
        "vit_medium_patch16_rope_reg1_gap_256",
    ],
    "is a DINOv3 .*: its positions are rotations": [
        "vit_base_patch16_dinov3",
        "vit_base_patch16_dinov3_qkvb",
        "vit_7b_patch16_dinov3",
        "vit_base_patch16_lingbot",
    ],
    "normalised queries and keys, .* brought to one length": ["vit_base_patch16_sapiens2", "gemma4_vit_167m"],
    r"is a Perception Encoder \(pe_core\), .* turned by angles": [
        "vit_pe_core_base_patch16_224",
        "vit_pe_core_gigantic_patch14_448",
    ],
    r"is a Perception Encoder \(pe_spatial, pe_lang\), .* angles": [
        "vit_pe_lang_large_patch14_448",
        "vit_pe_spatial_base_patch16_512",
    ],
    "is an image encoder of SAM or ViTDet, .* inside windows": ["samvit_base_patch16", "samvit_base_patch16_224"],
    "is a Hiera, .* pooled": ["sam2_hiera_tiny", "hiera_tiny_224", "hiera_small_abswin_256"],
    r"norms at the end of attention and MLP \(rpn": [
        "vit_base_patch16_rpn_224",
        "vit_relpos_base_patch32_plus_rpn_256",
        "vit_relpos_small_patch16_rpn_224",
        "vit_relpos_medium_patch16_rpn_224",
        "vit_relpos_base_patch16_rpn_224",
    ],
    "is an XCiT, .* weighs the channels": ["xcit_nano_12_p16_224"],
    "is a CaiT, .* class token joins in the last two blocks": ["cait_xxs24_224"],
    "is a CrossViT, .* patches of two sizes": ["crossvit_9_240"],
    "is a ConViT, .* start as convolutions": ["convit_tiny"],
    "is a TNT, .* inside every patch": ["tnt_s_patch16_224"],
    "is a LeViT or one of its kin": ["levit_128s", "tiny_vit_5m_224", "efficientformer_l1"],
    "is a PiT, .* pooled twice": ["pit_ti_224", "pit_ti_distilled_224"],
    "is an MViT, .* pools k and v to fewer tokens": ["mvitv2_tiny"],
    "is a Swin Transformer, .* windows that shift": [
        "swin_tiny_patch4_window7_224",
        "swinv2_tiny_window8_256",
        "swinv2_cr_tiny_224",
    ],
    "is a PVT, Twins or SegFormer, .* shrunk to fewer tokens": ["pvt_v2_b0", "twins_svt_small"],
    "is a NesT": ["nest_tiny"],
    "is a CoaT": ["coat_tiny"],
    "is a Visformer": ["visformer_tiny"],
    "is a VOLO": ["volo_d1_224"],
    "is a network of stages, .* coarser and wider": [
        "maxvit_tiny_tf_224",
        "coatnet_0_224",
        "gcvit_tiny",
        "davit_tiny",
        "poolformer_s12",
    ],
    "is a FocalNet": ["focalnet_tiny_srf"],
    "is an MLP-Mixer or one of its kin, .* no attention": ["mixer_b16_224", "gmlp_s16_224", "resmlp_12_224"],
    "is a Sequencer, .* recurrent": ["sequencer2d_s"],
    "is a ConvNeXt": ["convnext_tiny", "convnextv2_tiny"],
    "is a ResNet": ["resnet50", "regnety_032"],
    "is an EfficientNet or MobileNet": ["efficientnet_b0", "mobilenetv3_large_100"],
    "is a network of convolutions": ["vgg16", "densenet121"],
    "is a NaFlex ViT, .* any shape": ["naflexvit_base_patch16_gap", "naflexvit_base_patch16_siglip"],
    "is a hybrid of a ViT and a network of convolutions": [
        "vit_base_resnet26d_224",
        "vit_tiny_r_s16_p8_224",
        "vit_base_mci_224",
        "vitamin_small_224",
        "vitamin_xlarge_256",
    ],
    "attention pooling stands beside register tokens, .* nothing in the file tells": [
        "vit_so150m_patch16_reg4_map_256"
    ],
    "is a ViT whose attention and MLP run in parallel": [
        "vit_base_patch16_xp_224",
        "vit_pwee_patch16_reg1_gap_256",
    ],
    "is a ViT with parallel blocks, .* then two MLPs": ["vit_base_patch16_18x2_224"],
    "is a ViT with differential attention, .* do not sum to 1": [
        "vit_dwee_patch16_reg1_gap_256",
        "vit_dpwee_patch16_reg1_gap_256",
    ],
    "is a ViT without a last layer norm, as InternViT and RADIO": [
        "vit_base_patch16_radio_v3",
        "vit_intern300m_patch14_448",
    ],
    "is an AIMv2, .* no matrix of its blocks has a bias": ["aimv2_large_patch14_224"],
    "is the vision tower of a language model": ["deepseek_vit_412m", "qwen3_vit_88m", "qwen3_vit_88m_enc"],
}
SENTENCES = {name: sentence for sentence, names in REFUSED.items() for name in names}
