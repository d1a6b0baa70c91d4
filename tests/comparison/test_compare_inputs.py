"""`compare` takes whatever people have, and gives something they can hold."""

import json
from dataclasses import replace

import numpy as np
import pandas as pd
import polars as pl
import pytest

import pyramidion
from collection.refusals import refusal
from pyramidion import Collection, ScoreMatrix, Scores, compare, score
from pyramidion.collection import Measure, Scale
from pyramidion.collection.formats.scores import write_scores
from pyramidion.comparison import Comparisons
from pyramidion.demo import load_demo
from pyramidion.errors import InputError, ShapeError

RNG = np.random.default_rng(7)
TOPICS = [f"T{number}" for number in range(1, 10)]
SYSTEMS = ["7", "8", "9"]
VALUES = RNG.normal(size=(9, 3)).round(3) + np.array([0, 0.1, 1.5])
MATRIX = ScoreMatrix(VALUES, TOPICS, SYSTEMS, measure="score")
LONG = {
    "topic": [topic for topic in TOPICS for _ in SYSTEMS],
    "system": SYSTEMS * len(TOPICS),
    "value": VALUES.ravel().tolist(),
}
WIDE = {system: VALUES[:, column].tolist() for column, system in enumerate(SYSTEMS)}


def path_of(folder, scores):
    write_scores(scores, folder / "scores.csv")
    return folder / "scores.csv"


def saved(folder):
    Collection("mine", scores=MATRIX.to_scores()).save(folder / "mine")
    return folder / "mine"


SOURCES = {
    "matrix": lambda folder: MATRIX,
    "scores": lambda folder: MATRIX.to_scores(),
    "collection": lambda folder: Collection("mine", scores=MATRIX.to_scores()),
    "path": lambda folder: path_of(folder, MATRIX.to_scores()),
    "text of a path": lambda folder: str(path_of(folder, MATRIX.to_scores())),
    "saved collection": saved,
    "pandas, long": lambda folder: pd.DataFrame({**LONG, "measure": "score"}),
    "pandas, no measure": lambda folder: pd.DataFrame(LONG),
    "pandas, a column a measure": lambda folder: pd.DataFrame(LONG).rename(
        columns={"value": "score"}
    ),
    "pandas, a column a system": lambda folder: pd.DataFrame({"topic": TOPICS, **WIDE}),
    "pandas, topics as index": lambda folder: pd.DataFrame(
        WIDE, index=pd.Index(TOPICS, name="topic")
    ),
    "pandas, pivoted": lambda folder: pd.DataFrame(LONG).pivot(
        index="topic", columns="system", values="value"
    ),
    "pandas, systems without topics": lambda folder: pd.DataFrame(WIDE),
    "pandas, systems as numbers": lambda folder: pd.DataFrame(VALUES, columns=[7, 8, 9]),
    "polars, long": lambda folder: pl.DataFrame(LONG).with_columns(measure=pl.lit("score")),
    "polars, no measure": lambda folder: pl.DataFrame(LONG),
    "polars, a column a measure": lambda folder: pl.DataFrame(LONG).rename({"value": "score"}),
    "polars, a column a system": lambda folder: pl.DataFrame({"topic": TOPICS, **WIDE}),
}


@pytest.mark.parametrize("name", SOURCES)
def test_the_same_scores_give_the_same_answer(name, tmp_path):
    # With 9 topics all signs are tried, so that neither the seed nor the order matters.
    expected, result = compare(MATRIX), compare(SOURCES[name](tmp_path))
    assert isinstance(result, Comparisons)
    assert [(s.system, s.group, s.rank, s.n) for s in result.systems] == [
        (s.system, s.group, s.rank, s.n) for s in expected.systems
    ]
    for pair, other in zip(result.comparisons, expected.comparisons, strict=True):
        assert (pair.a, pair.b, pair.n) == (other.a, other.b, other.n)
        assert pair.difference == pytest.approx(other.difference)
        assert pair.p == pytest.approx(other.p)
        assert pair.p_adjusted == pytest.approx(other.p_adjusted)
    assert result.left_out == ()


def test_a_matrix_is_compared_as_it_is():
    values = RNG.normal(size=(30, 3))
    topics = [f"T{number}" for number in range(30)]
    matrix = ScoreMatrix(values, topics[::-1], ["z", "y", "x"], measure="m", task="A")
    result = compare(matrix, n_resamples=999)
    assert result.matrices[0] is matrix
    assert (result.only.measure, result.only.task) == ("m", "A")
    assert compare(matrix, measures="m", tasks="A", n_resamples=999).only == result.only


