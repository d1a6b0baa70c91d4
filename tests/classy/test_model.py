"""Models as files and as metrics, and what they predict."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from classy.tac_years import tac_years
from pyramidion.classy import models, predict
from pyramidion.classy._models import LinearModel, find_models, predict_summaries
from pyramidion.collection import Collection, Summary, Task
from pyramidion.errors import FormatError, InputError, NotFoundError, ShapeError
from pyramidion.metrics import metric, parse_metric, score, score_collection
from pyramidion.metrics._own import MARKED_FUNCTIONS

MODEL = LinearModel(
    "mine/25/A/all",
    ("rouge-2-r(stem)", "term-overlap"),
    (12.5, -0.25),
    constant=1.5,
    target="responsiveness",
    method="robust",
    task="A",
    peers="all",
    training={"years": [{"name": "2009", "rows": 3}], "seed": 0},
)


@pytest.fixture(scope="module")
def year():
    return tac_years()[0]


def test_a_model_is_a_file(tmp_path):
    path = tmp_path / "model.json"
    MODEL.save(path)
    assert LinearModel.load(path) == MODEL
    assert list(json.loads(path.read_text()))[:4] == [
        "pyramidion-model",
        "name",
        "columns",
        "coefficients",
    ]


@given(
    st.lists(st.floats(-1e300, 1e300), min_size=2, max_size=2),
    st.floats(-1e6, 1e6),
    st.text(max_size=20),
)
def test_numbers_and_names_read_back(coefficients, constant, name):
    model = LinearModel(name, MODEL.columns, tuple(coefficients), constant=constant)
    assert LinearModel.from_json(model.to_json()) == model


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda c: c.pop("pyramidion-model"), "this is not a model; train one"),
        (lambda c: c.update({"pyramidion-model": 2}), "this is not a model"),
        (lambda c: c.pop("coefficients"), "cannot be read: 'coefficients'"),
        (lambda c: c.update(columns="rouge-2-r"), "columns is not a list"),
        (lambda c: c.update(coefficients=[1.0]), "2 metrics and 1 coefficients"),
        (lambda c: c.update(coefficients=["a", 1]), "could not convert"),
        (lambda c: c.update(coefficients=[1e999, 1]), "not a finite number"),
        (lambda c: c.update(columns=["rouge-2-r", "blue"]), "there is no metric 'blue'"),
        (lambda c: c.update(colour="red"), "there is no field 'colour'"),
        (lambda c: c.update(coefficients=[10**400, 1]), "too large to convert"),
        (lambda c: c.update(name=["mine"]), r"name is \['mine'\]"),
    ],
)
def test_files_that_are_not_models(tmp_path, change, said):
    content = json.loads(MODEL.to_json())
    change(content)
    path = tmp_path / "model.json"
    path.write_text(json.dumps(content))
    with pytest.raises(FormatError, match=said) as caught:
        LinearModel.load(path)
    assert str(path) in str(caught.value)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        *((text, "this is no") for text in ("", "[1]", "{", "7")),
        ('{"training": ' + "[" * 100_000, "nested too deeply"),
        ('{"constant": ' + "7" * 5000 + "}", "too long a number"),
    ],
    ids=["empty", "list", "cut", "number", "deep", "digits"],
)
def test_text_that_is_not_a_model(text, said):
    with pytest.raises(FormatError, match=said):
        LinearModel.from_json(text)


def test_coefficients_fit_metrics():
    with pytest.raises(ShapeError, match="1 metrics and 2 coefficients"):
        LinearModel("m", ("bleu",), (1.0, 2.0))


def test_a_prediction_is_the_weighted_sum(year):
    """People against the others' references, machines averaged over all but one."""
    prediction = predict_summaries(MODEL, year)
    columns = score_collection(year, [parse_metric(c) for c in MODEL.columns], jackknife=True)
    row = {summary.key: number for number, summary in enumerate(columns.summaries)}
    rows = [row[summary.key] for summary in prediction.summaries]
    assert {summary.task for summary in prediction.summaries} == {"A"}
    expected = columns.values[rows] @ np.array(MODEL.coefficients) + MODEL.constant
    assert prediction.values == pytest.approx(expected)


def test_no_models_are_machines_against_all_references(year):
    prediction = predict_summaries(MODEL, year, peers="no-models")
    assert {summary.kind for summary in prediction.summaries} == {"machine"}
    plain = score_collection(year, [parse_metric(MODEL.columns[0])])
    row = {summary.key: number for number, summary in enumerate(plain.summaries)}
    single = replace(MODEL, columns=MODEL.columns[:1], coefficients=(1.0,), constant=0.0)
    found = predict_summaries(single, year, peers="no-models")
    expected = [plain.values[row[summary.key], 0] for summary in found.summaries]
    assert found.values == pytest.approx(expected)


def test_a_file_is_a_metric(year, tmp_path):
    path = tmp_path / "model.json"
    MODEL.save(path)
    metric = parse_metric(f"classy(model={path})")
    found = score_collection(year, [metric], jackknife=True)
    row = {summary.key: number for number, summary in enumerate(found.summaries)}
    prediction = predict_summaries(MODEL, year)
    expected = [found.values[row[summary.key], 0] for summary in prediction.summaries]
    assert prediction.values == pytest.approx(expected)
    assert parse_metric(str(metric)) == metric


OWN = "def words(summary):\n    return len(summary.split())\n"


