"""`assessors` as a function: whatever holds judgments in, a result out."""

import pickle
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from judges.assessor_samples import judged, tac_year
from pyramidion import assessors
from pyramidion.collection import Measure, Summary
from pyramidion.errors import DataWarning, InputError
from rendering.figures.reading import texts

HOW = {"n_resamples": 20, "measures": "readability"}


@pytest.fixture(scope="module")
def years():
    return [tac_year(str(2010 + n), seed=n, topics=8) for n in range(2)]


def frame(year):
    judge = {topic.id: topic.assessor for topic in year.topics}
    rows = [
        (row.task, row.topic, row.system, row.kind, row.measure, judge[row.topic], row.value)
        for row in year.scores.select(measure="readability")
    ]
    names = ["task", "topic", "system", "kind", "measure", "assessor", "value"]
    return pd.DataFrame(rows, columns=names)


def test_a_frame_has_the_severities_of_its_collection(years):
    whole, table = assessors(years[0], beside="nothing", **HOW), frame(years[0])
    bare = assessors(table, beside="nothing", **HOW)
    effects, expected = (
        [row.effect for row in result.study.severity[0].assessors] for result in (bare, whole)
    )
    assert effects == pytest.approx(expected)
    assert [table.title for table in bare.tables][1] == ("Severity (negative is severe): source 1")
    assert any("no summaries" in line for line in bare.left_out)
    # No text was compared with another.
    assert [row[1:] for row in bare.tables[0].rows] == [(0, 0)]
    assert whole.tables[0].rows[0][1] > 0


def test_who_is_severe_depends_on_the_direction_of_the_measure(years):
    errors = {"readability": Measure(lower_is_better=True, human=True)}
    year = replace(years[0], measures=errors)
    for measures, title, note in (
        ("readability", "Severity (positive is severe)", "; for readability (lower is better) "),
        (
            "readability,responsiveness",
            "Severity",
            "; below 0 is severe, above 0 lenient; for readability (lower is better) ",
        ),
    ):
        result = assessors(year, beside="nothing", n_resamples=20, measures=measures)
        (table,) = (t for t in result.tables if t.name == "severity")
        assert table.title == f"{title}: 2010"
        assert note in table.note
        assert "better) above 0 is severe, below 0 lenient." in table.note
        picture = result.plot("severity")
        assert "readability ↓" in texts(picture)
        assert "where lower is better (↓), the other way around" in picture.note


def test_several_sources_and_paths(years, tmp_path):
    years[1].save(tmp_path / "2011")
    with pytest.warns(DataWarning, match="2011: partly identical systems: systems 1 and 2"):
        result = assessors([years[0], tmp_path / "2011"], **HOW)
    assert [row.collection for row in result] == ["2010"] * 5 + ["2011"] * 5 + [None] * 5
    consistency = result.to_frame("consistency", library="pandas")
    assert set(consistency.collection) == {"2010", "2011", "all years"}
    assert "severity" in result.table_names
    assert result.chart_kinds == ("consistency", "pairs", "pairs-apart", "severity")
    assert result.plot("severity", 2).title == "Severity of assessors: all years"


@pytest.mark.parametrize("contradicts", [False, True])
def test_sources_of_one_evaluation_are_joined_unless_their_texts_differ(contradicts):
    parts = []
    for assessor, text in (
        ("K", "Rain fell."),
        ("L", "It rained." if contradicts else "Rain fell."),
    ):
        summaries = [Summary(f"T{n}", f"s{k}", f"{text} {n} {k}") for n in "123" for k in "123"]
        rows = [(one.topic, one.system, assessor, int(one.topic[1:])) for one in summaries]
        parts.append(judged(rows, summaries=summaries, name=f"by {assessor}"))
    years = {row.collection for row in assessors(parts, n_resamples=10)} - {None}
    assert len(years) == 1 + contradicts


def test_frames_of_two_years_are_distinguished(years):
    result = assessors([frame(year) for year in years], **HOW)
    assert {row.collection for row in result} == {"source 1", "source 2", None}


def test_further_scores_as_a_frame(years):
    lengths = np.random.default_rng(1).integers(80, 120, 192).astype(float)
    more = frame(years[0]).assign(measure="length", assessor="", value=lengths)
    result = assessors(years[0], scores=more, impact=True, metrics="length", task="A", **HOW)
    first = result.impacts[0].steps[0]
    assert [metric.metric for metric in first.metrics] == ["length"]
    # People see few metrics, programs all of them.
    assert set(result.to_frame("metrics", library="pandas").metric) == {"length"}


def test_no_source():
    with pytest.raises(InputError, match="no source is named"):
        assessors([])


def test_a_page_of_its_own(years):
    page = assessors(years[0], **HOW).page()
    assert "Assessors of 2010" in page
    assert page.count("<svg") == 6


def test_a_result_with_its_page_can_be_pickled():
    result = assessors(tac_year(seed=1, topics=4), n_resamples=20)
    again = pickle.loads(pickle.dumps(result))
    assert str(again) == str(result)
    assert again.to_html() == result.to_html()
