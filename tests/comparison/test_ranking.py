"""How systems are ranked: which way a measure gets better, and what missing scores do."""

import json
import re

import numpy as np
import pytest

from pyramidion.cli.runtime import run
from pyramidion.collection import Collection, Measure, ScoreMatrix
from pyramidion.collection.formats.scores import write_scores
from pyramidion.comparison import compare, report
from pyramidion.errors import NotFoundError
from pyramidion.studies import systems
from rendering.figures.reading import blocks, columns, key, names
from support import GOLD

ANOVA = json.loads((GOLD / "stats" / "anova.json").read_text(encoding="utf-8"))["cases"]
RNG = np.random.default_rng(5)
#: Three systems on 12 topics: the values of x are lowest, those of z highest, by far.
FAR = RNG.normal(size=(12, 3)) * 0.01 + np.array([0.1, 0.3, 0.5])
TOPICS = [f"T{i}" for i in range(12)]


def matrix_of(measure, **options):
    return ScoreMatrix(FAR, TOPICS, list("xyz"), measure=measure, **options)


def collection_of(measure, **options):
    return Collection("year", scores=matrix_of(measure).to_scores(), **options)


@pytest.mark.parametrize(
    ("result", "order"),
    [
        (compare(matrix_of("rouge-2-r")), "zyx"),
        (compare(matrix_of("js-input")), "xyz"),
        (compare(matrix_of("js-input(stem)").to_scores()), "xyz"),
        (compare(matrix_of("mine")), "zyx"),
        (compare(matrix_of("mine"), lower_is_better="mine"), "xyz"),
        (compare(matrix_of("mine").to_scores(), lower_is_better="mine"), "xyz"),
        (compare(matrix_of("mine", lower_is_better=True)), "xyz"),
        (compare(collection_of("mine", measures={"mine": Measure(True)})), "xyz"),
        (compare(collection_of("js-input", measures={"js-input": Measure()})), "zyx"),
    ],
)
def test_the_best_system_is_first_whichever_way_the_measure_goes(result, order):
    assert [(s.system, s.rank, s.group) for s in result.systems] == [
        (name, index, letter)
        for index, (name, letter) in enumerate(zip(order, "abc", strict=True), 1)
    ]
    assert [(c.a, c.b) for c in result.comparisons] == [
        (order[a], order[b]) for a, b in ((0, 1), (0, 2), (1, 2))
    ]
    better = "lower" if order == "xyz" else "higher"
    # The difference stays that of the values; which one is better is another question.
    assert all((c.difference < 0) == (better == "lower") for c in result.comparisons)
    direction = json.loads(result.to_json())["results"][0]["direction"]
    assert direction == result.only.direction == better
    arrow = "↓" if better == "lower" else "↑"
    assert f" {arrow}: permutation" in str(result)
    assert f" {arrow}: permutation" in result.to_latex()
    assert set(result.to_frame("ranking")["better"]) == {better}
    assert all(result.only.favors(pair) == pair.a for pair in result.comparisons)


def test_pictures_follow_the_direction():
    result = compare(matrix_of("js-input"))
    scores = result.plot("scores")
    assert columns(scores, *blocks(scores)) == list("xyz")
    easiest = np.argsort(FAR.mean(axis=1))
    assert names(scores) == [TOPICS[i] for i in easiest]
    assert "significantly better" in key(result.plot("wins"))
    assert all("js-input ↓" in result.plot(kind).title for kind in result.chart_kinds)


def test_the_page_ranks_the_best_first():
    html = report(collection_of("js-input")).to_html()
    assert ">js-input ↓<" in html
    ranking = html.split("mean ↓", 1)[1]
    assert ranking.index(">x<") < ranking.index(">y<") < ranking.index(">z<")


def test_the_page_judges_metrics_in_the_direction_that_was_said():
    scores = [matrix_of(name).to_scores() for name in ("overall", "mine")]
    options = {"human": "overall", "lower_is_better": "mine", "peers": "machines"}
    judged = report(scores, **options, n_resamples=99).to_html().split("Metrics against")[-1]
    # The systems' order by both is the same, so that a metric turned round is quite wrong.
    assert "<td>mine ↓<td>-1.000" in judged
    assert "|lower:mine|peers:machines|" in judged


