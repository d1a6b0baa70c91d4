"""Categories of quality, systems and inputs as factors: Tables 2.1 to 2.4."""

from math import isnan

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pyramidion.collection import Collection, Judgment, Scale, ScoreMatrix, Scores
from pyramidion.errors import InputError, NotFoundError
from pyramidion.stats import simultaneous_intervals, two_way_anova
from pyramidion.studies import quality, systems

NAN = float("nan")

#: Thesis, page 18, Table 2.3: fractions of 1,600 summaries by machines, cut to four digits.
TABLE_2_3 = {
    "Q1": (0.0775, 0.0737, 0.1512, 0.3875, 0.3100),
    "Q2": (0.0281, 0.0343, 0.0931, 0.1918, 0.6525),
    "Q3": (0.1462, 0.2187, 0.2743, 0.2018, 0.1587),
    "Q4": (0.1025, 0.1968, 0.3193, 0.2387, 0.1425),
    "Q5": (0.3006, 0.4012, 0.1768, 0.0812, 0.0400),
}

#: Thesis, page 18, Table 2.4: fractions of 311 summaries by people, cut to four digits.
TABLE_2_4 = {
    "Q1": (0.0032, 0.0000, 0.0160, 0.1446, 0.8360),
    "Q2": (0.0000, 0.0000, 0.0192, 0.0578, 0.9228),
    "Q3": (0.0000, 0.0000, 0.0096, 0.0450, 0.9453),
    "Q4": (0.0000, 0.0032, 0.0225, 0.0546, 0.9196),
    "Q5": (0.0000, 0.0096, 0.0321, 0.1350, 0.8231),
}

#: Thesis, page 15: mean coverage at 100 words, Tables 2.1 (one document) and 2.2 (several).
PEOPLE_2_1 = (0.47, 0.51, 0.46, 0.52, 0.49, 0.47, 0.54, 0.57, 0.53, 0.47)
PEOPLE_2_2 = (0.37, 0.43, 0.38, 0.28, 0.25, 0.28, 0.36, 0.31, 0.39, 0.26)
MACHINES_2_2 = (0.13, 0.24, 0.13, 0.16, 0.19, 0.12, 0.19, 0.23, 0.14, 0.20)


def judgments(rows, kind="machine", measure="Q1"):
    """Make a table of (system, value, assessor) on topic T1."""
    return Scores.from_judgments(
        Judgment("T1", system, measure, value, task="A", kind=kind, assessor=assessor)
        for system, value, assessor in rows
    )


# Quality


@pytest.mark.parametrize(
    ("table", "kind", "summaries"), [(TABLE_2_3, "machine", 1600), (TABLE_2_4, "human", 311)]
)
@pytest.mark.parametrize("question", ["Q1", "Q2", "Q3", "Q4", "Q5"])
def test_fractions_of_tables_2_3_and_2_4(table, kind, summaries, question):
    """The printed fractions are whole numbers of summaries, cut off after four digits."""
    counts = [round(fraction * summaries + 0.4) for fraction in table[question]]
    assert sum(counts) == summaries
    marks = np.repeat(np.arange(1.0, 6), counts)
    rows = [(f"S{number}", mark, "K") for number, mark in enumerate(marks)]
    [categories] = quality(judgments(rows, kind))
    cut = [np.floor(10_000 * fraction + 1e-6) / 10_000 for fraction in categories.fractions]
    assert cut == pytest.approx(table[question])
    assert (categories.kind, categories.task, categories.measure) == (kind, "A", "Q1")
    assert (categories.summaries, categories.judgments) == (summaries, summaries)


def test_what_is_below_good():
    """Thesis, page 19: 64, 62 and 88 % of machines' summaries for Q3, Q4 and Q5."""
    for question, printed in (("Q3", 64), ("Q4", 62), ("Q5", 88)):
        counts = [round(fraction * 1600 + 0.4) for fraction in TABLE_2_3[question]]
        rows = [(f"S{n}", m, "K") for n, m in enumerate(np.repeat(np.arange(1.0, 6), counts))]
        [categories] = quality(judgments(rows))
        assert round(100 * categories.below_good) == printed


