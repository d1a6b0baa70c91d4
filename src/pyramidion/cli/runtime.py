"""What every command shares: options from declarations, output, errors, exit codes."""

import gc
import os
import signal
import sys
import threading
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import MISSING, replace
from inspect import Parameter, Signature
from keyword import iskeyword
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pyramidion.cli.streams import (
    ClosedOutputError,
    escaped_for,
    prepare_streams,
    require_utf8_names,
)
from pyramidion.errors import (
    LONGEST,
    ClearTextWarning,
    DataNote,
    DataWarning,
    InputError,
    OffScaleWarning,
    PyramidionError,
    Where,
    shortened,
    show_warning,
    visible,
)
from pyramidion.questions import CommandSpec

if TYPE_CHECKING:
    from pyramidion.cli._command import ChosenFile
    from pyramidion.questions import OptionSpec
    from pyramidion.rendering.result import Form, Result

__all__ = ["command_function", "log", "main", "print_result", "progress_bar", "run"]

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
    from pyramidion.collection.files import completed, write_text

    _log_left_out(result)
    if output is not None:
        whole = result.complete
        write_text(output, whole.render(form) if csv_safe else whole.to_csv(safe=False))
        log(f"wrote {output}")
    else:
        raw = None if csv_safe else [result.to_csv(safe=False)]
        try:
            _print_pieces(result, form, raw)
        except BrokenPipeError:
            # Here, because the library that reads options would make it exit code 1.
            _stop_writing()
        except ClosedOutputError:
            # Files that the command has written are an answer, too.
            if not completed:
                raise
            log("note: the answer was not printed: standard output is closed")
    return 0 if result.ok else 1


def _print_pieces(result: "Result[Any]", form: "Form", raw: list[str] | None) -> None:
    """Write a result to standard output piece by piece, or `raw` pieces instead."""
    on_terminal = sys.stdout.isatty()
    width = os.get_terminal_size().columns if on_terminal else None
    for piece in raw or result.iter_render(form, width=width, styled=on_terminal):
        # The terminal obeys what a file may hold; the program's own styles are its own.
        foreign = on_terminal and form != "table" and not raw
        shown = visible(piece, keep="\n") if foreign else piece
        sys.stdout.write(escaped_for(sys.stdout, shown) if form in ("json", "csv") else shown)
        sys.stdout.flush()


def _log_left_out(result: "Result[Any]") -> None:
    for name, lines in (("left_out", result.left_out), ("mended", result.mended)):
        many = result.brief and len(lines) > _MOST_LINES
        for line in lines[:1] if many else lines:
            more = f" ... and {len(lines) - 1} more lines, all in JSON ({name})" * many
            log(f"{name.replace('_', ' ')}: {line}{more}")


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
    """Talk to the person at the terminal, not to the program that reads the data.

    A line has no more characters than an error; what it lists is in the answer as JSON.
    """
    print(shortened(visible(message), LONGEST), file=sys.stderr)


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


