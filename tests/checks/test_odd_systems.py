"""Systems unlike others by mistake: reversed, unmeasured, failed, with words in another order."""

import warnings

import numpy as np
import pytest

from pyramidion import check, describe
from pyramidion.checks._scores import spelled_twice
from pyramidion.collection import Collection, Scores, Summary


def scored(tables, assessors=None):
    """Return scores by measure, each a table of topics by systems."""
    names = ("topic", "system", "kind", "measure", "assessor")
    columns, values = {name: [] for name in names}, []
    for measure, table in tables.items():
        for (topic, system), value in np.ndenumerate(table):
            if not np.isnan(value):
                row = (f"T{topic:02}", f"s{system}", "machine", measure, "")
                for name, cell in zip(names, row, strict=True):
                    columns[name].append(cell)
                values.append(value)
    return Collection("c", scores=Scores(columns, values))


def alike(topics=30, systems=6, noise=0.08, seed=0):
    """Return scores between 0 and 1 that depend on the topic."""
    rng = np.random.default_rng(seed)
    level = rng.uniform(0.3, 0.7, (topics, 1))
    return np.clip(level + rng.normal(0, noise, (topics, systems)), 0.05, 0.95).round(3)


def kinds(collection):
    return {finding.kind: finding for finding in check(collection)}


def test_a_reversed_system_is_named_and_can_be_reversed(tmp_path):
    table = alike()
    assert "system with a reversed scale" not in kinds(scored({"coherence": table}))
    table[:, 2] = 1 - table[:, 2]
    finding = kinds(scored({"coherence": table}))["system with a reversed scale"]
    assert (finding.subject, finding.fix) == ("system s2", "--reverse s2=coherence")
    assert len(finding.rows) == 30
    assert not [
        f for f in check(scored({"coherence": table}), reverse=["s2"]) if "revers" in f.kind
    ]


def test_a_metric_that_failed_is_0_where_a_related_one_is_not():
    table = alike(noise=0.02)
    related = (table + np.random.default_rng(1).normal(0, 0.05, table.shape)).round(3)
    failed = table.copy()
    failed[::7] = 0
    finding = kinds(scored({"a": failed, "b": related}))["zero instead of a score"]
    assert (finding.subject, finding.fix) == ("a", "--missing a=0")
    related[::7] = 0.01  # bad by the other one, too
    assert "zero instead of a score" not in kinds(scored({"a": failed, "b": related}))


def test_a_measure_without_one_system_is_a_note():
    missing = alike()
    missing[:, 3] = np.nan
    finding = kinds(scored({"a": alike(), "b": missing}))["measure without a system"]
    assert (finding.severity, finding.subject) == ("note", "system s3")
    assert "lacks all scores by b" in finding.message


def test_a_measure_in_another_unit_is_the_same():
    table = alike()
    found = kinds(scored({"a": table, "b": (25 * table - 3).round(6), "c": alike(seed=5)}))
    assert "on different scales" in found["measures with identical scores"].message


@pytest.mark.parametrize(
    ("present", "severity"),
    [
        ((6, 6, 5, 4, 3, 3), "note"),
        ((6, 6, 6, 6, 6, 3), "warning"),
        ((6, 3, 6, 6, 6, 6), "warning"),
    ],
)
def test_numbered_drafts_of_a_topic_are_not_missing(present, severity):
    """Topics have the first drafts; a system that fails here and there is another matter."""
    table = alike(topics=12)
    for topic, number in enumerate(present):
        table[topic, number:] = np.nan
    if severity == "warning":
        table[9, 1] = np.nan
    assert kinds(scored({"a": table}))["missing scores"].severity == severity


@pytest.mark.parametrize(("gap", "expected"), [(0, False), (0.2, True)])
def test_assessors_who_were_shared_out_unevenly(gap, expected):
    rng = np.random.default_rng(3)
    rows = [
        (f"T{topic}", system, "machine", "q", judge, float(rng.integers(1, 6)))
        for topic in range(60)
        for system, share in (("x", 0.6 + gap), ("y", 0.6 - gap))
        for judge in ("ann", "bob")
        if (rng.random() < share) == (judge == "ann")
    ]
    names = ("topic", "system", "kind", "measure", "assessor")
    columns = {name: [row[place] for row in rows] for place, name in enumerate(names)}
    found = kinds(Collection("c", scores=Scores(columns, [row[-1] for row in rows])))
    assert ("assessors shared out unevenly" in found) is expected