def test_a_matrix_without_a_measure():
    result = compare(ScoreMatrix(VALUES, TOPICS, SYSTEMS))
    assert "Ranking by score ↑: permutation" in str(result)
    assert result.only.measure == ""


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"measures": "rouge"}, "the matrix has no measure 'rouge'; available: score"),
        ({"tasks": "A"}, "the matrix has no task 'A'; give a table of scores"),
        ({"assessor": "K"}, "the matrix has no assessor 'K'; give a table of scores"),
    ],
)
def test_a_matrix_has_no_more_than_it_has(options, message):
    with pytest.raises(InputError, match=message):
        compare(MATRIX, **options)


@pytest.mark.parametrize("kind", [list, tuple, np.array, pd.Series, pl.Series])
@pytest.mark.parametrize("test", ["permutation", "paired-t", "wilcoxon"])
def test_two_lists_of_scores(kind, test):
    first, second = VALUES[:, 0].tolist(), VALUES[:, 2].tolist()
    result = compare(kind(first), kind(second), test=test)
    [pair] = compare(
        ScoreMatrix(VALUES[:, [0, 2]], TOPICS, ["A", "B"]), test=test, correction="none"
    ).comparisons
    assert {result.pair.a, result.pair.b} == {"A", "B"}
    assert result.p == result.pair.p_adjusted == pytest.approx(pair.p)
    # First less second, whichever is better.
    assert result.difference == pytest.approx(np.mean(first) - np.mean(second))
    assert result.difference < 0
    low, high = result.interval
    assert low < result.difference < high < 0
    assert f"A − B: {result.difference:.4f} on average, 95% interval {low:.4f}" in str(result)


def test_two_lists_with_the_other_as_the_baseline():
    result = compare([1, 2, 4], [3, 3, 5], baseline="A")
    assert (result.pair.a, result.pair.b) == ("B", "A")
    assert result.difference == pytest.approx(4 / 3)


def test_the_interval_has_the_level_that_was_asked_for():
    narrow, wide = (
        compare(VALUES[:, 0], VALUES[:, 2], alpha=alpha).interval for alpha in (0.5, 0.01)
    )
    assert wide[0] < narrow[0] < narrow[1] < wide[1]


def test_names_of_series():
    frame = pd.DataFrame(WIDE)
    assert {s.system for s in compare(frame["7"], frame["9"]).systems} == {"7", "9"}
    assert {s.system for s in compare(frame["7"], frame["7"]).systems} == {"A", "B"}
    named = compare(pl.Series("old", [1, 2, 3]), pl.Series("new", [2, 2, 5]))
    assert (named.pair.a, named.pair.b) == ("old", "new")


def test_topics_that_lack_a_score_are_counted():
    result = compare([1, 2, np.nan, 4, 3], [2, 2, 3, None, 5])
    assert result.pair.n == 3
    assert result.left_out == ("2 of 5 topics, which lack a score of one or both systems",)
    assert {system.n for system in result.systems} == {3}


@pytest.mark.parametrize(
    ("arguments", "kind", "message"),
    [
        (([1, 2], [1, 2, 3]), ShapeError, "there are 2 scores of one system and 3 of the other"),
        (([1, "good"], [1, 2]), InputError, "a list is not a list of numbers"),
        ((VALUES, VALUES), ShapeError, r"scores of a system have shape \(9, 3\)"),
        (([1, np.inf, 3], [1, 2, 3]), InputError, "a score is infinite"),
        (([1, np.nan], [1, 2]), InputError, "1 topic with scores of both systems; at least two"),
        (([], []), InputError, "0 topics with scores of both systems"),
        (("scores.csv", [1, 2]), InputError, "a str is not a list of numbers"),
        (([1, 2, 3],), InputError, "a single list cannot be compared; give a data frame"),
        ((VALUES,), InputError, "a single ndarray cannot be compared"),
        ((pd.Series([1, 2]),), InputError, "a single Series cannot be compared"),
        ((pd.DataFrame({"who": ["x"]}),), InputError, "no column of summaries or scores"),
        ((pl.DataFrame(LONG).lazy(),), InputError, "collected if it is lazy"),
        (("nowhere.csv",), InputError, "nowhere.csv: there is no such file or folder"),
        ((Scores({}, []),), InputError, "there are no scores in it"),
        (
            (pd.Series([1, 2, 3], index=list("abc")), pd.Series([1, 2, 4], index=list("bca"))),
            InputError,
            "the two Series have the same topics in another order; sort both by topic first",
        ),
    ],
)
def test_wrong_input_is_one_line(arguments, kind, message):
    with pytest.raises(kind, match=message) as refused:
        compare(*arguments)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("wrong", "suggestion"),
    [
        ("tset", "; did you mean test?"),
        ("tests", "; did you mean test?"),
        ("resamples", "; did you mean n_resamples?"),  # as the command line calls it
        ("zzz", ""),
    ],
)
def test_unknown_options_are_named(wrong, suggestion):
    with pytest.raises(TypeError) as refused:
        compare(MATRIX, **{wrong: "wilcoxon"})
    unexpected = f"compare() got an unexpected keyword argument '{wrong}'"
    assert str(refused.value) == unexpected + suggestion