def test_a_direction_is_signed():
    assert "lower:js-input" in str(compare(matrix_of("js-input")).signature)
    assert "lower" not in str(compare(matrix_of("rouge-2-r")).signature)


@pytest.mark.parametrize("source", [matrix_of("mine"), matrix_of("mine").to_scores()])
def test_an_unknown_measure_of_which_lower_is_better_is_refused(source):
    with pytest.raises(NotFoundError, match="there is no measure 'other'"):
        compare(source, lower_is_better="other")


def adjusted(result):
    return {system.system: system.adjusted for system in result.systems}


@pytest.mark.parametrize("name", ["coverage_missing", "likert_matrix"])
def test_least_squares_means_are_those_of_r(name):
    # R: lm(y ~ system + input) with contr.sum, that is the mean plus the effects of systems.
    case = ANOVA[name]
    values = np.array(case["inputs"]["matrix"], dtype=float)
    names = [f"s{i}" for i in range(values.shape[1])]
    topics = [f"T{i}" for i in range(len(values))]
    result = compare(ScoreMatrix(values, topics, names, measure="m"), test="paired-t")
    out = case["outputs"]
    expected = out["mu"] + np.array(out["system_effects"])
    means = adjusted(result)
    assert [means[name] for name in names] == pytest.approx(expected.tolist(), abs=1e-12)
    order = [names[i] for i in np.argsort(-expected.round(9), kind="stable")]
    assert [system.system for system in result.systems] == order


#: A is on ten easy topics (near .7) and ten hard ones (near .2), B on the easy ones, .05 worse.
EASY = np.repeat([0.7, 0.2], 10) + np.tile(np.linspace(-0.02, 0.02, 10), 2)
WOBBLE = np.tile([0.01, -0.01], 5)


def skipping():
    values = np.column_stack([EASY, np.r_[EASY[:10] - 0.05 + WOBBLE, np.full(10, np.nan)]])
    return ScoreMatrix(values, [f"T{i}" for i in range(20)], ["A", "B"], measure="rouge-2-r")


def test_easy_topics_alone_do_not_make_a_system_the_best():
    # By hand: B is .05 below A where both are, and A's mean over all topics is .45.
    result = compare(skipping())
    first, second = result.systems
    assert (first.system, first.rank, first.n) == ("A", 1, 20)
    assert (second.system, second.rank, second.n) == ("B", 2, 10)
    assert (first.mean, second.mean) == pytest.approx((0.45, 0.65))
    assert (first.adjusted, second.adjusted) == pytest.approx((0.45, 0.4))
    assert result.pair.a == "A"
    # Of the 1,024 signs of ten differences two give so great a sum: .002, of those drawn .0027.
    assert result.pair.p_adjusted == 0.0027
    assert result.only.contradictions == ()
    assert "ranked by least-squares means" in result.notes[0]
    assert "adjusted mean ↑" in str(result)
    frame = result.to_frame("ranking")
    assert frame["mean"].tolist() == pytest.approx([0.45, 0.65])
    assert frame["adjusted"].tolist() == pytest.approx([0.45, 0.4])


def test_nothing_is_adjusted_where_nothing_is_missing():
    result = compare(matrix_of("rouge-2-r"))
    assert [s.adjusted for s in result.systems] == [s.mean for s in result.systems]
    assert result.notes == ()
    assert "adjusted mean" not in str(result)


def test_systems_without_a_chain_of_topics_are_not_ranked_against_each_other():
    values = np.full((13, 5), np.nan)
    values[:6, :2] = FAR[:6, :2]
    values[6:12, 2:4] = FAR[6:, [2, 0]]
    # The fifth system is linked to the first two by one topic of the second.
    values[5, 4] = 0.9
    matrix = ScoreMatrix(values, [*TOPICS, "T12"], list("vwxyz"), measure="m")
    result = compare(matrix, test="paired-t")
    ranks = [(s.system, s.part, s.rank) for s in result.systems]
    assert ranks == [("z", 1, 1), ("w", 1, 2), ("v", 1, 3), ("x", 2, 1), ("y", 2, 2)]
    assert (
        "2 parts that share no topic, not even through other systems: z, w, v; x, y."
        in (result.notes[-1])
    )
    assert "2 parts that share no topic" in result.only.conclusion
    assert result.to_frame("ranking")["part"].tolist() == [1, 1, 1, 2, 2]
    assert json.loads(result.to_json())["results"][0]["systems"][3]["part"] == 2