def command_function(spec: CommandSpec) -> Callable[..., int]:
    """Make the function that typer calls: read options, run, draw, write."""
    from pyramidion.cli._command import load_command, save_files
    from pyramidion.questions import Progress

    command = load_command(spec)
    groups, typed, answer = command.groups, command.options, _answer_options()

    def call(**values: Any) -> int:
        forbid_code(values.pop("no_code"))
        chosen_form, output = (spec.read(values.pop(spec.name, spec.default)) for spec in answer)
        options = {spec.name: _read(spec, values[_safe(spec.name)]) for spec in typed}
        files, answer_file = command.choose_files(options)
        output = output or answer_file
        form = chosen_form or _form_of(output)
        csv_safe = (
            values.pop("csv_safe", False) or not values.pop("csv_raw", False) or form != "csv"
        )
        checked = _checked_warnings(values.pop("strict"), values.pop("accept_out_of_range"))
        parts = [str(file.path) for file in files if file.savable.for_parts]
        options |= {"parts_to": parts[0]} if parts else {}
        named = {name: _short(value) for name, value in options.items()}
        with checked as notes, progress_bar(spec.progress_message.format(**named)) as advance:
            options["progress"] = Progress(advance, log)
            arguments = {group: kind.of(options) for group, kind in groups.items()}
            result = getattr(command.question, "run", command.question)(**arguments)
            written = list(save_files(files, result))
        instead = next((file for file in files if file.savable.instead_of_answer), None)
        for line in (*notes, *_on_form(chosen_form, output, instead)):
            log(line)
        if instead is not None:
            _log_left_out(result)
        for line in written:
            log(line)
        if result is None or not spec.has_output:
            return 0
        omitted = (line for file in files for line in file.savable.left_out(result))
        result = replace(result, left_out=(*result.left_out, *omitted))
        code = 0 if instead else print_result(result, form, output, csv_safe=csv_safe)
        for line in result.closing("table" if instead else form):
            log(line)
        return code

    parameters = [_parameter(spec, panel) for spec, panel in typed.items()]
    if spec.has_output:
        taken_flags = {flag for spec in typed for flag in spec.flags}
        parameters += [
            _parameter(spec, "") for spec in answer if taken_flags.isdisjoint(spec.flags)
        ]
        parameters += _switches(_CSV)
    parameters += _switches({**_DATA, "--no-code": NO_CODE_HELP})
    call.__signature__ = Signature(parameters)  # type: ignore[attr-defined]
    call.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    call.__name__ = spec.name.replace(" ", "_").replace("-", "_")
    call.__doc__ = _help(command.question.__doc__ or "")
    return call


def _on_form(
    form: "Form | None", output: Path | None, instead: "ChosenFile | None"
) -> Iterator[str]:
    """Say where the form that was typed is not the one that a file's name asks for."""
    if form is not None and instead is not None:
        yield f"{instead.path} gets the {instead.savable.name}, whatever --format says"
    elif form is not None and output is not None:
        usual = _ENDINGS.get(output.suffix.lower(), "table")
        if usual not in (form, "table"):
            yield f"{output} gets {form}, as --format says"


def _answer_options() -> tuple["OptionSpec", "OptionSpec"]:
    from pyramidion.questions import OptionSpec
    from pyramidion.rendering.result import FORMS, Form

    forms = (
        f"Output format: {', '.join(FORMS[:-1])} or {FORMS[-1]}; by default what the ending of "
        "--output says, or table."
    )
    file = f"Write the answer to this file ({', '.join(_ENDINGS)}), not to the screen."
    return (
        OptionSpec("format", Form | None, None, {"help": forms, "metavar": "NAME"}),
        OptionSpec("output_file", Path | None, None, {"help": file, "flags": ("--output", "-o")}),
    )


_CSV = {
    "--csv-raw": "Leave texts in CSV unmarked that a spreadsheet would run as formulas.",
    "--csv-safe": "Mark them, the default.",
}
_DATA = {
    "--strict": "Refuse data with anything implausible in it.",
    "--accept-out-of-range": "Use scores that are off their measure's declared scale.",
}

#: Shown before the command, and understood behind it.
NO_CODE_HELP = "Refuse Python files as metrics (-m FILE.py:NAME), as PYRAMIDION_NO_CODE=1 does."

# The environment reaches worker processes, too.
_NO_CODE = "PYRAMIDION_NO_CODE"


def forbid_code(forbidden: bool = True) -> None:
    """Load no Python files during this call of the program, if that is forbidden."""
    if forbidden:
        os.environ[_NO_CODE] = "1"


@contextmanager
def _environment_restored() -> Iterator[None]:
    """Forget what one call of the program forbade when it ends."""
    before = os.environ.get(_NO_CODE)
    try:
        yield
    finally:
        os.environ.pop(_NO_CODE, None)
        if before is not None:
            os.environ[_NO_CODE] = before


def _switches(flags: dict[str, str]) -> Iterator[Parameter]:
    for flag, help in flags.items():
        switch = typer.Option(flag, help=help, hidden=flag in ("--csv-safe", "--no-code"))
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

        def show(message: Warning | str, category: type[Warning], *details: Any) -> None:
            if issubclass(category, DataNote):
                word = "warning" if issubclass(category, DataWarning) else "note"
                notes[f"{word}: {message}"] = None
            elif issubclass(category, ClearTextWarning):
                # Before the key is sent.
                log(f"warning: {message}")
            else:
                usual(message, category, *details)

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