@pytest.fixture(scope="module")
def several():
    both = [
        ScoreMatrix(VALUES + number, TOPICS, SYSTEMS, measure=measure).to_scores()
        for number, measure in enumerate(("readability", "rouge-2-f"))
    ]
    return compare(Scores.concatenate(both), test="paired-t,wilcoxon", correction="holm")


def test_several_comparisons_are_a_sequence(several):
    assert [(result.measure, result.test) for result in several] == [
        (measure, test)
        for measure in ("readability", "rouge-2-f")
        for test in ("paired-t", "wilcoxon")
    ]
    assert several[1].test == "wilcoxon"
    assert len(several) == 4
    assert compare(MATRIX.to_scores(), measures="score")[0].counts.pairs == 3


@pytest.mark.parametrize("name", ["only", "systems", "comparisons", "counts", "notes", "p"])
def test_which_of_several_must_be_said(several, name):
    with pytest.raises(InputError) as refused:
        getattr(several, name)
    assert str(refused.value) == (
        "there are 4 comparisons; select one, such as result[0]: readability ↑: "
        "paired-t; readability ↑: wilcoxon; rouge-2-f ↑: paired-t; rouge-2-f ↑: wilcoxon"
    )


def test_which_of_several_pairs_must_be_said():
    with pytest.raises(InputError, match=r"there are 3 pairs; see result\.comparisons"):
        _ = compare(MATRIX).p


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_frames_of_the_answer(several, library):
    assert several.table_names == ("counts", "ranking", "pairs")
    pairs = several.to_frame("pairs", library=library)
    assert list(pairs.columns) == [
        "task", "measure", "test", "better", "a", "b", "n", "difference", "low", "high",
        "statistic", "p", "p_adjusted", "effect", "mark",
    ]  # fmt: skip
    assert pairs.shape == (12, 15)
    assert pairs["p"].to_list() == [pair.p for result in several for pair in result.comparisons]
    ranking = several.to_frame("ranking", library=library)
    assert ranking["system"].to_list() == [s.system for result in several for s in result.systems]
    assert several.to_frame("counts", library=library)["significant"].to_list() == [
        result.counts.significant for result in several
    ]
    with pytest.raises(InputError, match="there is no table 'pair'; available: counts, ranking"):
        several.to_frame("pair")


def test_forms_of_the_answer(several):
    content = several.to_dict()
    assert [record["measure"] for record in content["results"]] == [
        record.measure for record in several
    ]
    assert json.loads(several.to_json()) == content
    assert "task,measure,test,better,pairs,significant,uncorrected\n" in several.to_csv()
    assert several.to_latex().startswith(f"% {several.signature}\n")
    assert several.to_latex().count(r"\begin{tabular}") == 9
    assert several.to_html().count("<table") == 9
    assert "Ranking by readability ↑: paired-t" in several._repr_html_()
    assert "and 5 more tables" in several._repr_html_()
    assert "1 more table;" in replace(several, tables=[*several.tables][:5])._repr_html_()
    assert "more table" not in replace(several, tables=[*several.tables][:4])._repr_html_()
    assert str(several).endswith(str(several.signature))
    for title in ("Significant differences between systems", "Ranking by", "Pairs by"):
        assert title in str(several)


def test_what_a_prompt_shows_is_short():
    many = compare(wide_matrix(40), test="paired-t", pairs="all")
    assert len(many.comparisons) == 780
    assert len(str(many).splitlines()) > 780
    assert len(repr(many).splitlines()) < 100
    assert "... and 750 more rows" in repr(many)
    assert many._repr_html_().count("<tr>") < 100


def wide_matrix(systems):
    values = RNG.normal(size=(6, systems))
    return ScoreMatrix(values, TOPICS[:6], [str(number) for number in range(systems)], measure="m")


