"""Every reading that is cited is on the page of readings."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "readings.md"
CITED = re.compile(r"\b[Rr]eadings?\s+(\d+(?:(?:,|\s+to|\s+and|,\s+and)\s+\d+)*)\b")


def cited():
    """Yield the number and the file of each citation."""
    for folder, ending in (("src", "py"), ("docs", "md"), ("tests", "py")):
        for path in sorted((ROOT / folder).rglob(f"*.{ending}")):
            for match in CITED.finditer(path.read_text(encoding="utf-8")):
                for number in re.findall(r"\d+", match[1]):
                    yield int(number), str(path.relative_to(ROOT))


def test_every_cited_reading_exists():
    if not PAGE.exists():
        pytest.skip("the documentation is not here")
    listed = [int(n) for n in re.findall(r"^\| (\d+) \|", PAGE.read_text(encoding="utf-8"), re.M)]
    assert listed == sorted(set(listed))
    citations = set(cited())
    assert len({number for number, _ in citations}) > 20
    assert {citation for citation in citations if citation[0] not in listed} == set()
