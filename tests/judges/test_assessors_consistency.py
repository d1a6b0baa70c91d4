"""Identical summaries, and how alike assessors judge them."""

import json
import re
from collections import Counter
from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judges.assessor_samples import judged, of, renamed, study, tac_year
from pyramidion.collection import Collection, Judgment, Measure, Scale, Scores, Summary, Topic
from pyramidion.demo import load_demo
from pyramidion.errors import InputError, NotFoundError
from pyramidion.judges import assessors
from pyramidion.stats import krippendorff_alpha
from support import GOLD, shared_collection

KRIPPENDORFF = json.loads((GOLD / "stats" / "krippendorff.json").read_text())["cases"]


# Identical summaries


def identical_pairs(texts):
    """The identical summaries that `assessors` finds, for judgments of anything."""
    topics = sorted({"T1", *(text.topic for text in texts)})
    rows = [(topic, "x", "K", 4) for topic in topics]
    return study(judged(rows, summaries=texts)).panel.pairs.get("2011", [])


def test_three_identical_summaries_give_three_pairs():
    texts = [Summary("T1", s, "Rain, again & again.") for s in ("10", "9", "B")]
    texts.append(Summary("T1", "11", "Rain again."))
    pairs = identical_pairs(texts)
    assert [(p.first, p.second) for p in pairs] == [("9", "10"), ("9", "B"), ("10", "B")]


@pytest.mark.parametrize(
    ("first", "second", "alike"),
    [
        ("Rain fell.", "RAIN   fell", True),
        ("U.S. rain", "u s rain", True),
        ("rain fell", "fell rain", False),
        ("100,000 people", "100 000 people", True),
        ("naïve", "na ve", True),
        ("It's 1.5 km; É!", "it s 1 5 km", True),
        ("rain", "rains", False),
        ("...", "!?", False),
        ("", "", False),
    ],
)
def test_what_is_identical(first, second, alike):
    pairs = identical_pairs([Summary("T1", "7", first), Summary("T1", "8", second)])
    assert bool(pairs) == alike


def test_other_topics_tasks_and_references_do_not_pair():
    texts = [
        Summary("T1", "7", "Rain."),
        Summary("T2", "8", "Rain."),
        Summary("T1", "9", "Rain.", task="B"),
        Summary("T1", "ref1", "Rain.", kind="human", role="reference"),
    ]
    assert identical_pairs(texts) == []
    assert len(identical_pairs([*texts, Summary("T1", "A", "rain", kind="human")])) == 1


WORDS = st.lists(st.sampled_from(["Rain", "rain.", "fell", "", "—", "7"]), max_size=4)


@given(st.lists(st.tuples(st.sampled_from("TU"), st.sampled_from(["", "A"]), WORDS), max_size=8))
@settings(max_examples=30, deadline=None)
def test_pairs_are_those_of_a_plain_loop(drawn_texts):
    texts = [
        Summary(topic, str(number), " ".join(words), task=task)
        for number, (topic, task, words) in enumerate(drawn_texts)
    ]

    def tokens(text):
        return re.findall("[a-z0-9]+", text.plain.lower())

    expected = {
        (a.task, a.topic, a.system, b.system)
        for a, b in combinations(texts, 2)
        if (a.task, a.topic) == (b.task, b.topic) and tokens(a) == tokens(b) and tokens(a)
    }
    pairs = identical_pairs(texts[::-1])
    assert {(p.task, p.topic, p.first, p.second) for p in pairs} == expected
    assert len(pairs) == len(expected)


# Who judged what


def test_a_judgment_names_its_assessor_or_its_topic_does():
    rows = [
        Judgment("T1", "7", "readability", 4.0),
        Judgment("T1", "7", "responsiveness", 4.0, assessor="L"),
        Judgment("T2", "7", "readability", 4.0),
        Judgment("T1", "7", "rouge-2-r", 0.1),
        Judgment("T1", "7", "pyramid-modified", 0.1),
    ]
    results = study(judged(rows, topics=[Topic("T1", assessor="K"), Topic("T2")]))
    panel = results.panel
    assert {(j.measure, j.assessor) for j in panel.judgments} == {
        ("readability", "K"),
        ("responsiveness", "L"),
        ("pyramid-modified", "K"),
    }
    assert panel.metrics.measures == ("rouge-2-r",)
    assert panel.metrics.distinct("assessor") == ("",)
    assert "2011, readability: 1 judgments whose assessor is not known" in results.left_out


