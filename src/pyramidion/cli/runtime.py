"""What every command shares: options from declarations, output, errors, exit codes."""

import gc
import os
import signal
import sys
import threading
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import MISSING
from inspect import Parameter, Signature
from itertools import chain
from keyword import iskeyword
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pyramidion.errors import (
    LONGEST,
    DataNote,
    DataWarning,
    InputError,
    OffScaleWarning,
    PyramidionError,
    Where,
    shortened,
    visible,
)

if TYPE_CHECKING:
    from pyramidion.collection._options import Declared
    from pyramidion.commands._outputs import Command
    from pyramidion.report.result import Form, Result

__all__ = ["command_function", "log", "main", "print_result", "progress_bar", "run"]

# Old names of flags still work for one more release: everywhere, or in one command.
_RENAMED = {"--draws": "--resamples", "--frw": "--phrase-weight"}
_RENAMED_IN = {
    ("power",): {"--most": "--max-topics"},
    ("assessors",): {"--most": "--max-excluded"},
    ("pyramid", "stability"): {"--most": "--max-pyramids"},
    ("pyramid", "missed"): {"--least": "--min-weight"},
    ("pyramid", "auto", "match"): {"--least": "--min-words"},
}

# Forms by the endings of files, and endings that promise what is not written.
_ENDINGS: "dict[str, Form]" = {
    ".txt": "table", ".json": "json", ".csv": "csv", ".tex": "latex", ".md": "markdown",
}  # fmt: skip
_NO_FORMS = (".html", ".htm", ".pdf", ".xlsx", ".tsv", ".jsonl", ".parquet")

# More lines on what was left out are counted where the answer is brief about it.
_MOST_LINES = 3

BAD_INPUT = 2
CRASHED = 70
INTERRUPTED = 130
TERMINATED = 143


def print_result(
    result: "Result[Any]", form: "Form", output: Path | None = None, *, csv_safe: bool = True
) -> int:
    """Write a result to standard output or a file, and give the exit code."""
    for name, lines in (("left_out", result.left_out), ("mended", result.mended)):
        many = result.brief and len(lines) > _MOST_LINES
        for line in lines[:1] if many else lines:
            more = f" ... and {len(lines) - 1} more lines, all in JSON ({name})" * many
            log(f"{name.replace('_', ' ')}: {line}{more}")
    if output is not None:
        from pyramidion.collection._files import write_text

        whole = result.complete
        write_text(output, whole.render(form) if csv_safe else whole.to_csv(safe=False))
        log(f"wrote {output}")
    elif not csv_safe:
        sys.stdout.write(result.to_csv(safe=False))
    else:
        on_terminal = sys.stdout.isatty()
        width = os.get_terminal_size().columns if on_terminal else None
        try:
            for piece in result.iter_render(form, width=width, styled=on_terminal):
                # The terminal obeys what a file may hold; the program's own styles are its own.
                foreign = on_terminal and form != "table"
                sys.stdout.write(visible(piece, keep="\n") if foreign else piece)
                sys.stdout.flush()
        except BrokenPipeError:
            # Here, because the library that reads options would make it exit code 1.
            _stop_writing()
    return 0 if result.ok else 1


def _form_of(path: Path | None) -> "Form":
    """Return the form that the ending of a file's name asks for."""
    if path is None:
        return "table"
    ending = path.suffix.lower()
    if ending in _NO_FORMS:
        hint = f"end the name in {', '.join(_ENDINGS)}; `pyramidion report` writes pages"
        raise InputError(f"no answer can be written as {ending}", where=Where(path), hint=hint)
    return _ENDINGS.get(ending, "table")


