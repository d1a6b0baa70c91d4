"""What the page about the methods concludes from a table that is computed when it is built."""

import re
import runpy
from pathlib import Path

DOCS = Path(__file__).parents[2] / "docs"


def test_counting_every_known_word_as_used_is_the_worst_choice(capsys):
    runpy.run_path(str(DOCS / "snippets" / "summarizers_update.py"))
    rows = re.findall(r"(0\.\d+) +(0\.\d+) +(0\.\d+)", capsys.readouterr().out)
    assert len(rows) == 4
    assert all(float(said) < min(float(damped), float(off)) for damped, said, off in rows)
    assert "it is the worst choice for all four methods" in (DOCS / "summarizers.md").read_text(
        encoding="utf-8"
    )
