"""Style and script of pages, their colors, and the sources they cite."""

from pathlib import Path

#: The folder that holds them.
REPORT_FILES = Path(__file__).with_name("page")


def page_file(name: str) -> str:
    """Read one of these files."""
    return (REPORT_FILES / name).read_text(encoding="utf-8")