def test_named_measures_are_judgments_whatever_they_are_called():
    rows = [Judgment("T1", "7", "charm", 4.0), Judgment("T1", "7", "readability", 4.0)]
    year = judged(rows, topics=[Topic("T1", assessor="K")])
    assert study(year, measures="charm").panel.measures == ("charm",)


def test_a_collection_says_what_is_judged():
    scores = Scores.from_judgments(
        Judgment("T1", "7", measure, 4.0) for measure in ("liked", "length", "focus", "fit")
    )
    declared = {"liked": Measure(human=True), "length": Measure(), "focus": Measure()}
    year = Collection(
        "x",
        topics=(Topic("T1", assessor="K"),),
        scores=scores,
        scales={"length": Scale(0, 9), "fit": Scale(0, 9)},
        measures=declared,
    )
    panel = study(year).panel
    assert set(panel.measures) == {"liked", "fit"}
    assert set(panel.metrics.measures) == {"length", "focus"}


def test_years_are_distinguished_by_the_column_or_the_name():
    rows = [
        Judgment("T1", "7", "readability", 4.0, assessor="K", collection="2010"),
        Judgment("T2", "7", "readability", 4.0, assessor="K", collection="2011"),
        Judgment("T1", "7", "rouge-2-r", 4.0),
        Judgment("T3", "7", "readability", 4.0, assessor="K"),
    ]
    texts = [Summary("T1", "7", "Rain."), Summary("T1", "8", "Rain."), Summary("T9", "8", "Rain.")]
    panel = study(judged(rows, summaries=texts, name="mine")).panel
    assert panel.collections == ("2010", "2011", "mine")
    assert panel.metrics.distinct("collection") == ("2010",)
    assert {year: len(pairs) for year, pairs in panel.pairs.items()} == {"2010": 1}
    assert panel.compared == {"2010": 2, "mine": 1}


def test_nobody_judged():
    with pytest.raises(InputError, match="no judgments with an assessor in 2011; fill in the"):
        study(judged([Judgment("T1", "7", "readability", 4.0)]))


def test_years_of_one_name():
    years = [judged([("T1", "7", "K", value)]) for value in (4, 5)]
    with pytest.raises(InputError, match="2 collections are called '2011'"):
        study(*years)
    # Sources that agree are one year.
    assert study(years[0], years[0]).panel.collections == ("2011",)


@pytest.mark.parametrize("options", [{"measures": "charm"}, {"task": "C"}])
def test_unknown_measure_or_task(options):
    with pytest.raises(NotFoundError, match="there is no"):
        study(judged([("T1", "7", "K", 4)]), **options)


# Levels


@pytest.mark.parametrize(
    ("values", "scale", "level", "listed"),
    [
        ([4], Scale(1, 5, 1), "ordinal", (1, 2, 3, 4, 5)),
        ([0.25], Scale(0, 1), "interval", (0.25,)),
        ([2, 5], None, "ordinal", (2, 3, 4, 5)),
        ([0.5, 1], None, "interval", (0.5, 1)),
        ([0, 1e12], None, "ordinal", (0, 1e12)),
        ([4.5, 1], Scale(1, 5, 1), "ordinal", (1, 4.5)),
        (list(range(40)), None, "interval", ()),
    ],
)
def test_the_level_goes_by_the_scale(values, scale, level, listed):
    rows = [
        Judgment("T1", str(n), "charm", float(value), assessor="K")
        for n, value in enumerate(values)
    ]
    year = judged(rows, scales={"charm": scale} if scale else None)
    chosen = of(study(year).consistency, measure="charm").level
    assert (chosen.level, chosen.values) == (level, listed)
    assert chosen.reason
    ratio = of(study(year, level="ratio").consistency, measure="charm").level
    assert (ratio.level, ratio.reason) == ("ratio", "requested")


def test_unknown_level():
    with pytest.raises(InputError, match="level is 'likert'; choose one of nominal"):
        assessors(load_demo(), level="likert")


# Consistency


def consistency(*years, **options):
    """The consistency of each assessor, and of all together, year by year."""
    return study(*years, **options).consistency


def by_assessor(rows, **fields):
    return {
        row.assessor: row
        for row in rows
        if all(getattr(row, name) == value for name, value in fields.items())
    }


def paired(first, second, topics):
    """A year in which an assessor gave two values to each of several summaries."""
    pairs = zip(first, second, topics, strict=True)
    row = Judgment("", "", "charm", 0.0, assessor="K")
    return judged([
        replace(row, topic=topic, system=f"s{n}", value=float(value), occasion=str(occasion))
        for n, (*values, topic) in enumerate(pairs)
        for occasion, value in enumerate(values, start=1)
    ])  # fmt: skip