@given(
    st.dictionaries(
        st.sampled_from("ABCD"),
        st.dictionaries(st.sampled_from("KLM"), st.integers(1, 5), min_size=1),
        min_size=1,
    )
)
def test_each_summary_counts_once(judged):
    rows = [(s, float(value), a) for s, by in judged.items() for a, value in by.items()]
    [categories] = quality(judgments(rows))
    expected = [
        np.mean([list(by.values()).count(mark) / len(by) for by in judged.values()])
        for mark in range(1, 6)
    ]
    assert categories.fractions == pytest.approx(expected)
    assert sum(categories.fractions) == pytest.approx(1)
    assert (categories.summaries, categories.judgments) == (len(judged), len(rows))


def test_scales_are_declared_usual_or_guessed():
    scores = Scores.concatenate(
        [
            judgments([("7", 3.0, "K")], measure="readability"),
            judgments([("7", 0.0, "K")], measure="liked"),
            judgments([("7", 4.0, "K")], measure="focus"),
            judgments([("7", 0.3, "")], measure="bleu"),
            Scores({"topic": ["T1"], "measure": ["relative-utility"], "unit": ["d/1"]}, [9]),
        ]
    )
    result = quality(Collection("c", scores=scores, scales={"liked": Scale(0, 2, 1)}))
    five = ("very poor", "poor", "barely adequate", "good", "very good")
    assert {row.measure: row.categories for row in result} == {
        "focus": five,
        "liked": ("0", "1", "2"),
        "readability": five,
    }
    assert "bleu: it is not judged in categories" in result.left_out
    by_measure = {row.measure: row for row in result}
    assert isnan(by_measure["liked"].below_good)
    assert by_measure["liked"].fractions == (1, 0, 0)
    assert by_measure["readability"].below_good == 1


def test_at_most_eleven_categories():
    scores = judgments([("7", 3.0, "K")], measure="grade")
    ten, eleven = (
        Collection("c", scores=scores, scales={"grade": Scale(0, n, 1)}) for n in (10, 11)
    )
    assert len(quality(ten)[0].categories) == 11
    with pytest.raises(NotFoundError, match="no summary is judged in categories"):
        quality(eleven)


def test_bad_judgments_are_errors():
    scores = judgments([("7", 4.5, "K")])
    declared = Collection("c", scores=scores, scales={"Q1": Scale(1, 5, 1)})
    with pytest.raises(InputError, match=r"Q1 has the value 4\.5, which is not one of its categ"):
        quality(declared)
    with pytest.raises(InputError, match="Q1 is not judged in categories"):
        quality(scores, measures="Q1")
    with pytest.raises(NotFoundError, match="there is no measure 'Q9'"):
        quality(scores, measures="Q9")
    with pytest.raises(NotFoundError, match="no summary is judged in categories"):
        quality(scores)


# Systems and inputs


def matrix(values, human=None):
    values = np.asarray(values, dtype=float)
    topics = [f"T{row}" for row in range(values.shape[0])]
    systems = [f"S{column}" for column in range(values.shape[1])]
    return ScoreMatrix(values, topics, systems, human, measure="coverage")


@pytest.mark.parametrize(("means", "printed"), [(PEOPLE_2_1, 0.503), (PEOPLE_2_2, 0.331)])
def test_the_mean_of_peoples_means(means, printed):
    """Thesis, page 16: 0.503 for one document, 0.331 for several; topics spread round the mean."""
    away = np.array([[-0.02], [0.02]])
    everybody = np.concatenate([means, MACHINES_2_2])
    scores = matrix(everybody + away * np.linspace(1, 2, 20), [True] * 10 + [False] * 10)
    [study] = systems(scores, n_resamples=100)
    assert study.mean_of(human=True) == pytest.approx(printed, abs=0.0005)
    assert study.mean_of(human=False) == pytest.approx(np.mean(MACHINES_2_2))