@pytest.mark.parametrize("column", ["words", "{file}:words"])
def test_a_metric_of_ones_own_is_named_again(year, tmp_path, monkeypatch, column):
    """As a model was trained by its name, or written by hand with its file."""
    # Short names, since long errors are cut.
    monkeypatch.chdir(tmp_path)
    file, path = Path("own.py"), Path("m.json")
    file.write_text(OWN)
    column, typed = column.format(file=file), f"{file}:words"
    weights = {"coefficients": (2.0, -1.0), "constant": 0.0, "training": {}}
    replace(MODEL, columns=(column, "length"), **weights).save(path)
    assert models(path)[0].columns[0] == column
    hint = f"add -m {typed}" if ":" in column else "add -m FILE.py:words"
    for refused in (
        lambda: LinearModel.load(path),
        lambda: predict(path, year),
        lambda: score(year, metrics=f"classy(model={path})"),
    ):
        with pytest.raises(FormatError, match=hint):
            refused()
    loaded = LinearModel.load(path, metrics=[typed])
    assert loaded == LinearModel.read(path)
    assert LinearModel.from_json(loaded.to_json()) == loaded
    expected = predict_summaries(loaded, year).values
    assert predict(path, year, metrics=typed)[0].values == pytest.approx(expected)
    assert predict(loaded, year)[0].values == pytest.approx(expected)
    result = score(year, metrics=f"classy(model={path}),{typed}", jackknife=True, tasks="A")
    both = {name: result.scores.select(measure=name).value for name in result.scores.measures}
    assert both.keys() == {f"classy(model={path})", "words"}
    assert sorted(both[f"classy(model={path})"]) == pytest.approx(sorted(expected))


@pytest.mark.parametrize("years", [[{"name": "2009"}], [1], 1])
def test_a_record_of_training_that_is_damaged(tmp_path, years):
    replace(MODEL, training={"years": years}).save(tmp_path / "m.json")
    with pytest.raises(FormatError, match="record is incomplete; train it again"):
        models(tmp_path / "m.json")


def test_a_metric_that_no_model_has_is_refused(year, tmp_path):
    (tmp_path / "own.py").write_text(OWN)
    with pytest.raises(InputError, match=r"no model has the metric .*own.py:words"):
        predict(MODEL, year, metrics=f"{tmp_path}/own.py:words")


def test_a_metric_marked_in_this_process_is_named_again(tmp_path, monkeypatch):
    monkeypatch.setattr("pyramidion.metrics._own.MARKED_FUNCTIONS", dict(MARKED_FUNCTIONS))
    (tmp_path / "m.json").write_text(replace(MODEL, columns=("mine", "length")).to_json())

    @metric
    def mine(summary):
        return 1.0

    with pytest.raises(FormatError, match="there is no metric 'mine'"):
        LinearModel.load(tmp_path / "m.json")
    assert str(LinearModel.load(tmp_path / "m.json", metrics=["mine"]).metrics[0]) == "mine"


def test_metrics_that_load_something_are_named_again(tmp_path):
    """Options of free text may name a file, folder or package; numbers and words may not."""
    columns = ("meteor(wordnet=folder)", "rouge-1-r(stem,language=de)")
    (tmp_path / "m.json").write_text(replace(MODEL, columns=columns).to_json())
    with pytest.raises(FormatError, match=r"the wordnet of .* add -m 'meteor\(wordnet=folder\)'"):
        LinearModel.load(tmp_path / "m.json")
    model = LinearModel.load(tmp_path / "m.json", metrics=[columns[0]])
    assert [str(metric) for metric in model.metrics] == [columns[0], *map(str, model.metrics[1:])]


def test_the_task(year):
    other = replace(MODEL, task="C")
    with pytest.raises(InputError, match="summaries of 2 tasks; choose a task: A, B"):
        predict_summaries(other, year)
    assert predict_summaries(other, year, task="B").summaries[0].task == "B"
    only = Collection("mine", summaries=(Summary("T", "A", "Rain fell.", kind="human"),
                                         Summary("T", "7", "Rain fell."),
                                         Summary("T", "B", "Rain.", kind="human")))  # fmt: skip
    assert len(predict_summaries(other, only).values) == 3


def test_an_update_model_needs_earlier_references():
    model = replace(MODEL, columns=("rouge-2-r(stem,against=earlier)", "term-overlap"))
    summaries = (
        Summary("T", "A", "Rain fell.", kind="human", task="B"),
        Summary("T", "7", "Rain fell.", task="B"),
    )
    collection = Collection("mine", tasks=(Task("B", documents="update"),), summaries=summaries)
    with pytest.raises(InputError, match="needs earlier references, and no summary"):
        predict_summaries(model, collection)


def test_undefined_metrics_leave_no_number(year):
    empty = replace(year.summaries[-1], text="")
    gap = replace(year, summaries=(*year.summaries[:-1], empty))
    model = replace(MODEL, columns=("neighbor-cosine", "term-overlap"), task=empty.task)
    prediction = predict_summaries(model, gap, peers="no-models")
    assert np.isnan(prediction.values[-1])
    assert len(prediction.scores) == np.isfinite(prediction.values).sum()


def test_finding_models(tmp_path):
    for number in (10, 9):
        replace(MODEL, name=f"m{number}").save(tmp_path / f"{number}.json")
    assert [model.name for model in find_models(tmp_path)] == ["m9", "m10"]
    assert find_models(tmp_path / "9.json")[0].name == "m9"
    (tmp_path / "empty").mkdir()
    with pytest.raises(NotFoundError, match="no model in this folder"):
        find_models(tmp_path / "empty")
    with pytest.raises(NotFoundError, match="no such file or published model"):
        find_models(tmp_path / "no.json")


def test_a_model_without_metrics_predicts_nothing(year):
    with pytest.raises(InputError, match="has no metrics"):
        predict_summaries(LinearModel("m", (), ()), year)


def test_a_model_without_metrics_predicts_its_constant():
    constant = LinearModel("constant", (), (), constant=0.5)
    assert constant.predict(np.empty((3, 0))).tolist() == [0.5, 0.5, 0.5]
