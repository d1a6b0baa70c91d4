"""What a command answered, as a text: run once, written in every form, compared with a file.

`capture` is the one place that knows how commands hand in their answers, and `forms_of` the one
that knows how an answer is written; a change of the command line's core changes these two.
"""

import contextlib
import gzip
import hashlib
import io
import math
import os
import re
import shlex
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, field
from difflib import unified_diff
from html import unescape
from pathlib import Path
from typing import Any

import pyramidion
from pyramidion.cli import runtime

RECORDED = Path(__file__).with_name("recorded")
OUTPUT = "out"

_PACKAGE = str(Path(pyramidion.__file__).parent)
_HEAD = "════════ "
_MOST_LINES, _MOST_CHARACTERS, _MOST_FILES = 120, 10_000, 15
_DIFF_LINES = 60


@dataclass
class Run:
    """One run of a command."""

    code: int
    out: str
    err: str
    answers: list[Any] = field(default_factory=list)


# The seam with the command line


@contextlib.contextmanager
def capture() -> Iterator[list[Any]]:
    """Collect the results that commands hand in to be printed."""
    results: list[Any] = []
    original = runtime.print_result

    def watching(result: Any, *arguments: Any, **options: Any) -> int:
        results.append(result)
        return original(result, *arguments, **options)

    runtime.print_result = watching
    try:
        yield results
    finally:
        runtime.print_result = original


def forms_of(answer: Any) -> dict[str, str]:
    """Write an answer in every form."""
    write = answer.render
    return {
        "table": write("table"),
        "table at 80 columns": write("table", width=80),
        "csv": write("csv"),
        "latex": write("latex"),
        "json": write("json"),
    }


def run_command(arguments: list[str]) -> Run:
    """Run a command in this process, with what it writes caught."""
    out, err = io.StringIO(), io.StringIO()
    with capture() as answers, contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = runtime.run(arguments)
    return Run(code, out.getvalue(), err.getvalue(), answers)


# From a run to a text


def record(case: str, folder: Path) -> str:
    """Run a case in a folder with its inputs, and give its snapshot."""
    output = folder / OUTPUT
    shutil.rmtree(output, ignore_errors=True)
    output.mkdir()
    arguments = shlex.split(case)
    with contextlib.chdir(folder), _environment(COLUMNS="80"):
        run = run_command(arguments)
    sections = {"command": f"pyramidion {case}\n", "exit code": f"{run.code}\n"}
    sections |= _output_sections(run)
    sections |= {f"file {name}": text for name, text in _files(output)}
    return "".join(
        f"{_HEAD}{name}\n{_ended(normalized(text, folder))}" for name, text in sections.items()
    )


def _output_sections(run: Run) -> dict[str, str]:
    forms = [forms_of(answer) for answer in run.answers]
    sections = {"stderr": run.err}
    if run.out != "".join(form["table"] for form in forms):
        sections["stdout"] = run.out
    for number, texts in enumerate(forms):
        more = f" of answer {number + 1}" if number else ""
        sections |= {f"{form}{more}": text for form, text in texts.items()}
    return sections


@contextlib.contextmanager
def _environment(**variables: str) -> Iterator[None]:
    before = {name: os.environ.get(name) for name in variables}
    os.environ.update(variables)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


def normalized(text: str, folder: Path) -> str:
    """Take out what depends on the machine: paths, the version, the last digits of numbers."""
    for path, name in ((str(folder), "<folder>"), (_PACKAGE, "<package>")):
        text = text.replace(path, name)
    return _unversioned(text)


def _unversioned(text: str) -> str:
    text = text.replace(pyramidion.__version__, "<version>")
    text = re.sub(r"\|numpy:[\w.+]+\|scipy:[\w.+]+", "", text)
    return _NUMBER.sub(_rounded, text)


_NUMBER = re.compile(r"(?<![\w.])-?\d+\.\d{9,}(?:e[+-]?\d+)?|(?<![\w.])-?\d(?:\.\d+)?e-\d+")


def _rounded(match: re.Match[str]) -> str:
    value = float(match[0])
    return "0.0" if abs(value) < 1e-12 else f"{value:.9g}"


def _ended(text: str) -> str:
    return text if not text or text.endswith("\n") else f"{text}\n"


# Files


def _files(output: Path) -> Iterator[tuple[str, str]]:
    paths = sorted(path for path in output.rglob("*") if path.is_file())
    for number, path in enumerate(paths):
        text = _content(path)
        shown = text if number < _MOST_FILES else _digest(text)
        yield path.relative_to(output.parent).as_posix(), shown


def _content(path: Path) -> str:
    if path.suffix == ".svg":
        return _svg_texts(path.read_text(encoding="utf-8"))
    if path.suffix in {".png", ".pdf", ".parquet"}:
        return f"begins with {path.read_bytes()[:4]!r}\n"
    text = path.read_text(encoding="utf-8")
    return _page(text) if path.suffix == ".html" else _shortened(text)


