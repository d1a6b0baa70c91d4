"""Identical summaries, and how alike assessors judge them."""

import json
import re
from collections import Counter
from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from judges.assessor_samples import judged, renamed, tac_year
from pyramidion.collection import Collection, Judgment, Measure, Scale, Scores, Summary, Topic
from pyramidion.errors import InputError, NotFoundError
from pyramidion.judges._consistency import (
    alpha_of_pairs,
    assessor_consistency,
    contingency,
    paired_judgments,
)
from pyramidion.judges._panel import (
    StudyOptions,
    gather_panel,
    identical_pairs,
    level_of,
    read_moments,
    word_sequence,
)
from pyramidion.stats import krippendorff_alpha
from support import GOLD, shared_collection

KRIPPENDORFF = json.loads((GOLD / "stats" / "krippendorff.json").read_text())["cases"]


# Identical summaries


def test_three_identical_summaries_give_three_pairs():
    texts = [Summary("T1", s, "Rain, again & again.") for s in ("10", "9", "B")]
    texts.append(Summary("T1", "11", "Rain again."))
    pairs = identical_pairs(texts)
    assert [(p.first, p.second) for p in pairs] == [("9", "10"), ("9", "B"), ("10", "B")]


@pytest.mark.parametrize(
    ("one", "other", "alike"),
    [
        ("Rain fell.", "RAIN   fell", True),
        ("U.S. rain", "u s rain", True),
        ("rain fell", "fell rain", False),
        ("100,000 people", "100 000 people", True),
        ("naïve", "na ve", True),
        ("rain", "rains", False),
        ("...", "!?", False),
        ("", "", False),
    ],
)
def test_what_is_identical(one, other, alike):
    pairs = identical_pairs([Summary("T1", "7", one), Summary("T1", "8", other)])
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
def test_pairs_are_those_of_a_plain_loop(given_):
    texts = [
        Summary(topic, str(number), " ".join(words), task=task)
        for number, (topic, task, words) in enumerate(given_)
    ]

    def tokens(text):
        return re.findall("[a-z0-9]+", text.plain.lower())

    expected = {
        (a.task, a.topic, a.system, b.system)
        for a, b in combinations(texts, 2)
        if (a.task, a.topic) == (b.task, b.topic) and tokens(a) == tokens(b) and tokens(a)
    }
    found = identical_pairs(reversed(texts))
    assert {(p.task, p.topic, p.first, p.second) for p in found} == expected
    assert len(found) == len(expected)


def test_words_are_runs_of_letters_and_digits():
    assert word_sequence("It's 1.5 km; É!") == ("it", "s", "1", "5", "km")


# Who judged what


def test_a_judgment_names_its_assessor_or_its_topic_does():
    rows = [
        Judgment("T1", "7", "readability", 4.0),
        Judgment("T1", "7", "responsiveness", 4.0, assessor="L"),
        Judgment("T2", "7", "readability", 4.0),
        Judgment("T1", "7", "rouge-2-r", 0.1),
        Judgment("T1", "7", "pyramid-modified", 0.1),
    ]
    panel = gather_panel([judged(rows, topics=[Topic("T1", assessor="K"), Topic("T2")])])
    assert {(j.measure, j.assessor) for j in panel.judgments} == {
        ("readability", "K"),
        ("responsiveness", "L"),
        ("pyramid-modified", "K"),
    }
    assert panel.metrics.measures == ("rouge-2-r",)
    assert panel.metrics.distinct("assessor") == ("",)
    assert panel.left_out == ("2011, readability: 1 judgments whose assessor is not known",)


def test_named_measures_are_judgments_whatever_they_are_called():
    rows = [Judgment("T1", "7", "charm", 4.0), Judgment("T1", "7", "readability", 4.0)]
    panel = gather_panel([judged(rows, topics=[Topic("T1", assessor="K")])], measures=["charm"])
    assert panel.measures == ("charm",)


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
    panel = gather_panel([year])
    assert set(panel.measures) == {"liked", "fit"}
    assert set(panel.metrics.measures) == {"length", "focus"}


