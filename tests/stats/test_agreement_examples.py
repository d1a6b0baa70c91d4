"""Small examples of `pyramidion.stats._agreement`."""

from pyramidion.stats._agreement import cohen_kappa, krippendorff_alpha


def test_agreement():
    assert (
        repr(cohen_kappa(["a", "a"], ["a", "a"]))
        == "ChanceAgreement(value=1.0, observed=1.0, expected=1.0, n=2, unanimous=True)"
    )


def test_alpha():
    assert krippendorff_alpha([[4, 4], [4, 4]], level="interval").unanimous