def test_pictures_of_the_answer(several):
    assert several.chart_kinds == ("ranking", "pairs", "differences", "wins", "scores", "topics")
    assert several.plot().title == "Ranking: readability ↑"
    assert several.plot("ranking", 2).title == "Ranking: rouge-2-f ↑"
    for kind in several.chart_kinds:
        assert several.plot(kind).marks
    with pytest.raises(InputError, match="there is no chart 'bars'; available: ranking, pairs"):
        several.plot("bars")


def test_two_lists_can_be_drawn():
    result = compare(VALUES[:, 0], VALUES[:, 2])
    for kind in result.chart_kinds:
        assert result.plot(kind).marks


def test_power_takes_the_same_things(tmp_path):
    plans = [
        pyramidion.power(SOURCES[name](tmp_path))[0]
        for name in ("matrix", "pandas, long", "pandas, a column a system", "polars, long")
    ]
    assert len({tuple(plan.topics.values()) for plan in plans}) == 1
    assert plans[0].plan.testing.test == "permutation"
    first = plans[0].pairs[0]
    # The better one stands first.
    assert (first.a, first.b, first.n) == ("9", "8", 9)
    assert first.difference == pytest.approx(VALUES[:, 2].mean() - VALUES[:, 1].mean())
    assert first.difference > 0
    result = pyramidion.power(MATRIX, max_topics=50)
    assert result.to_frame("pairs", library="pandas")["topics_needed"].tolist() == [
        "over 50" if pair.topics > 50 else str(int(pair.topics)) for pair in result[0].pairs
    ]
    assert result.not_drawn == ("power curve of score: it needs people, machines and few values",)
    assert result.chart_kinds == ()


def test_a_page_of_anything(tmp_path):
    page = pyramidion.comparison.report(pd.DataFrame(WIDE), title="Mine", test="paired-t")
    assert repr(page) == "<HtmlPage 'Mine': 3 sections>"
    html = page.save(tmp_path / "mine.html").read_text(encoding="utf-8")
    assert html == page.to_html()
    assert "<h1>Mine</h1>" in html
    assert html.count("<figure>") == 3


def test_rows_that_repeat_a_score_are_refused():
    frame = pd.DataFrame({"topic": [1, 2] * 2, "system": list("aabb"), "m": [1, 2, 3, 4]})
    message = refusal(InputError, compare, pd.concat([frame, frame]))
    hint = "remove repeated rows, or, if they are of different topics, use complete ids"
    assert message == f"rows 1 and 5 are the same; {hint}"
    other = frame.assign(m=[9, 2, 3, 4])
    message = refusal(InputError, compare, pd.concat([frame, other[:1]]))
    assert message.startswith("two scores (1 and 9) of m for system a, topic 1")


def test_scores_of_a_result_can_be_compared():
    scored = score(load_demo(), metrics="rouge-2-r")
    assert compare(scored, tasks="A").only.measure == "rouge-2-r"


def test_none_and_arrays_as_options():
    frame = pd.DataFrame({"x": [1, 2, 1, 2, 1, 3, 2.5], "y": [2, 1, 2, 2, 1, 2, 3.5]})
    assert "seed is None" in refusal(InputError, compare, frame, seed=None)
    for names in (np.array(["score"]), {"score"}, (name for name in ["score"])):
        assert compare(frame, measures=names).only.measure == "score"


def test_an_attribute_of_one_comparison_is_not_there_for_several():
    frame = pd.DataFrame(
        {"topic": [1, 2] * 2, "system": list("aabb"), "m": [1, 2, 3, 4.5], "n": [1, 2, 3, 5.5]}
    )
    assert not hasattr(compare(frame), "systems")
    assert hasattr(compare(frame, measures="m"), "systems")


@pytest.mark.parametrize("more", [{}, {"exclude": ["9"]}])
def test_intervals_lie_on_the_scale_that_a_collection_declares(tmp_path, more):
    values = np.column_stack([np.full(9, 0.75), np.linspace(0.5, 3.25, 9), np.linspace(1, 2, 9)])
    matrix = ScoreMatrix(values, TOPICS, SYSTEMS, measure="mine")
    plain = Collection("year", scores=matrix.to_scores())
    plain.save(tmp_path / "plain")
    replace(plain, measures={"mine": Measure(scale=Scale(0, 4))}).save(tmp_path / "declared")
    rows = {}
    for name in ("plain", "declared"):
        result = compare(tmp_path / name, **more)
        rows[name] = next(system for system in result.systems if system.system == "7")
    # Nothing is known of how a constant score varies, unless by its scale.
    assert np.isnan(rows["plain"].low)
    assert 0 <= rows["declared"].low < 0.75 < rows["declared"].high < 4
