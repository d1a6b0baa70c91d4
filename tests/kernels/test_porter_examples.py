"""Small examples of `pyramidion.kernels.porter`."""

from pyramidion.kernels.porter import porter_stem


def test_porter_stem():
    assert [
        porter_stem(word) for word in ("professional", "statement", "ponies", "hoping", "skies")
    ] == ["profess", "statem", "poni", "hope", "ski"]
