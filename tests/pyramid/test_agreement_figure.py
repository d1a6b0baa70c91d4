"""The figure of agreement: the band around equal scores has no edge."""

import numpy as np

from pyramid.reliability_samples import peer_of, pyramid_of, random_membership
from pyramidion.collection import Collection
from pyramidion.pyramid import agreement


def test_the_band_is_a_surface_and_the_scale_reaches_a_little_beyond_the_scores():
    pyramid = pyramid_of(random_membership(np.random.default_rng(1), 20, 4))
    anna, bert = (
        Collection(name, peer_annotations={
            ("", f"T{topic}", "7"): peer_of(pyramid, range(topic + more)) for topic in range(1, 4)
        })
        for name, more in (("anna", 0), ("bert", 1))
    )  # fmt: skip
    axes = agreement(anna, bert).plot().axes[0]
    [band, *_] = axes.collections
    assert band.get_linewidth().tolist() == [0.0]
    x, y = band.get_paths()[0].vertices.T
    distances = np.unique(np.round(y - x, 9))
    assert len(distances) == 2, "below and above"
    assert distances[1] == -distances[0] > 0
    assert axes.get_xlim() == axes.get_ylim() == (-0.03, 1.03)
