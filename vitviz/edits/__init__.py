"""What is changed in a forward pass: a value, and a short text that counts as the screen does, from 1.

The text is words with spaces between them. A word is a letter, where, and what: `h3.1*0` is head 1 of layer 3, off.

| word | where | what | says |
|---|---|---|---|
| `h3.1*0` `h3.1-4*0.5` `h3.1=mean` | layer `.` heads | `*` scale · `=mean` · `=mean.all` | a head, before W_o |
| `a3*0` `a3=mean` | layer | `*` scale · `=mean` · `=mean.all` | what attention adds to the stream, bias included |
| `m5*0.5` `m5=mean.all` | layer | `*` scale · `=mean` · `=mean.all` | what the MLP adds to the stream |
| `b2*0` | layer | `*` scale | all that attention and MLP add: at 0 a pre-norm block is the identity |
| `t2=0.25` `t=4` | layer, or none: all | `=` number | temperature: scores are divided by it |
| `s2=dh` `s=none` | layer, or none: all | `=sqrt` · `=dh` · `=none` | q·k is divided by √dh, by dh, or by nothing |
| `k2=16` `k=1` | layer, or none: all | `=` count | of each row the k largest scores stay; equal ones too |
| `w2=3` `w=1` | layer, or none: all | `=` patches | patches see patches at most so many rows and columns away |
| `c2` `c` `c2=full` | layer, or none: all | nothing · `=full` | causal mask: no token sees those after it |
| `p40-45` `p7=removed` | patches | nothing · `=removed` · `=grey` · `=blur` · `=paste` | see below |
| `i12=40` `i=shuffled@7` | patch, or none: all | `=` other patch · `=shuffled` | pixels of patches change places |
| `e12=40` `e=off` `e=shuffled@7` | patch, or none: all | `=` other patch · `=off` · `=shuffled` | positions do |
| `o40=0.5` `o40-45=3` | patches | `=` columns | the position is that of a place so far to the right |
| `d=0.1@7` | | `=` rate | dropout, as in training |
| `l=0.1@7` | | `=` rate | drop path, as in training: what a layer's attention or MLP adds, as a whole |
| `r3.40-45` `r3.x1` `r3.all` | layer `.` tokens | nothing | states of the second picture enter the layer |

Where: numbers from 1; `40-45` is a run of them; `x1` is the first prefix token, the class token as a rule.
What: `mean` is the mean of the same place over a reference set of scenes, token by token, `mean.all` over its tokens as
well. A number has three digits after the point, others are cut off. `@7` is a seed; without it the seed is 0.

Attention weights are what softmax leaves, each row sums to 1, wherever they are shown: dropout takes from them on their
way to the values.

A patch is hidden in three ways: `p40` masks it as a key, so that no token, nor it itself, looks at it; `removed` takes
its token out as well, so that nothing of it is left (its rows are 0, and nobody looks there: to the others it is the
same); `grey` paints its pixels with the mean of the training pictures, 0 after normalisation. `blur` paints them with
their own mean, `paste` with those of the second picture. Pixels change in this order: paint, shuffle, swap.

The position of a place between two columns lies between theirs, and that of one beyond the last column goes on as the
last two do: no model has seen either in training. `o` counts from the place that `e` has given the patch.

Of two words about the same place the later one counts; a layer's own word counts before that for all layers. `*1`, and
whatever else leaves things as they are, is left out of the written text. In it the words stand in the order of the
table, by layer and place.
"""

from vitviz.edits.edit import Edit, EditsError
from vitviz.edits.edits import NO_EDITS, Edits

__all__ = ["NO_EDITS", "Edit", "Edits", "EditsError"]
