"""The papers that switches and measures come from, and by their addresses who wrote them, in each one's own order."""

from vitviz.cards.card import Paper

AUTHORS = {
    "https://arxiv.org/abs/2010.11929": "Alexey Dosovitskiy, Lucas Beyer, Alexander Kolesnikov, Dirk Weissenborn, "
    "Xiaohua Zhai, Thomas Unterthiner, Mostafa Dehghani, Matthias Minderer, Georg Heigold, Sylvain Gelly, "
    "Jakob Uszkoreit, Neil Houlsby",
    "https://arxiv.org/abs/2106.14881": "Tete Xiao, Mannat Singh, Eric Mintun, Trevor Darrell, Piotr Dollár, "
    "Ross Girshick",
    "https://arxiv.org/abs/1912.11370": "Alexander Kolesnikov, Lucas Beyer, Xiaohua Zhai, Joan Puigcerver, "
    "Jessica Yung, Sylvain Gelly, Neil Houlsby",
    "https://arxiv.org/abs/1706.03762": "Ashish Vaswani, Noam Shazeer, Niki Parmar, Jakob Uszkoreit, Llion Jones, "
    "Aidan N. Gomez, Łukasz Kaiser, Illia Polosukhin",
    "https://arxiv.org/abs/1810.04805": "Jacob Devlin, Ming-Wei Chang, Kenton Lee, Kristina Toutanova",
    "https://arxiv.org/abs/2103.00020": "Alec Radford, Jong Wook Kim, Chris Hallacy, Aditya Ramesh, Gabriel Goh, "
    "Sandhini Agarwal, Girish Sastry, Amanda Askell, Pamela Mishkin, Jack Clark, Gretchen Krueger, Ilya Sutskever",
    "https://arxiv.org/abs/2012.12877": "Hugo Touvron, Matthieu Cord, Matthijs Douze, Francisco Massa, "
    "Alexandre Sablayrolles, Hervé Jégou",
    "https://arxiv.org/abs/2204.07118": "Hugo Touvron, Matthieu Cord, Hervé Jégou",
    "https://arxiv.org/abs/2103.17239": "Hugo Touvron, Matthieu Cord, Alexandre Sablayrolles, Gabriel Synnaeve, "
    "Hervé Jégou",
    "https://arxiv.org/abs/2403.13298": "Byeongho Heo, Song Park, Dongyoon Han, Sangdoo Yun",
    "https://arxiv.org/abs/2103.14030": "Ze Liu, Yutong Lin, Yue Cao, Han Hu, Yixuan Wei, Zheng Zhang, Stephen Lin, "
    "Baining Guo",
    "https://arxiv.org/abs/2106.08254": "Hangbo Bao, Li Dong, Songhao Piao, Furu Wei",
    "https://arxiv.org/abs/2111.06377": "Kaiming He, Xinlei Chen, Saining Xie, Yanghao Li, Piotr Dollár, Ross Girshick",
    "https://arxiv.org/abs/2104.02057": "Xinlei Chen, Saining Xie, Kaiming He",
    "https://arxiv.org/abs/2304.07193": "Maxime Oquab, Timothée Darcet, Théo Moutakanni, Huy V. Vo, Marc Szafraniec, "
    "Vasil Khalidov, Pierre Fernandez, Daniel Haziza, Francisco Massa, Alaaeldin El-Nouby, Mahmoud Assran, "
    "Nicolas Ballas, Wojciech Galuba, Russell Howes, Po-Yao Huang, Shang-Wen Li, Ishan Misra, Michael Rabbat, "
    "Vasu Sharma, Gabriel Synnaeve, Hu Xu, Hervé Jégou, Julien Mairal, Patrick Labatut, Armand Joulin, "
    "Piotr Bojanowski",
    "https://arxiv.org/abs/2309.16588": "Timothée Darcet, Maxime Oquab, Julien Mairal, Piotr Bojanowski",
    "https://arxiv.org/abs/2302.01327": "Manoj Kumar, Mostafa Dehghani, Neil Houlsby",
    "https://arxiv.org/abs/1912.11637": "Guangxiang Zhao, Junyang Lin, Zhiyuan Zhang, Xuancheng Ren, Qi Su, Xu Sun",
    "https://arxiv.org/abs/1906.05909": "Prajit Ramachandran, Niki Parmar, Ashish Vaswani, Irwan Bello, "
    "Anselm Levskaya, Jonathon Shlens",
    "https://arxiv.org/abs/2006.16236": "Angelos Katharopoulos, Apoorv Vyas, Nikolaos Pappas, François Fleuret",
    "https://arxiv.org/abs/2002.07028": "Srinadh Bhojanapalli, Chulhee Yun, Ankit Singh Rawat, Sashank J. Reddi, "
    "Sanjiv Kumar",
    "https://arxiv.org/abs/2302.05442": "Mostafa Dehghani, Josip Djolonga, Basil Mustafa, Piotr Padlewski, "
    "Jonathan Heek, Justin Gilmer, Andreas Steiner, Mathilde Caron, Robert Geirhos, Ibrahim Alabdulmohsin, "
    "Rodolphe Jenatton, Lucas Beyer, Michael Tschannen, Anurag Arnab, Xiao Wang, Carlos Riquelme, Matthias Minderer, "
    "Joan Puigcerver, Utku Evci, Manoj Kumar, Sjoerd van Steenkiste, Gamaleldin F. Elsayed, Aravindh Mahendran, "
    "Fisher Yu, Avital Oliver, Fantine Huot, Jasmijn Bastings, Mark Patrick Collier, Alexey Gritsenko, "
    "Vighnesh Birodkar, Cristina Vasconcelos, Yi Tay, Thomas Mensink, Alexander Kolesnikov, Filip Pavetić, "
    "Dustin Tran, Thomas Kipf, Mario Lučić, Xiaohua Zhai, Daniel Keysers, Jeremiah Harmsen, Neil Houlsby",
    "https://arxiv.org/abs/2002.04745": "Ruibin Xiong, Yunchang Yang, Di He, Kai Zheng, Shuxin Zheng, Chen Xing, "
    "Huishuai Zhang, Yanyan Lan, Liwei Wang, Tie-Yan Liu",
    "https://arxiv.org/abs/1607.06450": "Jimmy Lei Ba, Jamie Ryan Kiros, Geoffrey E. Hinton",
    "https://arxiv.org/abs/1910.07467": "Biao Zhang, Rico Sennrich",
    "https://arxiv.org/abs/1502.03167": "Sergey Ioffe, Christian Szegedy",
    "https://arxiv.org/abs/1606.08415": "Dan Hendrycks, Kevin Gimpel",
    "https://arxiv.org/abs/2002.05202": "Noam Shazeer",
    "https://arxiv.org/abs/2303.15343": "Xiaohua Zhai, Basil Mustafa, Alexander Kolesnikov, Lucas Beyer",
    "https://jmlr.org/papers/v15/srivastava14a.html": "Nitish Srivastava, Geoffrey Hinton, Alex Krizhevsky, "
    "Ilya Sutskever, Ruslan Salakhutdinov",
    "https://arxiv.org/abs/1603.09382": "Gao Huang, Yu Sun, Zhuang Liu, Daniel Sedra, Kilian Q. Weinberger",
    "https://arxiv.org/abs/2005.00928": "Samira Abnar, Willem Zuidema",
    "https://arxiv.org/abs/2103.15679": "Hila Chefer, Shir Gur, Lior Wolf",
    "https://arxiv.org/abs/2310.05916": "Yossi Gandelsman, Alexei A. Efros, Jacob Steinhardt",
    "https://arxiv.org/abs/1806.07421": "Vitali Petsiuk, Abir Das, Kate Saenko",
    "https://arxiv.org/abs/1810.03292": "Julius Adebayo, Justin Gilmer, Michael Muelly, Ian Goodfellow, Moritz Hardt, "
    "Been Kim",
    "https://www.lesswrong.com/posts/AcKRB8wDpdaN6v6ru": "nostalgebraist",
    "https://arxiv.org/abs/2404.15255": "Stefan Heimersheim, Neel Nanda",
    "https://arxiv.org/abs/1409.0473": "Dzmitry Bahdanau, Kyunghyun Cho, Yoshua Bengio",
    "https://arxiv.org/abs/1711.07971": "Xiaolong Wang, Ross Girshick, Abhinav Gupta, Kaiming He",
    "https://cdn.openai.com/better-language-models/language_models_are_unsupervised_multitask_learners.pdf": (
        "Alec Radford, Jeffrey Wu, Rewon Child, David Luan, Dario Amodei, Ilya Sutskever"
    ),
    "https://arxiv.org/abs/2005.14165": "Tom B. Brown, Benjamin Mann, Nick Ryder, Melanie Subbiah, Jared Kaplan, "
    "Prafulla Dhariwal, Arvind Neelakantan, Pranav Shyam, Girish Sastry, Amanda Askell, Sandhini Agarwal, Ariel "
    "Herbert-Voss, Gretchen Krueger, Tom Henighan, Rewon Child, Aditya Ramesh, Daniel M. Ziegler, Jeffrey Wu, "
    "Clemens Winter, Christopher Hesse, Mark Chen, Eric Sigler, Mateusz Litwin, Scott Gray, Benjamin Chess, Jack "
    "Clark, Christopher Berner, Sam McCandlish, Alec Radford, Ilya Sutskever, Dario Amodei",
    "https://arxiv.org/abs/1911.03584": "Jean-Baptiste Cordonnier, Andreas Loukas, Martin Jaggi",
    "https://arxiv.org/abs/2005.12872": "Nicolas Carion, Francisco Massa, Gabriel Synnaeve, Nicolas Usunier, "
    "Alexander Kirillov, Sergey Zagoruyko",
    "https://proceedings.mlr.press/v119/chen20s.html": "Mark Chen, Alec Radford, Rewon Child, Jeffrey Wu, Heewoo "
    "Jun, David Luan, Ilya Sutskever",
    "https://arxiv.org/abs/2104.14294": "Mathilde Caron, Hugo Touvron, Ishan Misra, Hervé Jégou, Julien Mairal, "
    "Piotr Bojanowski, Armand Joulin",
    "https://arxiv.org/abs/2105.01601": "Ilya Tolstikhin, Neil Houlsby, Alexander Kolesnikov, Lucas Beyer, Xiaohua "
    "Zhai, Thomas Unterthiner, Jessica Yung, Andreas Steiner, Daniel Keysers, Jakob Uszkoreit, Mario Lucic, "
    "Alexey Dosovitskiy",
    "https://doi.org/10.1145/1498765.1498785": "Samuel Williams, Andrew Waterman, David Patterson",
    "https://arxiv.org/abs/1807.11164": "Ningning Ma, Xiangyu Zhang, Hai-Tao Zheng, Jian Sun",
}


