"""The pages about pyramids show what is true."""

import json
import re
import runpy
from pathlib import Path

import pytest

from pyramidion.collection.formats import detect, read_collection
from pyramidion.pyramid.cases import gather_cases

DOCS = Path(__file__).parents[2] / "docs"


@pytest.mark.parametrize(
    ("name", "page"),
    [
        ("pyramids_scores", "pyramids"),
        ("pyramids_commands", "pyramids"),
        ("pyramids_agreement", "pyramids_reliability"),
    ],
)
def test_what_a_snippet_prints_is_on_the_page(name, page, capsys):
    runpy.run_path(str(DOCS / "snippets" / f"{name}.py"))
    printed = capsys.readouterr().out
    assert printed.strip()
    assert f"```text\n{printed}```" in (DOCS / f"{page}.md").read_text(encoding="utf-8")


def test_the_json_on_the_page_is_read(tmp_path):
    page = (DOCS / "formats" / "pyramids.md").read_text(encoding="utf-8")
    (lines,) = re.findall(r"```json\n(.*?)```", page, re.DOTALL)
    assert all(json.loads(line) for line in lines.splitlines())
    file = tmp_path / "page.jsonl"
    file.write_text(lines, encoding="utf-8")
    assert detect(file).name == "pyramids"
    collection = read_collection(file)
    assert collection.left_out == ()
    scores = {(c.topic, c.system): c.scores().modified for c in gather_cases(collection).cases}
    assert scores == {("T1", "7"): 1, ("T1", "A"): 1, ("T1", "B"): 1, ("T2", "7"): 0.5}
