"""Plain texts with references: one per line, or one per file."""

import pytest

from pyramidion import score
from pyramidion.errors import InputError


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