def _stop_writing() -> None:
    """Whoever read the output has seen enough; the interpreter must not complain at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def log(message: str) -> None:
    """Talk to the person at the terminal, not to the program that reads the data."""
    print(visible(message), file=sys.stderr)


@contextmanager
def progress_bar(message: str) -> Iterator[Callable[[int, int], None]]:
    """Show a bar and the time while work is going on, where a person is looking.

    The bar moves; once the callback is given how much is done, and of how much, it fills and
    estimates the time that is left.
    """
    if not sys.stderr.isatty():
        yield lambda done, total: None
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    described = TextColumn("{task.description}", markup=False)
    bar = (described, BarColumn(), TextColumn("{task.fields[counted]}"))
    console = Console(stderr=True)
    left = TextColumn("{task.fields[left]}"), TimeRemainingColumn(compact=True)
    with Progress(*bar, TimeElapsedColumn(), *left, console=console, transient=True) as progress:
        task = progress.add_task(visible(message), total=None, counted="", left="")

        def show(done: int, total: int) -> None:
            counted = f"{done} of {total}"
            progress.update(task, completed=done, total=total, counted=counted, left="left:")

        yield show


def command_function(name: str, command: "Command") -> Callable[..., int]:
    """Make the function that typer calls: read options, run, draw, write."""
    from pyramidion.collection._questions import Progress

    groups, typed, answer = command.groups, command.options, _answer_options()

    def call(**given: Any) -> int:
        form, output = (one.read(given.pop(one.name, one.default)) for one in answer)
        form = form or _form_of(output)
        csv_safe = given.pop("csv_safe", False) or not given.pop("csv_raw", False) or form != "csv"
        checked = _checked_warnings(given.pop("strict"), given.pop("accept_out_of_range"))
        options = {one.name: _read(one, given[_safe(one.name)]) for one in typed}
        outputs = [kind.of(options) for kind in command.outputs]
        for one in outputs:
            one.prepare()
            options.update(one.given())
        named = {name: _short(value) for name, value in options.items()}
        with checked as notes, progress_bar(command.doing.format(**named)) as advance:
            options["progress"] = Progress(advance, log)
            made = {group: kind.of(options) for group, kind in groups.items()}
            result = getattr(command.question, "run", command.question)(**made)
            written = [line for one in outputs for line in one.write(result)]
        for line in (*notes, *written):
            log(line)
        if result is None or not command.answers:
            return 0
        for one in outputs:
            result = one.finish(result)
        target: tuple[Form, Path | None] | None = (form, output)
        for one in outputs:
            target = target and one.answer(*target)
        code = print_result(result, *target, csv_safe=csv_safe) if target else 0
        for line in chain.from_iterable(one.closing(result) for one in outputs):
            log(line)
        return code

    parameters = [_parameter(one, panel) for one, panel in typed.items()]
    if command.answers:
        own = {flag for one in typed for flag in one.flags}
        parameters += [_parameter(one, "") for one in answer if own.isdisjoint(one.flags)]
        parameters += _switches(_CSV)
    parameters += _switches(_DATA)
    call.__signature__ = Signature(parameters)  # type: ignore[attr-defined]
    call.__annotations__ = {one.name: one.annotation for one in parameters}
    call.__name__ = name.replace(" ", "_").replace("-", "_")
    call.__doc__ = _help(command.question.__doc__ or "")
    return call


def _answer_options() -> tuple["Declared", "Declared"]:
    from pyramidion.collection._options import Declared
    from pyramidion.report.result import FORMS, Form

    forms = (
        f"Output format: {', '.join(FORMS[:-1])} or {FORMS[-1]}; by default what the ending of "
        "--output says, or table."
    )
    file = f"Write the answer to this file ({', '.join(_ENDINGS)}), not to the screen."
    return (
        Declared("format", Form | None, None, {"help": forms, "metavar": "NAME"}),
        Declared("output_file", Path | None, None, {"help": file, "flags": ("--output", "-o")}),
    )


_CSV = {
    "--csv-raw": "Leave texts in CSV unmarked that a spreadsheet would run as formulas.",
    "--csv-safe": "Mark them, the default.",
}
_DATA = {
    "--strict": "Refuse data with anything implausible in it.",
    "--accept-out-of-range": "Use scores that are off their measure's declared scale.",
}


def _switches(flags: dict[str, str]) -> Iterator[Parameter]:
    for flag, help in flags.items():
        switch = typer.Option(flag, help=help, hidden=flag == "--csv-safe")
        name = flag.removeprefix("--").replace("-", "_")
        yield _keyword(name, Annotated[bool, switch], default=False)


@contextmanager
def _checked_warnings(strict: bool, accept_out_of_range: bool) -> Iterator[dict[str, None]]:
    """Collect the notes about the data, each line once; refuse what is not to be accepted.

    Without `strict` that is only a score off its declared scale. Other warnings stay as they are.
    """
    notes: dict[str, None] = {}
    with warnings.catch_warnings():
        warnings.simplefilter("always", DataNote)
        if strict:
            warnings.simplefilter("error", DataWarning)
        if strict or not accept_out_of_range:
            warnings.simplefilter("error", OffScaleWarning)
        usual = warnings.showwarning

        def show(message: Warning | str, category: type[Warning], *others: Any) -> None:
            if issubclass(category, DataNote):
                word = "warning" if issubclass(category, DataWarning) else "note"
                notes[f"{word}: {message}"] = None
            else:
                usual(message, category, *others)

        warnings.showwarning = show  # type: ignore[assignment]  # the rest is passed on as it is
        try:
            yield notes
        except DataWarning as warning:
            accept = "" if strict else ", or use --accept-out-of-range"
            raise InputError(str(warning), hint=f"correct it{accept}") from None


def _short(value: Any) -> Any:
    """Take a file's name without its folders, which a bar has no room for."""
    if isinstance(value, tuple) and value:
        value = value[0]
    return Path(value).name if isinstance(value, str | Path) else value


def _help(doc: str) -> str:
    """Take a docstring's paragraphs, each in one line, without the sections for programmers."""
    from inspect import cleandoc

    text = cleandoc(doc).split("\nParameters\n---", 1)[0].split("\nExamples\n---", 1)[0]
    # A list of options stays a list.
    return "\n\n".join(
        paragraph if paragraph.startswith("-") else " ".join(paragraph.split())
        for paragraph in text.strip().split("\n\n")
    )


def _safe(name: str) -> str:
    return f"{name}_" if iskeyword(name) else name


