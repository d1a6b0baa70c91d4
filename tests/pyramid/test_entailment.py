"""Entailment by a local model: a tiny one, made here."""

import pytest

from pyramidion.collection import Pyramid
from pyramidion.errors import FormatError
from pyramidion.pyramid import Annotator, Entailment

PYRAMID = Pyramid.from_references(
    {"A": "Ice melts. Ships sink."},
    [("Ice melts", {"A": ["Ice melts"]}), ("Ships sink", {"A": ["Ships sink"]})],
)


class Always:
    """A judge that knows one statement."""

    name = "always"

    def probabilities(self, text, statements):
        import numpy as np

        return np.array([0.7 if "Ships" in statement else 0.1 for statement in statements])


def test_a_judge_decides_in_place_of_similarity():
    annotator = Annotator(PYRAMID, by="similarity", judge=Always())
    assert annotator.probabilities("Nothing.").tolist() == [0.1, 0.7]
    assert annotator.probabilities("").tolist() == [0, 0]


def test_a_folder_without_a_model_is_refused(tmp_path):
    with pytest.raises(FormatError, match="no transformers model in this folder"):
        Entailment(tmp_path)


def save_model(path):
    """Write a tiny entailment model, which was not trained, or skip the test."""
    pytest.importorskip("torch", reason="entailment needs torch")
    transformers = pytest.importorskip("transformers", reason="entailment needs transformers")
    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "ice", "melts", "ships", "sink"]
    (path / "vocab.txt").write_text("\n".join(words), encoding="utf-8")
    tokenizer = transformers.BertTokenizerFast(str(path / "vocab.txt"))
    labels = {0: "contradiction", 1: "neutral", 2: "entailment"}
    config = transformers.BertConfig(
        vocab_size=len(words), hidden_size=8, num_hidden_layers=1, num_attention_heads=2,
        intermediate_size=8, num_labels=3, id2label=labels,
        label2id={name: number for number, name in labels.items()},
    )  # fmt: skip
    transformers.BertForSequenceClassification(config).save_pretrained(path)
    tokenizer.save_pretrained(path)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("entailment")
    save_model(path)
    return path


def test_a_local_model_gives_probabilities(folder):
    judge = Entailment(folder)
    assert judge.name.startswith(f"{folder.name}@")
    result = Annotator(PYRAMID, judge=judge, by="similarity").annotate("Ice melts.")
    assert all(0 < value < 1 for value in result.probabilities.values())
    assert len(judge.probabilities("Ice. " * 600, ["Ice melts"] * 40)) == 40


@pytest.mark.parametrize("damage", ["weights", "tokenizer"])
def test_a_damaged_model_is_refused_in_one_line(folder, tmp_path, damage):
    names = {"weights": ["config.json", "tokenizer.json"], "tokenizer": ["config.json"]}[damage]
    for name in names:
        (tmp_path / name).write_bytes((folder / name).read_bytes())
    (tmp_path / "model.safetensors").write_bytes(b"cut")
    with pytest.raises(FormatError, match=r"transformers cannot load the model \(\w+\); give a"):
        Entailment(tmp_path).probabilities("Ice melts.", ["Ice melts"])


def test_a_model_without_an_entailment_head_is_refused(folder, tmp_path):
    transformers = pytest.importorskip("transformers")
    for file in folder.iterdir():
        (tmp_path / file.name).write_bytes(file.read_bytes())
    config = transformers.BertConfig.from_pretrained(folder)
    transformers.BertForMaskedLM(config).save_pretrained(tmp_path)
    with pytest.raises(FormatError, match="the model has no trained classifier"):
        Entailment(tmp_path).probabilities("Ice melts.", ["Ice melts"])