def test_years_are_told_apart_by_the_column_or_the_name():
    rows = [
        Judgment("T1", "7", "readability", 4.0, assessor="K", collection="2010"),
        Judgment("T2", "7", "readability", 4.0, assessor="K", collection="2011"),
        Judgment("T1", "7", "rouge-2-r", 4.0),
        Judgment("T3", "7", "readability", 4.0, assessor="K"),
    ]
    texts = [Summary("T1", "7", "Rain."), Summary("T1", "8", "Rain."), Summary("T9", "8", "Rain.")]
    panel = gather_panel([judged(rows, summaries=texts, name="mine")])
    assert panel.collections == ("2010", "2011", "mine")
    assert panel.metrics.distinct("collection") == ("2010",)
    assert {year: len(pairs) for year, pairs in panel.pairs.items()} == {"2010": 1}
    assert panel.compared == {"2010": 2, "mine": 1}


def test_nobody_judged():
    with pytest.raises(InputError, match="no judgments with an assessor in 2011; fill in the"):
        gather_panel([judged([Judgment("T1", "7", "readability", 4.0)])])


def test_years_of_one_name():
    year = judged([("T1", "7", "K", 4)])
    with pytest.raises(InputError, match="2 collections are called '2011'"):
        gather_panel([year, year])


@pytest.mark.parametrize("asked", [{"measures": ["charm"]}, {"tasks": ["C"]}])
def test_unknown_measure_or_task(asked):
    with pytest.raises(NotFoundError, match="there is no"):
        gather_panel([judged([("T1", "7", "K", 4)])], **asked)


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
    panel = gather_panel([judged(rows, scales={"charm": scale} if scale else None)])
    found = level_of(panel, "2011", "charm")
    assert (found.level, found.values) == (level, listed)
    assert found.reason
    assert level_of(panel, "2011", "charm", level="ratio").level == "ratio"


def test_unknown_level():
    assert StudyOptions().level is None
    with pytest.raises(InputError, match="level is 'likert'; choose one of nominal"):
        StudyOptions(level="likert")


# Consistency


def by_assessor(found, **wanted):
    return {
        own.assessor: own
        for own in found
        if all(getattr(own, name) == value for name, value in wanted.items())
    }


def test_consistency_by_hand():
    texts = [Summary(t, s, "Rain.") for t in ("T1", "T2") for s in "789"]
    rows = [
        *(("T1", s, "K", value) for s, value in zip("789", (3, 3, 5), strict=True)),
        *(("T2", s, "K", value) for s, value in zip("789", (1, 1, 1), strict=True)),
        ("T1", "7", "L", 2),
    ]
    found = by_assessor(assessor_consistency(gather_panel([judged(rows, summaries=texts)])))
    own = found["K"]
    assert (own.pairs, own.repeated, own.level.level) == (6, 0, "ordinal")
    pairs = [[3, 3, 3, 1, 1, 1], [3, 5, 5, 1, 1, 1]]
    assert own.alpha.value == pytest.approx(krippendorff_alpha(pairs, level="ordinal").value)
    assert own.mean_difference == pytest.approx(4 / 6)
    assert own.equal == pytest.approx(4 / 6)
    assert np.isnan(own.mean_signed_difference)
    assert own.table.counts.tolist() == [
        [3, 0, 0, 0, 0],
        [0, 0, 0, 0, 0],
        [0, 0, 1, 0, 2],
        [0, 0, 0, 0, 0],
        [0, 0, 0, 0, 0],
    ]
    assert (found["L"].pairs, found["L"].alpha.undefined) == (0, "no pairs")
    assert found[None].pairs == 6


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
    panel = gather_panel([judged(rows, summaries=texts)])
    for level, expected in case["outputs"].items():
        found = next(assessor_consistency(panel, StudyOptions(level=level, n_resamples=20)))
        assert found.pairs == len(first)
        assert found.alpha.value == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("level", ["nominal", "ordinal", "interval", "ratio"])
def test_intervals_are_those_of_topics_drawn_one_by_one(level):
    rng = np.random.default_rng(5)
    pairs = np.sort(rng.integers(1, 6, size=(2, 40)), axis=0)
    topics = [f"T{n}" for n in rng.integers(9, size=40)]
    options = StudyOptions(n_resamples=300, seed=3)
    found = alpha_of_pairs(pairs[0], pairs[1], topics, level, options)
    # Topics are numbered by their content.
    content = {
        topic: sorted(
            (a, b) for a, b, own in zip(*pairs.tolist(), topics, strict=True) if own == topic
        )
        for topic in set(topics)
    }
    ordered = sorted(content.values())
    values = [
        krippendorff_alpha(
            np.array([pair for place in draw for pair in ordered[place]]).T, level=level
        ).value
        for draw in np.random.default_rng(3).integers(len(ordered), size=(300, len(ordered)))
    ]
    assert (found.low, found.high) == pytest.approx(tuple(np.quantile(values, [0.025, 0.975])))