def arxiv(number: str, words: str, title: str = "") -> Paper:
    """A paper by its number there."""
    return Paper(words, f"https://arxiv.org/abs/{number}", title)


VIT = arxiv(
    "2010.11929",
    "Dosovitskiy et al. 2020, An Image is Worth 16x16 Words",
    "An Image is Worth 16x16 Words: Transformers for Image Recognition at Scale",
)
EARLY_CONVOLUTIONS = arxiv("2106.14881", "Xiao et al. 2021, Early Convolutions Help Transformers See Better")
BIT = arxiv(
    "1912.11370",
    "Kolesnikov et al. 2019, Big Transfer (BiT)",
    "Big Transfer (BiT): General Visual Representation Learning",
)
TABLE_8 = VIT._replace(words="Dosovitskiy et al. 2020, appendix D.4, table 8")
FIGURE_9 = VIT._replace(words="Dosovitskiy et al. 2020, appendix D.3, figure 9")
TRANSFORMER = arxiv("1706.03762", "Vaswani et al. 2017, Attention Is All You Need")
BERT = arxiv(
    "1810.04805",
    "Devlin et al. 2018, BERT",
    "BERT: Pre-training of Deep Bidirectional Transformers for Language Understanding",
)
CLIP = arxiv(
    "2103.00020", "Radford et al. 2021, CLIP", "Learning Transferable Visual Models From Natural Language Supervision"
)
DEIT = arxiv(
    "2012.12877",
    "Touvron et al. 2020, DeiT",
    "Training data-efficient image transformers & distillation through attention",
)
DEIT_III = arxiv("2204.07118", "Touvron et al. 2022, DeiT III", "DeiT III: Revenge of the ViT")
CAIT = arxiv("2103.17239", "Touvron et al. 2021, Going deeper with Image Transformers")
ROPE_VIT = arxiv("2403.13298", "Heo et al. 2024, Rotary Position Embedding for Vision Transformer")
SWIN = arxiv(
    "2103.14030",
    "Liu et al. 2021, Swin Transformer",
    "Swin Transformer: Hierarchical Vision Transformer using Shifted Windows",
)
BEIT = arxiv("2106.08254", "Bao et al. 2021, BEiT", "BEiT: BERT Pre-Training of Image Transformers")
MAE = arxiv("2111.06377", "He et al. 2021, Masked Autoencoders Are Scalable Vision Learners")
MOCO = arxiv(
    "2104.02057", "Chen et al. 2021, MoCo v3", "An Empirical Study of Training Self-Supervised Vision Transformers"
)
DINOV2 = arxiv("2304.07193", "Oquab et al. 2023, DINOv2", "DINOv2: Learning Robust Visual Features without Supervision")
REGISTERS = arxiv("2309.16588", "Darcet et al. 2023, Vision Transformers Need Registers")
DUAL_PATCH_NORM = arxiv("2302.01327", "Kumar et al. 2023, Dual PatchNorm")
EXPLICIT_SPARSE = arxiv(
    "1912.11637",
    "Zhao et al. 2019, Explicit Sparse Transformer",
    "Explicit Sparse Transformer: Concentrated Attention Through Explicit Selection",
)
STAND_ALONE = arxiv("1906.05909", "Ramachandran et al. 2019, Stand-Alone Self-Attention in Vision Models")
LINEAR = arxiv(
    "2006.16236",
    "Katharopoulos et al. 2020, Transformers are RNNs",
    "Transformers are RNNs: Fast Autoregressive Transformers with Linear Attention",
)
LOW_RANK = arxiv("2002.07028", "Bhojanapalli et al. 2020, Low-Rank Bottleneck in Multi-head Attention Models")
VIT_22B = arxiv("2302.05442", "Dehghani et al. 2023, ViT-22B", "Scaling Vision Transformers to 22 Billion Parameters")
PRE_NORM = arxiv("2002.04745", "Xiong et al. 2020, On Layer Normalization in the Transformer Architecture")
LAYER_NORM = arxiv("1607.06450", "Ba et al. 2016, Layer Normalization")
RMS_NORM = arxiv("1910.07467", "Zhang & Sennrich 2019, Root Mean Square Layer Normalization")
BATCH_NORM = arxiv(
    "1502.03167",
    "Ioffe & Szegedy 2015, Batch Normalization",
    "Batch Normalization: Accelerating Deep Network Training by Reducing Internal Covariate Shift",
)
GELU = arxiv(
    "1606.08415", "Hendrycks & Gimpel 2016, Gaussian Error Linear Units", "Gaussian Error Linear Units (GELUs)"
)
SWIGLU = arxiv("2002.05202", "Shazeer 2020, GLU Variants Improve Transformer")
SIGLIP = arxiv("2303.15343", "Zhai et al. 2023, SigLIP", "Sigmoid Loss for Language Image Pre-Training")
DROPOUT = Paper(
    "Srivastava et al. 2014, Dropout",
    "https://jmlr.org/papers/v15/srivastava14a.html",
    "Dropout: A Simple Way to Prevent Neural Networks from Overfitting",
)
DROP_PATH = arxiv("1603.09382", "Huang et al. 2016, Deep Networks with Stochastic Depth")