WORDS = "the cat of the town sat in the sun and it was seen by a man of the house in the north"


@pytest.mark.parametrize("order", ["kept", "reversed", "shuffled"])
def test_words_in_another_order(order):
    rng = np.random.default_rng(4)

    def text(system, topic):
        words = [
            *WORDS.split(),
            f"on day {topic} the mayor of the city spoke to the people {system}",
        ]
        words = " ".join(words).split()
        if system == "b" and order != "kept":
            words = words[::-1] if order == "reversed" else rng.permutation(words).tolist()
        return " ".join(words) + "."

    summaries = [Summary(f"T{t}", system, text(system, t)) for t in range(12) for system in "abc"]
    collection = Collection("c", summaries=tuple(summaries))
    found = [finding.subject for finding in check(collection) if "order" in finding.kind]
    assert found == ["system b"] * (order != "kept")


def test_several_sources_are_described_together(tmp_path):
    for name, table in (("a", alike()), ("b", alike(seed=1))):
        lines = ["topic,system," + name]
        lines += [f"T{topic},s{system},{value}" for (topic, system), value in np.ndenumerate(table)]
        (tmp_path / f"{name}.csv").write_text("\n".join(lines) + "\n")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        [description] = describe([tmp_path / "a.csv", tmp_path / "b.csv"])
    assert [measure.measure for measure in description.measures] == ["a", "b"]


@pytest.mark.parametrize("factor", [10, 100, 1000])
def test_a_system_with_another_unit(factor):
    table = alike() * 7
    assert "system on another scale" not in kinds(scored({"grade": table}))
    table[:, 4] *= factor
    finding = kinds(scored({"grade": table}))["system on another scale"]
    assert (finding.subject, finding.severity) == ("system s4", "severe")


def test_a_slow_system_is_no_other_unit_but_milliseconds_are():
    table = alike() * 7
    table[:, 4] *= 10
    assert "system on another scale" not in kinds(scored({"latency": table}))
    table[:, 4] *= 100
    assert kinds(scored({"latency": table}))["system on another scale"].subject == "system s4"


def test_standardized_scores_of_one_system():
    table = alike() * 7
    table[:, 1] = (table[:, 1] - table[:, 1].mean()) / table[:, 1].std()
    assert kinds(scored({"grade": table}))["system on another scale"].subject == "system s1"


def test_one_system_with_rounded_scores_is_a_note():
    table = (alike(noise=0.2) * 10).round(1)
    table[:, 5] = table[:, 5].round()
    finding = kinds(scored({"grade": table}))["scores rounded differently"]
    assert (finding.subject, finding.severity) == ("system s5", "note")


@pytest.mark.parametrize(
    ("first", "second"), [("bart", "'bart'"), ("modèle", "modÃ¨le"), ("“t5”", "t5")]
)
def test_names_that_differ_in_quotation_marks_or_encoding(first, second):
    assert [f.subject for f in spelled_twice("system", [first, second], {})]
    assert not list(spelled_twice("system", [first, "other"], {}))


def test_topics_that_became_decimal_numbers():
    assert [f.subject for f in spelled_twice("topic", ["12", "12.0"], {})]
    assert not list(spelled_twice("topic", ["1.0", "1.1", "10", "v1.0"], {}))
    assert not list(spelled_twice("system", ["llama-2", "llama-2.0"], {}))


@pytest.mark.parametrize("are_exchanged", [True, False])
def test_exchanged_columns_of_topics_and_systems(are_exchanged):
    topics = [f"doc{n:03}" for n in range(50) for _ in range(2)]
    systems = ["bart", "lead"] * 50
    names = (systems, topics) if are_exchanged else (topics, systems)
    columns = dict(zip(("topic", "system"), names, strict=True))
    columns |= {"kind": ["machine"] * 100, "measure": ["grade"] * 100}
    found = kinds(Collection("c", scores=Scores(columns, [n % 7 for n in range(100)])))
    assert ("columns exchanged" in found) == are_exchanged
    assert not are_exchanged or found["columns exchanged"].severity == "note"


def test_zeros_of_a_failed_system_are_named_next_to_a_few_real_ones():
    tables = {name: (alike(seed=n) * 4 + 1).round(1) for n, name in enumerate("ab")}
    for table in tables.values():
        table[:12, 3] = 0
    tables["a"][20:24, 1] = 0
    assert "(of s3)" in kinds(scored(tables))["zero for every measure"].message