def _keyword(name: str, kind: Any, default: Any) -> Parameter:
    return Parameter(name, Parameter.KEYWORD_ONLY, default=default, annotation=kind)


def _parameter(one: "Declared", panel: str) -> Parameter:
    given: dict[str, Any] = {"help": one.help, "metavar": one.rules.get("metavar") or _metavar(one)}
    given["rich_help_panel"] = panel or None
    kind = _typer_kind(one)
    default = Parameter.empty if one.default is MISSING else one.default
    if one.rules.get("positional"):
        return _keyword(_safe(one.name), Annotated[kind, typer.Argument(**given)], default)
    if isinstance(default, tuple):
        default = list(default) or None
    return _keyword(_safe(one.name), Annotated[kind, typer.Option(*one.flags, **given)], default)


def _metavar(one: "Declared") -> str:
    if one.rules.get("positional"):
        return one.name.upper()
    if one.is_sequence:
        return "NAMES" if one.inner is str or one.choices else "NUMBERS"
    if one.choices:
        return "NAME"
    return {bool: "", int: "N", float: "NUMBER", Path: "FILE"}.get(one.inner, "TEXT")


def _typer_kind(one: "Declared") -> Any:
    """Choices and bounds are checked by the declaration, which has better words."""
    if one.count:
        return tuple.__class_getitem__((str,) * one.count)
    if one.rules.get("several"):
        return list[str]
    if one.is_sequence:
        return list[str] | None
    kind = one.inner if one.inner in (bool, int, float, Path) else str
    return kind | None if one.default is None else kind


def _read(one: "Declared", given: Any) -> Any:
    if one.rules.get("several"):
        return tuple(given) if len(given) > 1 else given[0]
    return one.default if given is None else given


def _with_current_flags(arguments: Sequence[str]) -> list[str]:
    """Replace old names of flags, with or without a value joined to them."""
    names = dict(_RENAMED)
    for command, renamed in _RENAMED_IN.items():
        if tuple(arguments[: len(command)]) == command:
            names |= renamed
    parts = (typed.partition("=") for typed in arguments)
    return [f"{names.get(flag, flag)}{equals}{value}" for flag, equals, value in parts]


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and leave with its exit code."""
    sys.exit(run(arguments))


def run(arguments: Sequence[str] | None = None) -> int:
    """Run the command line: errors become one line on standard error and an exit code."""
    from pyramidion.cli.app import build_app

    # Large tables are many objects without cycles, among which there is little to look for.
    gc.set_threshold(100_000, 50, 100)
    asked = _with_current_flags(sys.argv[1:] if arguments is None else list(arguments))
    # A shell that asks for completion passes what was typed another way.
    typed = [*asked, *os.environ.get("COMP_WORDS", "").split()]
    ended: list[int] = []
    try:
        with _ending_cleanly(ended):
            code = build_app(typed)(args=asked, prog_name="pyramidion", standalone_mode=False)
            sys.stdout.flush()
    except PyramidionError as error:
        log(f"pyramidion: {error}")
        return BAD_INPUT
    except typer.TyperException as error:
        if message := " ".join(error.format_message().split()):
            log(shortened(f"pyramidion: {message} (try --help)", LONGEST))
        return BAD_INPUT
    except (KeyboardInterrupt, typer.Abort):
        code = INTERRUPTED
    except BrokenPipeError:
        _stop_writing()
        return 0
    except OSError as error:
        log(f"pyramidion: the output could not be written ({error.strerror or error})")
        return BAD_INPUT
    except MemoryError:
        log("pyramidion: there is not enough memory; use fewer texts at a time")
        return BAD_INPUT
    except Exception as error:  # the last resort: a crash must not look like the answer no
        return _crashed(error)
    if code == INTERRUPTED:
        log(f"pyramidion: {'terminated' if ended else 'interrupted'}; {_left()}")
        return TERMINATED if ended else INTERRUPTED
    return code if isinstance(code, int) else 0


@contextmanager
def _ending_cleanly(ended: list[int]) -> Iterator[None]:
    """Clean up when the system ends the program, as when a person interrupts it."""

    def end(number: int, _: object) -> None:
        ended.append(number)
        raise KeyboardInterrupt

    if threading.current_thread() is not threading.main_thread():
        yield
        return
    usual = signal.signal(signal.SIGTERM, end)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, usual)


def _left() -> str:
    from pyramidion.collection._files import left_behind

    if not left_behind:
        return "nothing half-written was left behind"
    return f"remove what could not be cleaned up: {', '.join(map(str, left_behind))}"


def _crashed(error: Exception) -> int:
    """Report an unexpected error in one line, with where it happened."""
    import traceback

    if os.environ.get("PYRAMIDION_TRACEBACK"):
        traceback.print_exception(error)
    last = traceback.extract_tb(error.__traceback__)[-1]
    text = " ".join((str(error), *getattr(error, "__notes__", ())))
    what = shortened(f"{type(error).__name__}: {text}", 120)
    log(
        f"pyramidion: this is a bug ({what}, {Path(last.filename).name} line {last.lineno}); "
        "please report it with what PYRAMIDION_TRACEBACK=1 shows"
    )
    return CRASHED