def test_a_significant_pair_against_the_ranking_is_named():
    # x is below y by .1 on eleven topics and above it by 5 on one: its mean is higher, and the
    # signed ranks favor y.
    y = np.linspace(1, 2, 12)
    x = y - 0.1 - np.arange(12) / 1000
    x[0] += 5
    result = compare(ScoreMatrix(np.column_stack([x, y]), TOPICS, ["x", "y"]), test="wilcoxon")
    assert [s.system for s in result.systems] == ["x", "y"]
    assert result.pair.p < 0.05
    assert result.only.favors(result.pair) == "y"
    assert result.only.contradictions == (result.pair,)
    assert result.only.conclusion.startswith("y beats x in ranks, though not on average (p = ")
    assert result.notes[-1] == (
        "Ranking and test disagree: x is ranked above y, which is better on the 12 topics they "
        f"share (p = .{round(result.pair.p * 1000):03d})."
    )
    assert result.to_frame("pairs")["mark"].tolist() == ["*!"]
    assert json.loads(result.to_json())["results"][0]["contradictions"] == [{"a": "x", "b": "y"}]
    turned = compare(
        ScoreMatrix(np.column_stack([x, y]), TOPICS, ["x", "y"], measure="js-input"),
        test="wilcoxon",
    )
    assert turned.only.favors(turned.pair) == "x"
    assert len(turned.only.contradictions) == 1


#: Eight systems in four groups of two: those of a group do not differ, those of two groups do.
STEPS = np.repeat([0.0, 1.0, 2.0, 3.0], 2) + np.random.default_rng(7).normal(size=(30, 8)) * 0.1


def steps(**options):
    topics = [f"T{i}" for i in range(30)]
    return compare(ScoreMatrix(STEPS, topics, list("abcdefgh"), measure="m"), **options)


def shown_rows(result):
    return [row[:2] for row in result.tables[2].rows]