def test_the_study_is_the_anova_and_the_simulated_intervals():
    rng = np.random.default_rng(3)
    values = rng.normal(size=(12, 5)) + np.arange(5) + rng.normal(size=(12, 1))
    values[2, 1] = values[5, 0] = np.nan
    [study] = systems(matrix(values), n_resamples=2000, seed=4, confidence_level=0.9)
    fit = two_way_anova(values)
    assert (study.anova.first.f, study.anova.second.p) == (fit.first.f, fit.second.p)
    same = simultaneous_intervals(
        values, method="simulate", draws=2000, rng=4, confidence_level=0.9
    )
    assert study.comparisons.low.tolist() == same.low.tolist()
    assert study.comparisons.draws == 2000


def test_a_complete_layout_is_simulated_too():
    """The simulated critical value agrees with Tukey's exact one."""
    values = np.random.default_rng(3).normal(size=(10, 4))
    [study] = systems(matrix(values))
    exact = simultaneous_intervals(values, method="tukey")
    assert study.comparisons.draws == 100_000
    error = 4 * study.comparisons.monte_carlo_error
    assert study.comparisons.critical == pytest.approx(exact.critical, abs=error)


def test_blocks_share_no_topic():
    """Two systems have T0, T2 and T5, two others T1 and T3, linked by T4 to a third."""
    values = [
        [1, NAN, 2, NAN, NAN, NAN],
        [NAN, 3, NAN, 4, NAN, NAN],
        [2, NAN, 1, NAN, NAN, NAN],
        [NAN, 2, NAN, 1, 5, NAN],
        [NAN, NAN, NAN, 2, 1, NAN],
        [3, NAN, 1, NAN, NAN, NAN],
        [NAN] * 6,
    ]
    first, second = systems(matrix(values), n_resamples=100)
    assert (first.block, first.matrix.systems) == (1, ("S1", "S3", "S4"))
    assert (second.block, second.matrix.systems) == (2, ("S0", "S2"))
    assert [study.matrix.topics for study in (first, second)] == [
        ("T1", "T3", "T4"),
        ("T0", "T2", "T5"),
    ]
    whole = systems(matrix(values), baseline="S0", n_resamples=100)
    assert whole.charts[0].left_out[0].startswith("the figure: all analyses but coverage, S0, S2;")


@given(st.integers(0, 10**6))
def test_every_system_is_in_one_block_or_left_out(seed):
    rng = np.random.default_rng(seed)
    values = np.where(rng.random((5, 6)) < 0.4, rng.random((5, 6)), np.nan)
    # One block that can be analyzed in any case.
    values[:2, :2] = [[1, 2], [2, 5]]
    result = systems(matrix(values), n_resamples=100)
    named = [name for study in result for name in study.matrix.systems]
    assert len(named) == len(set(named))
    topics = [name for study in result for name in study.matrix.topics]
    assert len(topics) == len(set(topics))
    lines = " ".join(result.left_out)
    scored = [f"S{column}" for column in range(6) if not np.isnan(values[:, column]).all()]
    assert all(name in named or name in lines for name in scored)


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        ([[1, 2]], "2 systems and 1 topic, two of each are needed"),
        ([[1], [2]], "1 system and 2 topics, two of each are needed"),
        ([[1, 2], [3, NAN]], "too few scores to estimate the residual variance"),
        ([[3, 3], [3, 3]], "all scores are equal"),
    ],
)
def test_scores_that_cannot_be_analyzed(values, reason):
    with pytest.raises(InputError, match="two systems that share two topics") as error:
        systems(matrix(values))
    assert reason in str(error.value)