def test_consistency_by_hand():
    texts = [Summary(t, s, "Rain.") for t in ("T1", "T2") for s in "789"]
    rows = [
        *(("T1", s, "K", value) for s, value in zip("789", (3, 3, 5), strict=True)),
        *(("T2", s, "K", value) for s, value in zip("789", (1, 1, 1), strict=True)),
        ("T1", "7", "L", 2),
    ]
    rows_by_name = by_assessor(consistency(judged(rows, summaries=texts)))
    row = rows_by_name["K"]
    assert (row.pairs, row.repeated, row.level.level) == (6, 0, "ordinal")
    pairs = [[3, 3, 3, 1, 1, 1], [3, 5, 5, 1, 1, 1]]
    assert row.alpha.value == pytest.approx(krippendorff_alpha(pairs, level="ordinal").value)
    assert row.mean_difference == pytest.approx(4 / 6)
    assert row.equal == pytest.approx(4 / 6)
    assert np.isnan(row.mean_signed_difference)
    assert row.table.counts.tolist() == [
        [3, 0, 0, 0, 0],
        [0, 0, 0, 0, 0],
        [0, 0, 1, 0, 2],
        [0, 0, 0, 0, 0],
        [0, 0, 0, 0, 0],
    ]
    assert (rows_by_name["L"].pairs, rows_by_name["L"].alpha.undefined) == (0, "no pairs")
    assert rows_by_name[None].pairs == 6


@pytest.mark.parametrize("name", ["self_pairs", "pyr_pairs"])
def test_gold_alpha_of_pairs(name):
    case = KRIPPENDORFF[name]
    first, second = case["inputs"]["coders_by_units"]
    texts = [Summary(f"T{n}", s, "Rain.") for n in range(len(first)) for s in "78"]
    rows = [
        (f"T{n}", system, "K", value)
        for n, values in enumerate(zip(first, second, strict=True))
        for system, value in zip("78", values, strict=True)
    ]
    year = judged(rows, summaries=texts)
    for level, expected in case["outputs"].items():
        (row,) = consistency(year, level=level)
        assert row.pairs == len(first)
        assert row.alpha.value == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("level", ["nominal", "ordinal", "interval", "ratio"])
def test_intervals_are_those_of_topics_drawn_one_by_one(level):
    rng = np.random.default_rng(5)
    pairs = np.sort(rng.integers(1, 6, size=(2, 40)), axis=0)
    topics = [f"T{n}" for n in rng.integers(9, size=40)]
    (row,) = consistency(paired(pairs[0], pairs[1], topics), level=level, n_resamples=300, seed=3)
    # Topics are numbered by their content.
    content = {
        topic: sorted(
            (a, b) for a, b, name in zip(*pairs.tolist(), topics, strict=True) if name == topic
        )
        for topic in set(topics)
    }
    ordered = sorted(content.values())
    values = [
        krippendorff_alpha(
            np.array([pair for number in draw for pair in ordered[number]]).T, level=level
        ).value
        for draw in np.random.default_rng(3).integers(len(ordered), size=(300, len(ordered)))
    ]
    ends = tuple(np.quantile(values, [0.025, 0.975]))
    assert (row.alpha.low, row.alpha.high) == pytest.approx(ends)


@given(
    st.lists(
        st.tuples(st.integers(1, 5), st.integers(1, 5), st.sampled_from("abc")),
        min_size=1,
        max_size=12,
    ),
    st.sampled_from(["nominal", "ordinal", "interval", "ratio"]),
    st.randoms(use_true_random=False),
)
@settings(max_examples=30, deadline=None)
def test_order_and_names_change_nothing(pairs, level, random):
    def alpha(rows):
        first, second, topics = zip(*rows, strict=True)
        (row,) = consistency(paired(first, second, topics), level=level)
        return row.alpha

    names = dict(zip("abc", random.sample("xyz", 3), strict=True))
    turned = [
        (a, b, names[topic]) if random.random() < 0.5 else (b, a, names[topic])
        for a, b, topic in random.sample(pairs, len(pairs))
    ]
    before, after = alpha(pairs), alpha(turned)
    assert (before.undefined, before.unanimous) == (after.undefined, after.unanimous)
    assert [before.value, before.low, before.high] == pytest.approx(
        [after.value, after.low, after.high], nan_ok=True
    )


