"""The page about studies shows what is true."""

import re
from pathlib import Path

import typer

from pyramidion.cli.app import build_app

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "study.md").read_text(encoding="utf-8")


def test_every_command_is_on_the_page():
    commands = typer.main.get_command(build_app(())).commands["study"].commands.keys()  # type: ignore[attr-defined]
    assert set(re.findall(r"^\| \[`study (\S+)`\]", PAGE, re.MULTILINE)) == commands