# Forerunners and relatives.
ALIGNING = arxiv(
    "1409.0473",
    "Bahdanau et al. 2014, Aligning and translating",
    "Neural Machine Translation by Jointly Learning to Align and Translate",
)
NON_LOCAL = arxiv("1711.07971", "Wang et al. 2017, Non-local Neural Networks")
GPT_2 = Paper(
    "Radford et al. 2019, Language Models are Unsupervised Multitask Learners",
    "https://cdn.openai.com/better-language-models/language_models_are_unsupervised_multitask_learners.pdf",
)
GPT_3 = arxiv("2005.14165", "Brown et al. 2020, Language Models are Few-Shot Learners")
TWO_BY_TWO = arxiv(
    "1911.03584", "Cordonnier et al. 2019, On the Relationship between Self-Attention and Convolutional Layers"
)
DETR = arxiv("2005.12872", "Carion et al. 2020, End-to-End Object Detection with Transformers")
IGPT = Paper("Chen et al. 2020, Generative Pretraining from Pixels", "https://proceedings.mlr.press/v119/chen20s.html")
DINO = arxiv("2104.14294", "Caron et al. 2021, Emerging Properties in Self-Supervised Vision Transformers")
MIXER = arxiv("2105.01601", "Tolstikhin et al. 2021, MLP-Mixer", "MLP-Mixer: An all-MLP Architecture for Vision")

