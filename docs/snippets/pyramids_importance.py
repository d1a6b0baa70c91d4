"""Count the content units of the demonstration by how many people chose them."""

from pyramidion.demo import load_demo
from pyramidion.studies import importance

units, words, sentences = importance(load_demo(), stem=True)
for one in (units, words):
    fit, sizes = one.classes.fit(), one.classes.sizes
    print(one.classes.granularity, sizes.tolist(), round(fit.slope, 2), round(fit.exponent, 2))
    assert sizes[0] == max(sizes)
    assert fit.r_squared > 0.9
assert sentences.classes.sizes.sum() == 34
