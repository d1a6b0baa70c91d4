"""The style sheet, script and colors of pages."""

from pathlib import Path

#: The folder of these files.
REPORT_FILES = Path(__file__).with_name("page")


def page_file(name: str) -> str:
    """Read one of these files."""
    return (REPORT_FILES / name).read_text(encoding="utf-8")
