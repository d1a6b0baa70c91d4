"""End-to-end stories on public functions; expected numbers are worked out by hand or with SciPy."""

import json
import math

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from pyramidion import (
    Collection,
    Scores,
    Summary,
    compare,
    describe,
    gap,
    meta_evaluate,
    power,
    score,
    summarize_collection,
    verdicts,
)
from pyramidion.collection import Judgment
from pyramidion.comparison import preferences, report
from pyramidion.demo import load_demo

TOPICS = [f"T{number}" for number in range(1, 9)]
REFERENCES = [
    text.split()
    for text in ("ice melts fast today", "ships sank near Norway", "rain floods two villages",
                 "prices rose again slowly", "miners strike over wages", "a bridge was closed",
                 "doctors found new vaccines", "voters elect their mayor")
]  # fmt: skip
#: How many of the four words of the reference each system has, topic by topic.
HITS = {"all": [4] * 8, "some": [2, 1, 3, 2, 1, 2, 3, 2], "few": [1, 0, 1, 1, 0, 0, 1, 0]}


def written_collection(folder):
    """Write summaries and judgments as files, as a user would have them."""
    summaries, judgments = [], []
    for row, (topic, words) in enumerate(zip(TOPICS, REFERENCES, strict=True)):
        summaries.append(Summary(topic, "person", " ".join(words), kind="human", role="reference"))
        for system, hits in HITS.items():
            text = " ".join(
                [*REFERENCES[row - 3][:3], system][hits[row] :] + words[: hits[row]][::-1]
            )
            summaries.append(Summary(topic, system, text))
            judgments.append((topic, system, "overall", "Kim", 1 + hits[row]))
    collection = Collection("ice", summaries=tuple(summaries))
    collection.save(folder / "ice")
    columns = ["topic", "system", "measure", "assessor", "value"]
    pd.DataFrame(judgments, columns=columns).to_csv(folder / "judged.csv", index=False)
    return folder / "ice", folder / "judged.csv"


def test_read_score_compare_judge_and_report(tmp_path):
    summaries, judged = written_collection(tmp_path)
    rouge = tmp_path / "rouge.csv"
    score(summaries, metrics="rouge-1-r", output=rouge)

    # A summary's ROUGE-1 recall is the share of the reference's four words that it has.
    result = compare(rouge)
    assert [system.system for system in result.systems] == ["all", "some", "few"]
    means = [system.mean for system in result.systems]
    assert means == pytest.approx([np.mean(HITS[name]) / 4 for name in HITS])
    # All eight differences of each pair have one sign, as in 2 of 256 patterns of signs.
    assert [pair.p for pair in result.comparisons] == [2 / 256] * 3
    assert result.conclusion == (
        "all leads; it beats some and few (p ≤ .008). All 3 pairs differ significantly."
    )

    # The judgments are one more than the words, so they agree with the metric perfectly.
    (meta,) = meta_evaluate([summaries, judged], human="overall", metrics="rouge-1-r", test=())
    row = meta.correlation("rouge-1-r", level="system", coefficient="pearson")
    assert row.value == pytest.approx(1)
    agreement = verdicts([judged, rouge], human="overall")[0].agreement
    assert (agreement.tp, agreement.fp, agreement.fn, agreement.tn) == (3, 0, 0, 0)

    page = report([judged, rouge], measures="overall", title="Ice")
    page.save(tmp_path / "report.html")
    html = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "<title>Ice" in html
    assert "all leads; it beats some and few" in html


def test_two_systems_from_a_spreadsheet(tmp_path):
    old, new = [3.0, 4.0, 2.0, 5.0, 3.0, 4.0, 3.0], [4.0, 4.5, 3.5, 5.5, 3.0, 5.0, 4.5]
    frame = pd.DataFrame({"topic": [*range(7)] * 2, "system": ["old"] * 7 + ["new"] * 7})
    frame.assign(measure="overall", value=old + new).to_csv(tmp_path / "table.csv", index=False)
    from_file = compare(tmp_path / "table.csv", test="paired-t")
    expected = stats.ttest_rel(new, old)
    assert from_file.p == pytest.approx(expected.pvalue)
    assert from_file.difference == pytest.approx(6 / 7)
    assert compare(new, old, test="paired-t").interval == pytest.approx(
        expected.confidence_interval(0.95)
    )
    record = json.loads(from_file.to_json())["results"][0]
    assert record["comparisons"][0]["p"] == pytest.approx(expected.pvalue)
    assert from_file.to_markdown().startswith("**Significant differences between systems**")
    assert "| 1 | new | machine |" in from_file.to_markdown()
    # A margin that the interval is not within decides nothing of equivalence.
    assert compare(new, old, test="paired-t", margin=0.5).verdict == "different"