def _parameter(spec: "OptionSpec", panel: str) -> Parameter:
    settings: dict[str, Any] = {
        "help": spec.help,
        "metavar": spec.rules.get("metavar") or _metavar(spec),
    }
    settings["rich_help_panel"] = panel or None
    kind = _typer_kind(spec)
    default = Parameter.empty if spec.default is MISSING else spec.default
    if spec.rules.get("positional"):
        return _keyword(_safe(spec.name), Annotated[kind, typer.Argument(**settings)], default)
    if isinstance(default, tuple):
        default = list(default) or None
    return _keyword(
        _safe(spec.name), Annotated[kind, typer.Option(*spec.flags, **settings)], default
    )


def _metavar(spec: "OptionSpec") -> str:
    if spec.rules.get("positional"):
        return spec.name.upper()
    if spec.is_sequence:
        return "NAMES" if spec.inner is str or spec.choices else "NUMBERS"
    if spec.choices:
        return "NAME"
    return {bool: "", int: "N", float: "NUMBER", Path: "FILE"}.get(spec.inner, "TEXT")


def _typer_kind(spec: "OptionSpec") -> Any:
    """Choices and bounds are checked by the declaration, which has better words."""
    if spec.count:
        return tuple.__class_getitem__((str,) * spec.count)
    if spec.rules.get("multiple"):
        return list[str]
    if spec.is_sequence:
        return list[str] | None
    kind = spec.inner if spec.inner in (bool, int, float, Path) else str
    return kind | None if spec.default is None else kind


def _read(spec: "OptionSpec", value: Any) -> Any:
    if spec.rules.get("multiple"):
        return tuple(value) if len(value) > 1 else value[0]
    return spec.default if value is None else value


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and leave with its exit code."""
    if arguments is None:
        require_utf8_names()
    prepare_streams()
    warnings.showwarning = show_warning
    sys.exit(run(arguments))


def run(arguments: Sequence[str] | None = None) -> int:
    """Run the command line: errors become one line on standard error and an exit code."""
    from pyramidion.cli.app import build_app

    # Large tables are many objects without cycles, among which there is little to look for.
    gc.set_threshold(100_000, 50, 100)
    words = sys.argv[1:] if arguments is None else list(arguments)
    # A shell that asks for completion passes what was typed another way.
    typed = [*words, *os.environ.get("COMP_WORDS", "").split()]
    ended: list[int] = []
    try:
        with _ending_cleanly(ended), _environment_restored():
            code = build_app(typed)(args=words, prog_name="pyramidion", standalone_mode=False)
            sys.stdout.flush()
    except (KeyboardInterrupt, typer.Abort):
        code = INTERRUPTED
    except BrokenPipeError:
        _stop_writing()
        return 0
    except Exception as error:
        return _failed(error)
    if code == INTERRUPTED:
        log(f"pyramidion: {'terminated' if ended else 'interrupted'}; {_left()}")
        return TERMINATED if ended else INTERRUPTED
    return code if isinstance(code, int) else 0


def _failed(error: Exception) -> int:
    """Report an error in one line, and give the exit code."""
    if isinstance(error, PyramidionError):
        log(f"pyramidion: {error}")
    elif isinstance(error, typer.TyperException):
        if message := " ".join(error.format_message().split()):
            log(f"pyramidion: {message} (try --help)")
    elif isinstance(error, OSError):
        log(f"pyramidion: the output could not be written ({error.strerror or error})")
    elif isinstance(error, MemoryError):
        log("pyramidion: there is not enough memory; use fewer texts at a time")
    elif isinstance(error, UnicodeEncodeError) and sys.getfilesystemencoding() != "utf-8":
        # What is printed can always be encoded, and what is written is UTF-8.
        lacking = error.object[error.start : error.end]
        log(f"pyramidion: names of files cannot contain {lacking!r} here; set PYTHONUTF8=1")
    else:  # the last resort: a crash must not look like the answer no
        return _crashed(error)
    return BAD_INPUT


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
    from pyramidion.collection.files import left_behind

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