@given(
    st.lists(
        st.tuples(st.integers(1, 5), st.integers(1, 5), st.sampled_from("abc")),
        min_size=1,
        max_size=12,
    ),
    st.sampled_from(["nominal", "ordinal", "interval", "ratio"]),
    st.randoms(use_true_random=False),
)
def test_order_and_names_change_nothing(pairs, level, random):
    def found(rows):
        first, second, topics = zip(*rows, strict=True)
        return alpha_of_pairs(first, second, topics, level, StudyOptions(n_resamples=20))

    names = dict(zip("abc", random.sample("xyz", 3), strict=True))
    turned = [
        (a, b, names[topic]) if random.random() < 0.5 else (b, a, names[topic])
        for a, b, topic in random.sample(pairs, len(pairs))
    ]
    one, other = found(pairs), found(turned)
    assert (one.undefined, one.unanimous) == (other.undefined, other.unanimous)
    assert [one.value, one.low, one.high] == pytest.approx(
        [other.value, other.low, other.high], nan_ok=True
    )


def test_constant_judgments_agree_by_definition():
    texts = [Summary(f"T{n}", s, "Rain.") for n in range(3) for s in "78"]
    rows = [(f"T{n}", s, "K", 4) for n in range(3) for s in "78"]
    own = next(assessor_consistency(gather_panel([judged(rows, summaries=texts)])))
    assert (own.alpha.value, own.alpha.unanimous, own.equal) == (1.0, True, 1.0)
    assert np.isnan(own.alpha.low)
    assert "by definition" in own.alpha.undefined


def test_one_topic_has_no_interval():
    found = alpha_of_pairs([1, 2], [1, 3], ["T1", "T1"], "interval")
    assert np.isnan(found.low)
    assert found.undefined == "no interval, as all pairs are of one topic"


def test_a_summary_judged_again_is_a_pair_too():
    row = Judgment("T1", "7", "readability", 4.0, assessor="K")
    rows = [replace(row, occasion=o, value=v) for o, v in (("1", 4.0), ("2", 3.0), ("3", 3.0))]
    rows.append(replace(row, assessor="L", occasion="1"))
    own = by_assessor(assessor_consistency(gather_panel([judged(rows)])))["K"]
    assert (own.pairs, own.repeated) == (3, 3)
    # 4 to 3, 4 to 3, 3 to 3: the later minus the earlier.
    assert own.mean_signed_difference == pytest.approx(-2 / 3)


def test_identical_summaries_pair_within_an_occasion_and_a_unit():
    texts = [Summary("T1", s, "Rain.") for s in "78"]
    row = Judgment("T1", "7", "readability", 4.0, assessor="K")
    rows = [
        replace(row, unit="u1"),
        replace(row, unit="u2"),
        replace(row, system="8", unit="u1", value=3.0),
        replace(row, system="8", unit="u3", value=3.0),
    ]
    own = next(assessor_consistency(gather_panel([judged(rows, summaries=texts)])))
    assert (own.pairs, own.mean_difference) == (1, 1.0)


@pytest.mark.parametrize(("times", "expected"), [(("2", "1"), 1.0), (("1", "2"), -1.0)])
def test_times_tell_which_judgment_came_first(times, expected):
    texts = [Summary("T1", s, "Rain.") for s in "78"]
    rows = [
        Judgment("T1", s, "readability", v, assessor="K", time=t)
        for s, v, t in zip("78", (4.0, 3.0), times, strict=True)
    ]
    panel = gather_panel([judged(rows, summaries=texts)])
    assert next(assessor_consistency(panel)).mean_signed_difference == expected
    assert [pair.ordered for pair in paired_judgments(panel)] == [True]


def test_moments():
    assert read_moments(["2011-08-02T00:00:00+02:00", "20110803"]).values == pytest.approx(
        [15187.9166666667, 15189]
    )
    assert read_moments(["12345678", ""]).unit == "1"
    assert read_moments(["inf", "soon"]).unreadable == 2


def test_years_and_all_together():
    years = [tac_year(str(year), seed=year) for year in (2010, 2011)]
    found = list(assessor_consistency(gather_panel(years), StudyOptions(n_resamples=20)))
    for own in by_assessor(found, collection=None, measure="readability").values():
        parts = [
            by_assessor(found, collection=year, measure="readability")[own.assessor]
            for year in ("2010", "2011")
        ]
        assert own.pairs == sum(part.pairs for part in parts)
        assert own.table.counts.tolist() == sum(part.table.counts for part in parts).tolist()


