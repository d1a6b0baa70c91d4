"""The tables of ``verdicts``."""

from pyramidion.evaluation._verdicts.agreement import Agreement, Costs
from pyramidion.evaluation._verdicts.view import kinds_table


def test_what_never_finding_anything_is_worth_by_hand():
    # People tell 5 + 2 of 16 pairs apart, and 3 + 6 not: (7 * 1 + 9 * 0.5) / 16 = 0.71875.
    found = Agreement(((0, 0, 0), (1, 6, 2), (1, 2, 4)))
    assert (found.tp, found.fn, found.fp, found.tn) == (5, 2, 3, 6)
    table = kinds_table({"m": found}, Costs(missed=1, neither=0.5), human="pyramid")
    assert table.note.endswith("never finding anything has -0.719.")