def test_the_pairs_that_matter_are_shown_and_all_are_kept():
    result = steps(test="paired-t", correction="holm")
    order = [system.system for system in result.systems]
    assert result.counts.significant == 24
    # Each of the six systems above the last group, and the first one of the group below.
    first = [order[2 * (index // 2) + 2] for index in range(6)]
    assert shown_rows(result) == list(zip(order[:6], first, strict=True))
    note = "6 of 28 pairs: for each system the first below it that differs significantly."
    assert note in str(result)
    assert "--pairs all" in str(result)
    assert f"% {note}" in result.to_latex()
    assert len(result.to_frame("pairs")) == 28
    assert len(result.to_dict()["results"][0]["comparisons"]) == 28
    _, ranking, pairs = result.to_csv().split("\n\n")
    assert len(pairs.strip().splitlines()) == 29
    assert ranking.count("\n") == 8
    assert "tier" in ranking.splitlines()[0]
    assert pairs.splitlines()[0].endswith(",effect,mark")
    assert str(result.complete).count("\n") == str(steps(pairs="all", test="paired-t")).count("\n")


@pytest.mark.parametrize(("which", "rows"), [("all", 28), ("significant", 24), ("none", 0)])
def test_other_pairs_are_shown_where_they_are_asked_for(which, rows):
    result = steps(test="paired-t", correction="holm", pairs=which)
    assert len(shown_rows(result)) == rows
    assert ("Pairs by" in str(result)) == ("Pairs by" in result.to_markdown()) == bool(rows)
    assert result.to_html().count("<table") == 2 + bool(rows)
    assert len(result.to_frame("pairs")) == 28


def test_where_no_pair_differs_the_nearest_is_shown():
    values = np.random.default_rng(1).normal(size=(9, 7))
    topics = [f"T{i}" for i in range(9)]
    result = compare(ScoreMatrix(values, topics, list("abcdefg")), test="paired-t")
    assert result.counts.significant == 0
    nearest = min(result.comparisons, key=lambda pair: (pair.p_adjusted, pair.p))
    assert shown_rows(result) == [(nearest.a, nearest.b)]
    assert "1 of 21 pairs: none differs significantly; this one comes closest." in str(result)


def test_few_pairs_are_all_shown():
    assert len(shown_rows(compare(matrix_of("m")))) == 3


def test_a_page_shows_the_pairs_that_were_asked_for():
    scores = ScoreMatrix(STEPS, [f"T{i}" for i in range(30)], list("abcdefgh"), measure="m")
    pages = {
        which: report(scores.to_scores(), pairs=which, test="paired-t").to_html()
        for which in ("main", "all", "none")
    }
    assert len(pages["none"]) < len(pages["main"]) < len(pages["all"])
    assert "Pairs in numbers" in pages["main"]
    assert "Pairs in numbers" not in pages["none"]


def test_a_file_holds_every_pair(tmp_path, capsys):
    path, table = tmp_path / "pairs.tex", tmp_path / "scores.csv"
    scores = ScoreMatrix(STEPS, [f"T{i}" for i in range(30)], list("abcdefgh"), measure="m")
    write_scores(scores.to_scores(), table)
    arguments = ["compare", str(table), "--test", "paired-t", "--format", "latex"]
    assert run(arguments) == 0
    assert run([*arguments, "-o", str(path)]) == 0
    short, long = capsys.readouterr().out, path.read_text(encoding="utf-8")
    # The note that pairs are left out is not in the file, either.
    assert long.count("\n") - short.count("\n") == 28 - 6 - 1


def test_studies_of_systems_follow_the_direction():
    study = systems(collection_of("js-input"), n_resamples=100)
    assert study.to_frame("systems")["system"].tolist() == list("xyz")


def test_kruskal_ranks_by_what_it_compares():
    # x has the better mean by one score alone; ranks, by hand: x 1, 3, 5, 7, 10.
    values = np.array([[1.0, 2], [3, 4], [5, 6], [7, 8], [90, 9]])
    matrix = ScoreMatrix(values, TOPICS[:5], list("xy"), measure="m")
    assert [system.system for system in compare(matrix).systems] == ["x", "y"]
    result = compare(matrix, test="kruskal")
    ranked = [(s.system, s.rank, s.mean_rank) for s in result.systems]
    assert ranked == [("y", 1, pytest.approx(5.8)), ("x", 2, pytest.approx(5.2))]
    assert "ignores that topics are shared" in " ".join(result.notes)
    assert result.to_dict()["results"][0]["systems"][0]["mean_rank"] == pytest.approx(5.8)
    assert result.to_frame("ranking")["mean_rank"].tolist() == pytest.approx([5.8, 5.2])


@pytest.mark.parametrize("measure", ["mine", "coverage"])
def test_intervals_of_shares_stay_among_shares(measure):
    # Few topics make intervals by t wide; coverage is a percentage by its name.
    values = np.array([[0.9, 0.1], [0.2, 0.0], [1.0, 0.05]])
    result = compare(ScoreMatrix(values, TOPICS[:3], list("xy"), measure=measure))
    assert (result.systems[0].low, result.systems[0].high) == (0, 1)
    assert result.systems[1].low == 0
    assert 0.05 < result.systems[1].high <= 1
    beyond = compare(ScoreMatrix(values + 0.5, TOPICS[:3], list("xy"), measure="mine"))
    assert beyond.systems[0].high > 1.5


def test_an_interval_holds_an_adjusted_mean_beyond_the_scale():
    values = np.array([[1.0, 0.9], [0.0, np.nan], [1.0, 0.9], [0.95, np.nan]])
    result = compare(ScoreMatrix(values, TOPICS[:4], list("xy"), measure="mine"))
    assert all(s.low <= s.adjusted <= s.high for s in result.systems)
    record = result.to_dict()["results"][0]
    assert record["interval_of"] == "adjusted"


def test_the_page_shows_the_most_important_columns_of_the_ranking_first():
    head = report(matrix_of("mine")).to_html().partition("</thead>")[0].partition("<thead>")[2]
    names_in_order = re.findall("<button>(.*?)</button>", head)
    assert names_in_order[:3] == ["rank", "system", "mean ↑"]
    assert names_in_order[-4:] == ["kind", "low", "high", "n"]