def _shortened(text: str) -> str:
    """Keep the beginning of a long file, and the hash of all."""
    beginning = "".join(text.splitlines(keepends=True)[:_MOST_LINES])[:_MOST_CHARACTERS]
    return text if beginning == text else f"{beginning}\n{_digest(text)}"


def _digest(text: str) -> str:
    digest = hashlib.sha256(_unversioned(text).encode()).hexdigest()[:16]
    return f"... {len(text.splitlines())} lines, sha256 {digest}\n"


def _svg_texts(svg: str) -> str:
    """Return what a figure says; matplotlib writes each text as a comment beside its outlines."""
    texts = re.findall(r"<!-- (.*?) -->", svg, re.DOTALL)
    texts += re.findall(r"<text[^>]*>(.*?)</text>", svg, re.DOTALL)
    return "".join(f"{text}\n" for text in sorted(map(unescape, texts)))


def _page(html: str) -> str:
    """Return a page's own words, a tag a line, with figures reduced to their texts."""
    html = re.sub(r"<(style|script)>.*?</\1>", r"<\1/>", html, flags=re.DOTALL)
    html = re.sub(r"data:image/[^\"']*", "data:image", html)
    html = re.sub(r"'sha256-[^']*'", "'sha256'", html)
    html = re.sub(
        r"<svg.*?</svg>", lambda match: f"[figure\n{_svg_texts(match[0])}]", html, flags=re.DOTALL
    )
    return re.sub(r"(</(?:tr|p|h\d|figure|caption|section|thead|summary)>)", r"\1\n", html)


# Comparing with what is recorded


def path_of(name: str) -> Path:
    """Return where a case's snapshot lies."""
    return RECORDED / f"{name}.txt.gz"


def recorded(name: str) -> str | None:
    """Read a case's snapshot, if there is one."""
    path = path_of(name)
    return gzip.decompress(path.read_bytes()).decode() if path.exists() else None


def save(name: str, text: str) -> None:
    """Write a case's snapshot; the same text gives the same bytes."""
    path_of(name).write_bytes(gzip.compress(text.encode(), mtime=0))


def difference(name: str, recorded_now: str) -> str:
    """Say in which sections a snapshot differs, and how; nothing where it does not."""
    before = recorded(name)
    if before is None:
        return f"{name}: there is no snapshot; `make snapshots` writes it"
    # What is rounded to a whole number has no point; what is one has.
    old, new = (_sections(re.sub(r"(?<![\w.])(\d+)\.0(?![\w.])", r"\1", text))
                for text in (before, recorded_now))  # fmt: skip
    new = {head: _within_rounding(old.get(head, ""), text) for head, text in new.items()}
    changed = [head for head in dict.fromkeys([*old, *new]) if old.get(head) != new.get(head)]
    if not changed:
        return ""
    lines = [f"{name}: changed in {', '.join(changed)} (`make snapshots` accepts it)"]
    for head in changed:
        lines += unified_diff(
            old.get(head, "").splitlines(),
            new.get(head, "").splitlines(),
            f"{head}, recorded",
            f"{head}, now",
            lineterm="",
            n=1,
        )
    more = len(lines) - _DIFF_LINES
    return "\n".join([*lines[:_DIFF_LINES], *([f"... {more} more lines"] if more > 0 else [])])


#: Numbers of this many digits differ in the last ones between processors, which add up in
#: different orders; an answer that depends on the processor differs by more than the tolerance.
_MANY_DIGITS, _TOLERANCE = 7, 1e-6

_ANY_NUMBER = re.compile(r"((?<![\w.])-?\d+(?:\.\d+)?(?:e[+-]?\d+)?(?![\w.]*\w))")


def _within_rounding(old: str, new: str) -> str:
    """Return the new text with lines like the old ones where only last digits differ."""
    before, now = old.splitlines(keepends=True), new.splitlines(keepends=True)
    if len(before) != len(now):
        return new
    return "".join(a if _differ_by_rounding(a, b) else b for a, b in zip(before, now, strict=True))


def _differ_by_rounding(old: str, new: str) -> bool:
    before, now = _ANY_NUMBER.split(old), _ANY_NUMBER.split(new)
    return before[::2] == now[::2] and all(map(_is_same, before[1::2], now[1::2]))


def _is_same(old: str, new: str) -> bool:
    if not any(_has_many_digits(number) for number in (old, new)):
        return old == new
    return math.isclose(float(old), float(new), rel_tol=_TOLERANCE, abs_tol=1e-11)


def _has_many_digits(number: str) -> bool:
    digits = number.split("e", maxsplit=1)[0].lstrip("-0.").replace(".", "")
    return "." in number and len(digits) >= _MANY_DIGITS


def _sections(text: str) -> dict[str, str]:
    parts = re.split(rf"^{_HEAD}(.*)\n", text, flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))
