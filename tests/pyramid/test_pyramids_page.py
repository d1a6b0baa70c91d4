"""The pages about pyramids show what is true."""

import json
import re
from pathlib import Path

from pyramidion.collection.formats import detect, read_collection
from pyramidion.pyramid.cases import gather_cases

DOCS = Path(__file__).parents[2] / "docs"


def test_the_json_on_the_page_is_read(tmp_path):
    page = (DOCS / "formats" / "pyramids.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"```text\n(\{.*?)```", page, re.DOTALL)
    # The page breaks lines, which a file does not.
    lines = "\n".join(json.dumps(json.loads(record)) for record in block.split("\n\n"))
    file = tmp_path / "page.jsonl"
    file.write_text(lines, encoding="utf-8")
    assert detect(file).name == "pyramids"
    collection = read_collection(file)
    assert collection.left_out == ()
    scores = {(c.topic, c.system): c.scores().modified for c in gather_cases(collection).cases}
    assert scores == {("T1", "7"): 1, ("T1", "A"): 1, ("T1", "B"): 1, ("T2", "7"): 0.5}
