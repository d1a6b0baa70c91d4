"""The style sheet, script and colors of pages."""

from pathlib import Path

#: The folder of the style sheets and scripts of pages.
PAGE_FOLDER = Path(__file__).with_name("page")


def read_page_file(name: str) -> str:
    """Read a file of the folder `PAGE_FOLDER`."""
    return (PAGE_FOLDER / name).read_text(encoding="utf-8")