def test_years_with_different_scales_are_not_pooled():
    years = [tac_year("2010"), tac_year("2009")]
    years[1] = replace(years[1], scales={"readability": Scale(1, 10, 1)})
    found = list(assessor_consistency(gather_panel(years), StudyOptions(n_resamples=20)))
    assert {own.measure for own in found if own.collection is None} == {"responsiveness"}


def test_a_measure_of_one_year_only():
    years = [tac_year("2010"), judged([("T1", "7", "A", 4)])]
    found = list(assessor_consistency(gather_panel(years), StudyOptions(n_resamples=20)))
    assert {own.measure for own in found if own.collection == "2011"} == {"readability"}


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
    found = by_assessor(
        assessor_consistency(gather_panel([year]), StudyOptions(level="interval", n_resamples=20)),
        measure="readability",
    )
    for name, pairs in expected.items():
        own = found[name]
        assert own.pairs == len(pairs) > 5
        assert own.alpha.value == pytest.approx(
            krippendorff_alpha(np.array(pairs).T, level="interval").value
        )
        counted = Counter(tuple(sorted(pair)) for pair in pairs)
        table = own.table
        assert {
            (table.values[row], table.values[column]): table.counts[row, column]
            for row, column in np.argwhere(table.counts).tolist()
        } == counted
        assert own.mean_difference == pytest.approx(np.mean([abs(a - b) for a, b in pairs]))
    # The less chance there is in what somebody says, the more consistent they are.
    assert found["A"].alpha.value > found["D"].alpha.value


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
    maps = [{key: str(value) for key, value in one.items()} for one in maps]
    other = renamed(year, topics=maps[0], systems=maps[1], assessors=maps[2], order=order)
    one, two = (
        {
            (own.measure, own.assessor): (
                own.pairs,
                own.alpha.value,
                own.alpha.low,
                own.alpha.high,
                own.mean_difference,
                own.equal,
                *own.table.counts.ravel().tolist(),
            )
            for own in assessor_consistency(gather_panel([which]), StudyOptions(n_resamples=50))
        }
        for which in (year, other)
    )
    called = {**maps[2], None: None}
    for (measure, name), numbers in one.items():
        assert two[measure, called[name]] == pytest.approx(numbers, nan_ok=True)


def test_contingency_ignores_order_and_rounding_noise():
    found = contingency([0.1 + 0.2, 0.5], [0.5, 0.3], (0.3, 0.5))
    assert found.counts.tolist() == [[0, 2], [0, 0]]
    assert found.distances.tolist() == [[0, 0.2], [0.2, 0]]


# The shared sets of judgments


@pytest.mark.long
def test_summeval():
    """data/README.md: 116 identical pairs; experts repeat themselves on 67% of relevance pairs."""
    panel = gather_panel([shared_collection("data/summeval.jsonl.gz")])
    assert len(panel.pairs["summeval"]) == 116
    found = by_assessor_and_measure(assessor_consistency(panel, StudyOptions(n_resamples=20)))
    assert found["expert-relevance", None].pairs == 3 * 116
    equal = {measure: round(own.equal, 3) for (measure, who), own in found.items() if who is None}
    assert round(equal["expert-relevance"], 2) == round(equal["expert-coherence"], 2) == 0.67
    assert round(equal["expert-fluency"], 2) == 0.94
    assert equal["expert-consistency"] == 0.997
    turkers = [share for measure, share in equal.items() if measure.startswith("turker")]
    assert (round(min(turkers), 2), round(max(turkers), 2)) == (0.33, 0.43)


@pytest.mark.long
def test_realsumm():
    """data/README.md: 281 identical pairs."""
    panel = gather_panel([shared_collection("data/realsumm.jsonl.gz")])
    assert len(panel.pairs["realsumm"]) == 281
    found = by_assessor_and_measure(assessor_consistency(panel, StudyOptions(n_resamples=20)))
    assert found["scu-recall", "worker1"].pairs == 281
    # Every unit of an identical pair is a pair of answers of its own.
    assert found["scu-answer", "worker1"].pairs > 281


def by_assessor_and_measure(found):
    return {(own.measure, own.assessor): own for own in found}


def test_judgments_without_words_have_no_pairs():
    panel = gather_panel([judged([("T1", "7", "K", 4), ("T1", "8", "K", 4)])])
    assert (panel.pairs, panel.compared) == ({}, {})
    assert len(paired_judgments(panel)) == 0
    assert Scores.concatenate([panel.judgments]) == panel.judgments
