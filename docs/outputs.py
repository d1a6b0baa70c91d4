"""Commands and snippets with their real output, run when the pages are built.

````
```{terminal}
pyramidion compare years.csv -m responsiveness
```
````

shows the command and what it prints. The commands of a page run one after another in a copy of the
folder that `pyramidion demo` writes. Options: ``:exit: 1`` if the exit code is not 0,
``:lines: 12`` to show the first lines only, ``:start: Pairs`` to begin at the first line with
this text, ``:width: 76`` for a narrower terminal, ``:messages:`` to show standard error too,
``:signature:`` to keep the signature at the end, ``:figure: NAME`` to draw a figure that the
command wrote (SVG), ``:file: NAME.py`` to use a file of docs/snippets,
``:prepare: NAME.py`` to run one first (without showing it).
"""

import contextlib
import io
import os
import re
import runpy
import shlex
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from unittest import mock

from pyramidion.cli.runtime import run
from pyramidion.demo import tour

#: Characters that fit into a code block at 1280 pixels.
WIDTH = 96
SNIPPETS = Path(__file__).parent / "snippets"

_TERMINAL = re.compile(r"^(`{3,})\{terminal\}\n(.*?)^\1", re.M | re.S)
_STYLE = re.compile(r"\x1b\[[0-9;]*m")
#: The last line of an answer: what one must know to compute it again.
SIGNATURE = re.compile(r"\n+\S[^\n]*\|v\d\S*\s*$")
_OPTION = re.compile(r"^:([a-z]+):(.*)$")


@cache
def _demo_folder() -> Path:
    folder = Path(tempfile.mkdtemp(prefix="pyramidion-docs-")) / "demo"
    with contextlib.redirect_stderr(io.StringIO()):
        return tour(folder=folder).folder


def page_folder() -> Path:
    """Return a fresh copy of the folder of the demonstration."""
    folder = Path(tempfile.mkdtemp(prefix="pyramidion-docs-")) / "work"
    shutil.copytree(_demo_folder(), folder)
    return folder


def joined_lines(block: Sequence[str]) -> list[str]:
    """Join lines that end with a backslash; one command per line."""
    text = re.sub(r"\\\n\s*", "", "\n".join(block))
    return [line for line in text.splitlines() if line.strip()]


def prepare(snippet: str, folder: Path) -> None:
    """Run a file of docs/snippets in a folder, for the files that it writes."""
    nowhere = io.StringIO()
    with (
        contextlib.chdir(folder),
        contextlib.redirect_stdout(nowhere),
        contextlib.redirect_stderr(nowhere),
    ):
        runpy.run_path(str(SNIPPETS / snippet))


def run_command(command: str, folder: Path, width: int = WIDTH) -> tuple[int, str, str]:
    """Run a command line in a folder: exit code, standard output and standard error."""
    # For shlex, a comment may begin within a word, as in http://127.0.0.1:8080/v1#tiny.
    name, *words = shlex.split(re.sub(r"\s#.*", "", command))
    if name != "pyramidion":
        raise ValueError(f"not a command of ours: {command}")
    out, err = _Screen(), io.StringIO()
    redirected = contextlib.redirect_stdout(out), contextlib.redirect_stderr(err)
    with terminal_in(folder, width), _surroundings(words), redirected[0], redirected[1]:
        code = run(words)
    return code, _STYLE.sub("", out.getvalue()), err.getvalue()


def _surroundings(words: list[str]) -> contextlib.AbstractContextManager[object]:
    """Return a studio that ends as soon as it has started, a small cluster, or nothing."""
    if words[:1] == ["serve"]:
        return mock.patch("uvicorn.Server.main_loop", mock.AsyncMock())
    if words[:2] == ["engine", "check"]:
        from distributed import LocalCluster

        return LocalCluster(
            n_workers=2, threads_per_worker=1, processes=False, protocol="tcp", scheduler_port=8786,
            dashboard_address=":0", memory_limit="2GiB", silence_logs=50,
        )  # fmt: skip
    return contextlib.nullcontext()


class _Screen(io.StringIO):
    """What a terminal shows."""

    encoding = "utf-8"

    def isatty(self) -> bool:
        """Return that it is a terminal."""
        return True


@contextlib.contextmanager
def terminal_in(folder: Path, width: int = WIDTH) -> Iterator[None]:
    """Work in a folder, on a terminal of a fixed width."""
    size = os.terminal_size((width, 50))
    with contextlib.chdir(folder), mock.patch("os.get_terminal_size", return_value=size):
        yield


def page_commands(text: str) -> Iterator[tuple[str, int]]:
    """Yield the commands of a page's terminals, and their exit codes, as a test runs them."""
    for match in _TERMINAL.finditer(text):
        lines = match[2].splitlines()
        options = dict(found.groups() for line in lines if (found := _OPTION.match(line)))
        for command in joined_lines([line for line in lines if not _OPTION.match(line)]):
            yield command, int(options.get("exit", 0))
