"""Content units of the demonstration by how many people chose them."""

from pyramidion.demo import load_demo
from pyramidion.pyramid import unit_classes, word_classes

pyramids = load_demo().pyramids.values()
for classes in (unit_classes(pyramids), word_classes(pyramids, stem=True)):
    fit = classes.fit()
    print(classes.granularity, classes.sizes.tolist(), round(fit.slope, 2), round(fit.exponent, 2))
    assert classes.sizes[0] == max(classes.sizes)
    assert fit.r_squared > 0.9
