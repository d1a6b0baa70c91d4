"""The public questions about metrics: any source in, a result to hold out."""

import json

import pytest

from meta_evaluation.judging_samples import as_scores, judged
from pyramidion import Collection, compare, gap, meta_evaluate, verdicts
from pyramidion.collection import Scores
from pyramidion.collection.formats.scores import write_scores
from pyramidion.demo import load_demo
from pyramidion.errors import InputError
from pyramidion.meta_evaluation import Costs
from pyramidion.rendering.charts import Picture
from pyramidion.studies import composite, difficulty

QUICK = {
    meta_evaluate: {"human": "pyramid", "n_resamples": 19, "test": "none"},
    verdicts: {"human": "pyramid", "n_resamples": 9, "combine": "good,poor"},
    gap: {"human": "pyramid", "n_resamples": 9},
    composite: {},
}


@pytest.fixture(scope="module")
def scores():
    return as_scores(judged(topics=12, machines=6, people=2))


# Newer versions of pandas read digits whole by themselves.
@pytest.mark.filterwarnings("ignore:The 'float_precision' argument:DeprecationWarning")
@pytest.mark.parametrize("ask", QUICK)
def test_all_sources_give_the_same(ask, scores, tmp_path):
    pd, pl = pytest.importorskip("pandas"), pytest.importorskip("polars")
    write_scores(scores, tmp_path / "scores.csv")
    sources = (
        scores,
        Collection("", scores=scores),
        pd.read_csv(tmp_path / "scores.csv", float_precision="round_trip"),
        pl.read_csv(tmp_path / "scores.csv"),
        tmp_path / "scores.csv",
        str(tmp_path / "scores.csv"),
    )
    first, *rest_of_sources = (ask(source, **QUICK[ask]).to_dict()["results"] for source in sources)
    assert first
    assert all(json.dumps(other) == json.dumps(first) for other in rest_of_sources)


@pytest.mark.parametrize(
    ("ask", "tables", "charts"),
    [
        (
            meta_evaluate,
            ("correlations", "system means", "agreement", "gaps"),
            ("bars", "scatter", "verdicts", "gap"),
        ),
        (
            verdicts,
            ("significance", "agreement", "kinds", "intervals", "combinations"),
            ("verdicts", "combinations"),
        ),
        (gap, ("gaps",), ("gap",)),
        (composite, ("loadings", "separation"), ("loadings", "separation")),
    ],
)
def test_tables_and_charts_can_be_asked_for(ask, tables, charts, scores):
    pytest.importorskip("pandas")
    result = ask(scores, **QUICK[ask])
    assert (result.table_names, result.chart_kinds) == (tables, charts)
    for name in tables:
        assert len(result.to_frame(name, library="pandas"))
    for kind in charts:
        drawing = result.plot(kind)
        assert drawing.marks if isinstance(drawing, Picture) else drawing.axes
    assert all(chart.caption for chart in result.charts)


def test_meta_has_a_result_for_each_task_and_a_record_for_each_metric(scores):
    result = meta_evaluate(scores, human="pyramid", n_resamples=39)
    assert [evaluation.human for evaluation in result] == ["pyramid"]
    assert [record["metric"] for record in result.to_dict()["results"]] == ["good", "poor"]
    correlation = result[0].correlation("good", level="input", coefficient="kendall")
    frame = result.to_frame("correlations", library="pandas")
    rows = frame[(frame["metric"] == "good") & (frame["level"] == "input")]
    rows = rows[(rows["coefficient"] == "kendall") & (rows["peers"] == "all")]
    assert rows["value"].tolist() == [correlation.value]
    assert len(result.to_frame("pairs", library="pandas")) == 4
    assert "matrix" in result.chart_kinds
    assert result.page().startswith("<!doctype html>")


def test_verdicts_say_what_each_row_is_of(scores):
    result = verdicts(
        scores, human="pyramid", top=(3, "all"), n_resamples=0, combine=["good", "poor"]
    )
    rows = [(row.group.top, row.metric, row.study is None) for row in result]
    kinds = [("good", False), ("poor", False), ("good + poor", True)]
    assert rows == [(top, *kind) for top in (3, None) for kind in kinds]
    assert all(not row.intervals for row in result)
    dear = verdicts(scores, human="pyramid", n_resamples=0, costs=Costs(missed=5))
    plain = verdicts(scores, human="pyramid", n_resamples=0, costs="missed=1")
    for a, b in zip(dear, plain, strict=True):
        assert a.utility == pytest.approx(b.utility - 4 * a.agreement.fn / a.agreement.n)


def test_components_can_be_compared(scores):
    result = composite(scores, components=2)
    assert result.scores.measures == ("pc1", "pc2")
    compared = compare(result.scores, measures="pc1", test="wilcoxon")
    expected = next(
        separation for separation in result[0].separations if separation.measure == "pc1"
    )
    assert sum(pair.p <= 0.05 for pair in compared[0].comparisons) == expected.significant


def test_difficulty_needs_documents_and_takes_a_collection():
    result = difficulty(load_demo(), measures="responsiveness", tasks="A", n_resamples=19)
    assert result.table_names == ("correlations", "predictions", "topics")
    topics = result.to_frame("topics", library="pandas")
    assert topics["topic"].tolist() == [topic.topic for topic in result[0].topics]
    assert len(result.plot().axes) == 2


def test_verdicts_skip_a_task_without_pairs_and_say_which(scores):
    alone = scores.rows(scores.columns["system"] == scores.distinct("system")[0])
    lone = Scores({**alone.columns, "task": alone.columns["task"] + "lone"}, alone.value)
    result = verdicts(
        Scores.concatenate([scores, lone]), human="pyramid", n_resamples=0, peers="all"
    )
    without = verdicts(scores, human="pyramid", n_resamples=0, peers="all")
    assert [row.agreement for row in result] == [row.agreement for row in without]
    skipped = [line for line in result.left_out if line.startswith("verdicts of pyramid, task")]
    assert skipped
    assert all("lone: 1 system" in line for line in skipped)
    with pytest.raises(InputError, match="lone: 1 system"):
        verdicts(lone, human="pyramid", n_resamples=0, peers="all")
