"""Regenerate what a rewriter changes on the demo collection, to be read by a person.

``python tools/review.py noun-phrases`` (or ``people``) asks ``tests/rewriting/changes_NAME.py`` for
all changes and writes them to ``tests/rewriting/reviewed``, one a line. Verdicts on changes that
came out as before are kept; new ones have ``"good": null`` until somebody has read them. The
module has the names of its ``FILES``, and ``changes()`` gives pairs of such a name and a change.
"""

import argparse
import json
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

TESTS = Path(__file__).resolve().parents[1] / "tests"
REVIEWED = TESTS / "rewriting" / "reviewed"
VERDICT = ("good", "reason")
UNREAD = {"good": None, "reason": "unread"}

Change = dict[str, Any]


def read(path: Path) -> list[Change]:
    """Read a file of changes; nothing if it is not there."""
    if not path.exists():
        return []
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def key(change: Change) -> str:
    """Return what makes two changes the same, whoever judged them."""
    return json.dumps({k: v for k, v in change.items() if k not in VERDICT}, sort_keys=True)


def judged(changes: list[Change], before: list[Change]) -> list[Change]:
    """Return each change the verdict it had before."""
    verdicts = {key(change): {name: change[name] for name in VERDICT} for change in before}
    return [change | verdicts.get(key(change), UNREAD) for change in changes]


def write(path: Path, changes: list[Change]) -> None:
    """Write changes, one a line."""
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = (json.dumps(change, ensure_ascii=False) + "\n" for change in changes)
    path.write_text("".join(lines), encoding="utf-8")


def main() -> None:
    """Regenerate, keep verdicts, and say what is to be read."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("name", choices=("noun-phrases", "people"))
    name = parser.parse_args().name.replace("-", "_")
    sys.path.insert(0, str(TESTS))
    module = import_module(f"rewriting.changes_{name}")
    files: dict[str, list[Change]] = {file: [] for file in module.FILES}
    for file, change in module.changes():
        files[file].append(change)
    for file, changes in files.items():
        path = REVIEWED / file
        done = judged(changes, read(path))
        write(path, done)
        unread = sum(change["good"] is None for change in done)
        good = sum(change["good"] is True for change in done)
        print(f"{path.name}: {len(done)} changes, {good} good, {unread} to be read")


if __name__ == "__main__":
    main()
