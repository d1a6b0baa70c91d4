"""Small examples of `pyramidion.rouge._perl_command`."""

import re
import tempfile
from pathlib import Path

import pytest

from pyramidion.errors import InputError
from pyramidion.rouge._perl_command import parse_perl_options, run_perl


def test_perl_options():
    options = parse_perl_options(["-n", "2", "-m", "-a", "rouge.xml"])
    assert [variant.perl_name for variant in options.variants], options.stem == (
        ["ROUGE-1", "ROUGE-2", "ROUGE-L"],
        True,
    )


def test_parse_perl_options():
    with pytest.raises(InputError, match=re.escape("no configuration is named; add")):
        parse_perl_options(["-a"])


def test_run_perl():
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "items.jsonl"
        _ = file.write_text('{"topic": "1", "system": "7", "peer": "a", "references": ["a b"]}')
        lines = list(run_perl(parse_perl_options(["-n1", "-x", "-a", str(file)])))
    assert lines[1] == "7 ROUGE-1 Average_R: 0.50000 (95%-conf.int. 0.50000 - 0.50000)"