def test_constant_judgments_agree_by_definition():
    texts = [Summary(f"T{n}", s, "Rain.") for n in range(3) for s in "78"]
    rows = [(f"T{n}", s, "K", 4) for n in range(3) for s in "78"]
    (row,) = consistency(judged(rows, summaries=texts))
    assert (row.alpha.value, row.alpha.unanimous, row.equal) == (1.0, True, 1.0)
    assert np.isnan(row.alpha.low)
    assert "by definition" in row.alpha.undefined


def test_one_topic_has_no_interval():
    (row,) = consistency(paired([1, 2], [1, 3], ["T1", "T1"]), level="interval")
    assert np.isnan(row.alpha.low)
    assert row.alpha.undefined == "no interval, as all pairs are of one topic"


def test_a_summary_judged_again_is_a_pair_too():
    row = Judgment("T1", "7", "readability", 4.0, assessor="K")
    rows = [replace(row, occasion=o, value=v) for o, v in (("1", 4.0), ("2", 3.0), ("3", 3.0))]
    rows.append(replace(row, assessor="L", occasion="1"))
    row = by_assessor(consistency(judged(rows)))["K"]
    assert (row.pairs, row.repeated) == (3, 3)
    # 4 to 3, 4 to 3, 3 to 3: the later minus the earlier.
    assert row.mean_signed_difference == pytest.approx(-2 / 3)


def test_identical_summaries_pair_within_an_occasion_and_a_unit():
    texts = [Summary("T1", s, "Rain.") for s in "78"]
    row = Judgment("T1", "7", "readability", 4.0, assessor="K")
    rows = [
        replace(row, unit="u1"),
        replace(row, unit="u2"),
        replace(row, system="8", unit="u1", value=3.0),
        replace(row, system="8", unit="u3", value=3.0),
    ]
    (row,) = consistency(judged(rows, summaries=texts))
    assert (row.pairs, row.mean_difference) == (1, 1.0)


@pytest.mark.parametrize(
    ("times", "expected"),
    [(("2", "1"), 1.0), (("1", "2"), -1.0), (("1", "1"), np.nan), (("", ""), np.nan)],
)
def test_times_tell_which_judgment_came_first(times, expected):
    texts = [Summary("T1", s, "Rain.") for s in "78"]
    rows = [
        Judgment("T1", s, "readability", v, assessor="K", time=t)
        for s, v, t in zip("78", (4.0, 3.0), times, strict=True)
    ]
    (row,) = consistency(judged(rows, summaries=texts))
    assert row.mean_signed_difference == pytest.approx(expected, nan_ok=True)


def test_years_and_all_together():
    years = [tac_year(str(year), seed=year) for year in (2010, 2011)]
    rows = consistency(*years)
    for row in by_assessor(rows, collection=None, measure="readability").values():
        parts = [
            by_assessor(rows, collection=year, measure="readability")[row.assessor]
            for year in ("2010", "2011")
        ]
        assert row.pairs == sum(part.pairs for part in parts)
        assert row.table.counts.tolist() == sum(part.table.counts for part in parts).tolist()


def test_years_with_different_scales_are_not_pooled():
    years = [tac_year("2010"), tac_year("2009")]
    years[1] = replace(years[1], scales={"readability": Scale(1, 10, 1)})
    rows = consistency(*years)
    assert {row.measure for row in rows if row.collection is None} == {"responsiveness"}


def test_a_measure_of_one_year_only():
    years = [tac_year("2010"), judged([("T1", "7", "A", 4)])]
    rows = consistency(*years)
    assert {row.measure for row in rows if row.collection == "2011"} == {"readability"}


def test_consistency_is_that_of_a_plain_loop():
    year = tac_year(seed=3)
    values = {
        (row.task, row.topic, row.system): row.value
        for row in year.scores.select(measure="readability")
    }
    judge = {topic.id: topic.assessor for topic in year.topics}
    expected: dict[str, list[tuple[float, float]]] = {name: [] for name in "ABCD"}
    for a, b in combinations(year.summaries, 2):
        same = (a.task, a.topic, a.text) == (b.task, b.topic, b.text)
        if same:
            expected[judge[a.topic]].append((values[a.key], values[b.key]))
    rows = by_assessor(consistency(year, level="interval"), measure="readability")
    for name, pairs in expected.items():
        row = rows[name]
        assert row.pairs == len(pairs) > 5
        assert row.alpha.value == pytest.approx(
            krippendorff_alpha(np.array(pairs).T, level="interval").value
        )
        counted = Counter(tuple(sorted(pair)) for pair in pairs)
        table = row.table
        assert {
            (table.values[row], table.values[column]): table.counts[row, column]
            for row, column in np.argwhere(table.counts).tolist()
        } == counted
        assert row.mean_difference == pytest.approx(np.mean([abs(a - b) for a, b in pairs]))
    # The less noise there is in somebody's judgments, the more consistent they are.
    assert rows["A"].alpha.value > rows["D"].alpha.value