ROLLOUT = arxiv("2005.00928", "Abnar & Zuidema 2020, Quantifying Attention Flow in Transformers")
LOGIT_LENS = Paper(
    "nostalgebraist 2020, interpreting GPT: the logit lens", "https://www.lesswrong.com/posts/AcKRB8wDpdaN6v6ru"
)
GRADIENT_ATTENTION = arxiv(
    "2103.15679",
    "Chefer et al. 2021, Generic Attention-model Explainability",
    "Generic Attention-model Explainability for Interpreting Bi-Modal and Encoder-Decoder Transformers",
)
IMAGE_AS_SUM = arxiv(
    "2310.05916",
    "Gandelsman et al. 2023, Interpreting CLIP's Image Representation",
    "Interpreting CLIP's Image Representation via Text-Based Decomposition",
)
DELETION = arxiv(
    "1806.07421", "Petsiuk et al. 2018, RISE", "RISE: Randomized Input Sampling for Explanation of Black-box Models"
)
SANITY_CHECKS = arxiv("1810.03292", "Adebayo et al. 2018, Sanity Checks for Saliency Maps")
PATCHING = arxiv("2404.15255", "Heimersheim & Nanda 2024, How to use and interpret activation patching")
ROOFLINE = Paper(
    "Williams et al. 2009, Roofline",
    "https://doi.org/10.1145/1498765.1498785",
    "Roofline: An Insightful Visual Performance Model for Multicore Architectures",
)
SHUFFLENET = arxiv(
    "1807.11164",
    "Ma et al. 2018, ShuffleNet V2",
    "ShuffleNet V2: Practical Guidelines for Efficient CNN Architecture Design",
)
