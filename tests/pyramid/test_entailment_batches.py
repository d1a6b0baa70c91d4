"""Statements go to an entailment model in batches; a stand-in takes the place of transformers."""

import sys
from types import SimpleNamespace

import numpy as np
import pytest

from pyramidion.errors import FormatError
from pyramidion.pyramid import Entailment


class Logits:
    """As much of a tensor as is needed; its numbers are probabilities already."""

    def __init__(self, values):
        self.values = values

    def detach(self):
        return self

    def softmax(self, axis):
        return self

    def __getitem__(self, key):
        return SimpleNamespace(numpy=lambda: self.values[key])


class StandIn:
    """A tokenizer and a model that finds a statement as probable as the number it ends with."""

    model_max_length = 10_000
    config = SimpleNamespace(label2id={"Neutral": 0, "Entailment": 1})
    batches: list[int]
    missing_keys: tuple[str, ...] = ()

    def __init__(self):
        self.batches = []

    def from_pretrained(self, folder, output_loading_info=False, **options):
        assert options == {"local_files_only": True, "trust_remote_code": False}
        return (self, {"missing_keys": self.missing_keys}) if output_loading_info else self

    def eval(self):
        return self

    def __call__(self, texts=(), statements=(), **options):
        if statements:
            assert (options["max_length"], options["truncation"]) == (512, "only_first")
            assert texts == ["Text."] * len(statements)
            self.batches.append(len(statements))
            return {"numbers": [float(statement.split()[-1]) for statement in statements]}
        values = np.array(options["numbers"])
        return SimpleNamespace(logits=Logits(np.column_stack([1 - values, values])))


@pytest.fixture
def stand_in(tmp_path, monkeypatch):
    model = StandIn()
    library = SimpleNamespace(AutoModelForSequenceClassification=model, AutoTokenizer=model)
    monkeypatch.setitem(sys.modules, "torch", SimpleNamespace())
    monkeypatch.setitem(sys.modules, "transformers", library)
    (tmp_path / "config.json").write_text("{}")
    return model, Entailment(tmp_path)


@pytest.mark.parametrize(
    ("number", "batches"), [(0, []), (1, [1]), (32, [32]), (33, [32, 1]), (70, [32, 32, 6])]
)
def test_each_statement_has_its_probability(stand_in, number, batches):
    model, judge = stand_in
    expected = [n / 100 for n in range(number)]
    found = judge.probabilities("Text.", [f"Statement {value}" for value in expected])
    assert found.tolist() == pytest.approx(expected)
    assert model.batches == batches


def test_a_model_without_the_label_is_refused(stand_in, monkeypatch):
    model, judge = stand_in
    monkeypatch.setattr(model, "config", SimpleNamespace(label2id={"yes": 0, "no": 1}))
    with pytest.raises(FormatError, match="the model's labels are yes, no"):
        judge.probabilities("Text.", ["Statement 1"])


def test_a_model_whose_classifier_was_never_trained_is_refused(stand_in, monkeypatch):
    model, judge = stand_in
    monkeypatch.setattr(model, "missing_keys", ("classifier.weight",))
    with pytest.raises(FormatError, match="the model has no trained classifier"):
        judge.probabilities("Text.", ["Statement 1"])
