"""Texts to score in any layout: lines, files, wide tables, and records with documents."""

import json

import pandas as pd
import pytest

from pyramidion import score
from pyramidion.collection.sources import read_source
from pyramidion.errors import DataNote, InputError


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pred.txt").write_text("It rained today.\nThe sun shone.\n")
    (tmp_path / "gold.txt").write_text("It rained.\nThe sun was shining.\n")
    (tmp_path / "gold2.txt").write_text("Rain fell.\nThe sun shone.\n")
    for name in ("pred", "gold", "gold2"):
        (tmp_path / name).mkdir()
        for number, line in enumerate((tmp_path / f"{name}.txt").read_text().splitlines(), 1):
            (tmp_path / name / f"{number}.{name}").write_text(line + "\n")
    return tmp_path


@pytest.mark.parametrize("ending", [".txt", ""])
def test_lines_and_files_of_a_folder_belong_together(ending):
    result = score(
        f"pred{ending}", references=[f"gold{ending}", f"gold2{ending}"], metrics="rouge-1"
    )
    rows = {(row.topic, row.system): row.value for row in result.scores}
    # References are pooled: twice the shared words over the words of both sides.
    assert rows == {
        ("1", "pred"): pytest.approx(2 * (2 + 0) / (2 + 2 + 3 + 3)),
        ("2", "pred"): pytest.approx(2 * (2 + 3) / (4 + 3 + 3 + 3)),
    }


def test_a_different_number_of_lines_is_refused(folder):
    (folder / "short.txt").write_text("It rained.\n")
    with pytest.raises(InputError, match=r"pred\.txt has 2 lines, short\.txt has 1"):
        score("pred.txt", references=["short.txt"])


def test_a_file_without_a_reference_is_refused(folder):
    (folder / "gold" / "2.gold").unlink()
    with pytest.raises(InputError, match="gold lacks 2"):
        score("pred", references=["gold"])


def test_a_file_and_a_folder_do_not_go_together():
    with pytest.raises(InputError, match="not of the same kind"):
        score("pred.txt", references=["gold"])


def test_a_text_alone_says_how_to_name_references():
    with pytest.raises(InputError, match=r"pyramidion score pred\.txt --references gold\.txt"):
        score("pred.txt")


WIDE = [
    {
        "id": "1",
        "gold": "It rained all day.",
        "pegasus": "It rained in Rome.",
        "brio": "Rain all day there.",
    },
    {
        "id": "2",
        "gold": "The sun shone.",
        "pegasus": "The sun shone.",
        "brio": "It was very sunny.",
    },
]


def test_columns_of_texts_next_to_references_are_systems(tmp_path):
    source = tmp_path / "wide.csv"
    pd.DataFrame(WIDE).to_csv(source, index=False)
    with pytest.warns(
        DataNote, match="references: gold; systems: pegasus, brio; --columns changes"
    ):
        result = score(source, metrics="rouge-1-r")
    means = {mean["system"]: mean["mean"] for mean in result}
    assert means == pytest.approx({"pegasus": (2 / 4 + 1) / 2, "brio": (2 / 4 + 0) / 2})  # by hand
    renamed = pd.DataFrame(WIDE).rename(columns={"gold": "human"})
    renamed.to_csv(source, index=False)
    with pytest.raises(InputError, match="human, pegasus, brio hold texts, but no references; say"):
        score(source)
    assert len(score(source, metrics="rouge-1-r", columns="reference=human")) == 2
    assert len(score(renamed, metrics="rouge-1-r", columns="reference=human,text=brio")) == 1


TEXT = {"references": ["It rained all day."], "system": "a"}
LAYOUTS = {
    "long": TEXT | {"topic": "1", "text": "It rained."},
    "summary": TEXT | {"topic": "1", "summary": "It rained."},
    "stream": TEXT | {"topic": "1", "peer": "It rained."},
    "wide": {"topic": "1", "gold": "It rained all day.", "a": "It rained in Rome."},
    "one row per topic": {
        "topic": "1",
        "references": ["It rained all day."],
        "output": "It rained.",
    },
    "judged": TEXT | {"topic": "1", "summary": "It rained.", "scores": {"relevance": 3}},
    "summaries": {"topic": "1", "system": "a", "text": "It rained."},
}


@pytest.mark.filterwarnings("ignore::pyramidion.errors.DataNote")
@pytest.mark.parametrize("objects", [False, True])
@pytest.mark.parametrize("layout", LAYOUTS)
def test_documents_are_read_in_every_layout(tmp_path, layout, objects):
    texts = ["Rain fell in Rome all day.", "It rained."]
    documents = (
        [{"id": f"d{n}", "text": text} for n, text in enumerate(texts)] if objects else texts
    )
    source = tmp_path / "texts.jsonl"
    records = [LAYOUTS[layout] | {"topic": topic, "documents": documents} for topic in ("1", "2")]
    source.write_text("".join(f"{json.dumps(record)}\n" for record in records))
    collection = read_source(source)
    assert [[d.text for d in topic.documents] for topic in collection.topics] == [texts] * 2
    assert len(score(source, metrics="js-input")) == 1
