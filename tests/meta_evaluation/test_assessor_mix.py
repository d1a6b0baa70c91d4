"""`meta`, `verdicts` and `gap` adjust human scores for assessors whose mix differs."""

import numpy as np

from pyramidion import Scores, meta_evaluate
from pyramidion.meta_evaluation import gap, verdicts

SEVERITY = {"K": 1.5, "L": -0.5, "M": 0.0}


def judged(seed: int, *, own: bool = False, balanced: bool = False) -> Scores:
    """Scores of 12 systems, the odd ones judged mostly by a lenient assessor."""
    rng = np.random.default_rng(seed)
    quality, rows = rng.normal(scale=0.5, size=12), []
    for topic in range(30):
        for system in range(12):
            summary = quality[system] + rng.normal(scale=0.4)
            shares = np.array([6, 1, 1] if system % 2 else [1, 1, 6]) / 8
            one = rng.choice(["K", "L", "M"], p=shares)
            for judge in "KLM" if balanced else ["KLM"[system % 3]] if own else [one]:
                mark = summary + SEVERITY[judge] + rng.normal(scale=0.3)
                rows.append((f"T{topic}", f"s{system}", judge, "quality", mark))
            metric = summary + rng.normal(scale=0.3)
            rows.append((f"T{topic}", f"s{system}", "", "metric", metric))
    *names, values = zip(*rows, strict=True)
    columns = dict(zip(("topic", "system", "assessor", "measure"), names, strict=True))
    return Scores({**columns, "kind": ["machine"] * len(rows)}, values)


def observed(scores: Scores) -> tuple[float, list[str]]:
    """Return the correlation of system means, and the notes about assessors."""
    result = meta_evaluate(scores, human="quality", metrics=["metric"], n_resamples=99)
    row = result[0].correlation("metric", level="system", coefficient="pearson")
    return row.value, [f.message for f in result.findings if f.kind.startswith("assessors differ")]


def plain(scores: Scores) -> float:
    """Return the correlation of system means without an adjustment."""
    means = []
    for measure in ("quality", "metric"):
        rows = scores.select(measure=measure)
        names = rows.columns["system"]
        means.append([rows.value[names == f"s{system}"].mean() for system in range(12)])
    return float(np.corrcoef(means)[0, 1])


def test_a_lenient_assessor_who_judged_some_systems_more_does_not_count() -> None:
    scores = judged(1)
    value, notes = observed(scores)
    assert plain(scores) < 0.8
    assert value > 0.95
    assert len(notes) == 1
    assert "means are adjusted for assessors" in notes[0]


def test_systems_without_common_assessors_are_not_adjusted_which_is_noted() -> None:
    scores = judged(2, own=True)
    value, notes = observed(scores)
    assert np.isclose(value, plain(scores))
    assert len(notes) == 1
    assert "cannot be adjusted for" in notes[0]


def test_a_balanced_design_is_not_changed() -> None:
    scores = judged(3, balanced=True)
    value, notes = observed(scores)
    assert np.isclose(value, plain(scores))
    assert not notes


def test_verdicts_and_gaps_are_adjusted_as_well() -> None:
    scores = judged(1)
    people = np.isin(scores.columns["system"].astype(str), ["s10", "s11"])
    kinds = np.where(people, "human", "machine")
    mixed, anonymous = (
        Scores({**scores.columns, "kind": kinds, "assessor": assessor}, scores.value)
        for assessor in (scores.columns["assessor"], [""] * len(scores))
    )
    adjusted, plain_verdicts = (
        verdicts(data, human="quality", metrics=["metric"], n_resamples=0)
        for data in (mixed, anonymous)
    )
    assert adjusted[0].agreement.accuracy > plain_verdicts[0].agreement.accuracy + 0.1
    above, plain_gap = (
        gap(data, human="quality", metrics=["metric"], n_resamples=99)
        for data in (mixed, anonymous)
    )
    assert above[0].correlation > plain_gap[0].correlation + 0.1
    for result in (adjusted, above):
        assert any("adjusted for assessors" in finding.message for finding in result.findings)