def test_a_pilot_tells_how_many_topics_to_judge():
    differences = np.array([0.9, -0.4, 0.3, 0.8, -0.2, 0.5, 0.1, 0.6])
    pilot = pd.DataFrame({"old": np.linspace(2, 4, 8), "new": np.linspace(2, 4, 8) + differences})
    (plan,) = power(pilot, difference=0.4, test="paired-t", power=0.9)
    spread = differences.std(ddof=1)

    def power_with(topics):
        critical = stats.t.ppf(0.975, topics - 1)
        return stats.nct.sf(critical, topics - 1, 0.4 / spread * math.sqrt(topics))

    needed = int(plan.topics[1.0])
    assert power_with(needed - 1) < 0.9 <= power_with(needed)


def test_people_prefer_one_of_two_systems():
    rows = [(f"T{n}", "new", "old", "second" if n % 4 == 0 else "first") for n in range(40)]
    frame = pd.DataFrame(rows, columns=["topic", "first", "second", "choice"])
    (ranking,) = preferences(frame, position=False)
    assert [(s.result.system, s.win_rate, s.wins, s.losses) for s in ranking.systems] == [
        ("new", 0.75, 30, 10),
        ("old", 0.25, 10, 30),
    ]
    # Of two systems the model's difference of strengths is the log odds of a win.
    (pair,) = ranking.comparison.comparisons
    assert pair.difference == pytest.approx(math.log(30 / 10), rel=1e-6)
    assert pair.effect == pytest.approx(0.75)
    # Win rates count as scores, with topics as the sample.
    assert compare(frame).difference == pytest.approx(0.5)


def test_metrics_that_miss_what_people_do_better():
    rng = np.random.default_rng(8)
    quality, bonus = np.arange(7.0), np.array([0, 0, 0, 0, 0, 4, 4])
    names = [*"abcde", "P", "Q"]
    rows = [
        (f"T{topic}", name, "human" if name in "PQ" else "machine", measure, value)
        for topic in range(30)
        for column, name in enumerate(names)
        for measure, value in (
            ("overall", quality[column] + bonus[column] + rng.normal() / 10),
            ("metric", quality[column] + rng.normal() / 10),
        )
    ]
    frame = pd.DataFrame(rows, columns=["topic", "system", "kind", "measure", "value"])
    (row,) = gap(frame, human="overall", n_resamples=99)
    # Machines lie on the diagonal, and people 4 above it.
    assert row.line.slope == pytest.approx(1, abs=0.05)
    assert row.gap == pytest.approx(4, abs=0.2)
    assert row.low < row.gap < row.high
    assert (row.by_manual.person_better, row.by_manual.pairs) == (10, 10)
    meta = meta_evaluate(frame, human="overall", n_resamples=99)
    assert meta[0].correlation("metric", level="system", coefficient="kendall").value == 1
    assert meta.to_dict()["results"][0]["gap"]["gap"] == pytest.approx(row.gap)


def test_a_collection_is_checked_summarized_and_scored():
    demo = load_demo()
    assert describe(demo).ok
    missing = Collection("partial", scores=Scores.from_judgments([Judgment("T1", "x", "m", 1)]))
    assert describe(missing)[0].scores == 1
    summarized = summarize_collection(demo, method="lead,sum-avr", task="A").to_collection()
    (lead,) = (s for s in summarized.summaries if s.system == "lead" and s.topic == "P01")
    assert lead.words <= 100
    assert lead.text[0] in demo.documents("P01", "A")[-1].text
    result = compare(score(summarized, metrics="rouge-2-r").scores, exclude="A,B,C,D,E,F,G,H")
    assert {system.system for system in result.systems} == {"lead", "sum-avr"}
    assert all(0 < system.mean < 1 for system in result.systems)