@pytest.mark.parametrize("order", range(4))
def test_relabelling_and_permuting_change_nothing(order):
    year = tac_year(seed=1, topics=8)
    rng = np.random.default_rng(order)
    maps = [
        dict(zip(names, rng.permutation([f"n{n}" for n in range(len(names))]), strict=True))
        for names in (
            [topic.id for topic in year.topics],
            sorted({text.system for text in year.summaries}),
            list("ABCD"),
        )
    ]
    maps = [{key: str(value) for key, value in names.items()} for names in maps]
    other = renamed(year, topics=maps[0], systems=maps[1], assessors=maps[2], order=order)
    before, after = (
        {
            (row.measure, row.assessor): (
                row.pairs,
                row.alpha.value,
                row.alpha.low,
                row.alpha.high,
                row.mean_difference,
                row.equal,
                *row.table.counts.ravel().tolist(),
            )
            for row in consistency(collection, n_resamples=50)
        }
        for collection in (year, other)
    )
    called = {**maps[2], None: None}
    for (measure, name), numbers in before.items():
        assert after[measure, called[name]] == pytest.approx(numbers, nan_ok=True)


def test_contingency_ignores_order_and_rounding_noise():
    year = paired([0.1 + 0.2, 0.5], [0.5, 0.3], ["T1", "T2"])
    (row,) = consistency(replace(year, scales={"charm": Scale(0.3, 0.5, 0.2)}))
    assert row.table.values == pytest.approx((0.3, 0.5))
    assert row.table.counts.tolist() == [[0, 2], [0, 0]]
    assert row.table.distances == pytest.approx(np.array([[0, 0.2], [0.2, 0]]))


def test_pairs_of_values_are_listed_if_asked_for():
    year = paired([3, 5, 4], [5, 3, 4], ["T1", "T2", "T3"])
    usual, result = (assessors(year, contingency=listed) for listed in (False, True))
    assert "contingency" not in [table.name for table in usual.tables]
    [table] = (table for table in result.tables if table.name == "contingency")
    assert table.columns[1:] == ("measure", "assessor", "lower", "higher", "pairs")
    assert [row[1:] for row in table.rows] == [("charm", "K", 3, 5, 2), ("charm", "K", 4, 4, 1)]
    assert " 3.00 " in table.to_text()


# The shared sets of judgments


@pytest.mark.long
def test_summeval():
    """data/README.md: 116 identical pairs; experts repeat themselves on 67% of relevance pairs."""
    results = study(shared_collection("data/summeval.jsonl.gz"))
    assert len(results.panel.pairs["summeval"]) == 116
    rows_by_key = by_assessor_and_measure(results.consistency)
    assert rows_by_key["expert-relevance", None].pairs == 3 * 116
    equal = {
        measure: round(row.equal, 3) for (measure, who), row in rows_by_key.items() if who is None
    }
    assert round(equal["expert-relevance"], 2) == round(equal["expert-coherence"], 2) == 0.67
    assert round(equal["expert-fluency"], 2) == 0.94
    assert equal["expert-consistency"] == 0.997
    turkers = [share for measure, share in equal.items() if measure.startswith("turker")]
    assert (round(min(turkers), 2), round(max(turkers), 2)) == (0.33, 0.43)


@pytest.mark.long
def test_realsumm():
    """data/README.md: 281 identical pairs."""
    results = study(shared_collection("data/realsumm.jsonl.gz"))
    assert len(results.panel.pairs["realsumm"]) == 281
    rows_by_key = by_assessor_and_measure(results.consistency)
    assert rows_by_key["scu-recall", "worker1"].pairs == 281
    # Every unit of an identical pair is a pair of answers of its row.
    assert rows_by_key["scu-answer", "worker1"].pairs > 281


def by_assessor_and_measure(rows):
    return {(row.measure, row.assessor): row for row in rows}


def test_judgments_without_words_have_no_pairs():
    results = study(judged([("T1", "7", "K", 4), ("T1", "8", "K", 4)]))
    assert (results.panel.pairs, results.panel.compared) == ({}, {})
    assert [row.pairs for row in results.consistency] == [0]
