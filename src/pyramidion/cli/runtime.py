"""Shared by all commands: options, output, errors and exit codes."""

import gc
import os
import signal
import sys
import threading
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
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
    MAX_MESSAGE_LENGTH,
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

__all__ = ["ask", "command_function", "log", "main", "print_result", "progress_bar", "run"]

# Output formats by file extension, and extensions of formats that are not written.
_FORM_BY_SUFFIX: "dict[str, Form]" = {
    ".txt": "table", ".json": "json", ".csv": "csv", ".tex": "latex", ".md": "markdown",
}  # fmt: skip
_UNSUPPORTED_SUFFIXES = (".html", ".htm", ".pdf", ".xlsx", ".tsv", ".jsonl", ".parquet")

# The number of lines up to which a brief result lists what was left out.
_MAX_BRIEF_LINES = 3

BAD_INPUT = 2
CRASHED = 70
INTERRUPTED = 130
TERMINATED = 143


def print_result(
    result: "Result[Any]", chosen_form: "Form", output: Path | None = None, *, csv_safe: bool = True
) -> int:
    """Write a result to standard output or a file; return the exit code."""
    from pyramidion.files.writing import completed_paths, write_text

    _log_left_out(result)
    if output is not None:
        complete_result = result.complete
        write_text(
            output,
            complete_result.render(chosen_form) if csv_safe else complete_result.to_csv(safe=False),
        )
        log(f"wrote {output}")
    else:
        raw_pieces = None if csv_safe else [result.to_csv(safe=False)]
        try:
            _print_pieces(result, chosen_form, raw_pieces)
        except BrokenPipeError:
            # Handled here because typer would turn it into exit code 1.
            _discard_output()
        except ClosedOutputError:
            # Files that the command has written count as an answer.
            if not completed_paths:
                raise
            log("note: the output was not printed: standard output is closed")
    return 0 if result.ok else 1


def _print_pieces(result: "Result[Any]", chosen_form: "Form", raw_pieces: list[str] | None) -> None:
    """Write a result to standard output piece by piece, or `raw_pieces` pieces instead."""
    is_on_terminal = sys.stdout.isatty()
    width = os.get_terminal_size().columns if is_on_terminal else None
    for piece in raw_pieces or result.iter_render(chosen_form, width=width, styled=is_on_terminal):
        # Data may contain control sequences that a terminal would obey.
        is_foreign = is_on_terminal and chosen_form != "table" and not raw_pieces
        visible_piece = visible(piece, keep="\n") if is_foreign else piece
        sys.stdout.write(
            escaped_for(sys.stdout, visible_piece)
            if chosen_form in ("json", "csv")
            else visible_piece
        )
        sys.stdout.flush()


def _log_left_out(result: "Result[Any]") -> None:
    for name, lines in (("left_out", result.left_out), ("mended", result.mended)):
        is_shortened = result.brief and len(lines) > _MAX_BRIEF_LINES
        for line in lines[:1] if is_shortened else lines:
            suffix = f" ... and {len(lines) - 1} more lines, all in JSON ({name})" * is_shortened
            log(f"{name.replace('_', ' ')}: {line}{suffix}")


def _implied_form(path: Path | None) -> "Form":
    """Return the format that a file's extension implies."""
    if path is None:
        return "table"
    ending = path.suffix.lower()
    if ending in _UNSUPPORTED_SUFFIXES:
        hint = f"end the name in {', '.join(_FORM_BY_SUFFIX)}; `pyramidion report` writes pages"
        raise InputError(f"the output cannot be written as {ending}", where=Where(path), hint=hint)
    return _FORM_BY_SUFFIX.get(ending, "table")


def _discard_output() -> None:
    """Discard further output after the reader closed the pipe, so that Python exits quietly."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def log(message: str) -> None:
    """Print a message to standard error, shortened like an error."""
    print(shortened(visible(message), MAX_MESSAGE_LENGTH), file=sys.stderr)


@contextmanager
def progress_bar(message: str) -> Iterator[Callable[[int, int], None]]:
    """Show a progress bar if standard error is a terminal.

    The bar pulses until the callback receives the amount done and the total; then it fills and
    shows the estimated remaining time.
    """
    if not sys.stderr.isatty():
        yield lambda n_done, total: None
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    description_column = TextColumn("{task.description}", markup=False)
    bar = (description_column, BarColumn(), TextColumn("{task.fields[counted]}"))
    console = Console(stderr=True)
    remaining_field = TextColumn("{task.fields[left]}"), TimeRemainingColumn(compact=True)
    with Progress(
        *bar, TimeElapsedColumn(), *remaining_field, console=console, transient=True
    ) as progress:
        task = progress.add_task(visible(message), total=None, counted="", left="")

        def show(done: int, total: int) -> None:
            count_text = f"{done} of {total}"
            progress.update(task, completed=done, total=total, counted=count_text, left="left:")

        yield show


# Whether the running command is to return its result instead of printing it.
_RETURNS_RESULT: ContextVar[bool] = ContextVar("asked", default=False)

#: The parameter in which typer passes what was typed.
_CONTEXT_KEY = "typer_context"


def ask(words: Sequence[str]) -> Any:
    """Run a command line, and return its result instead of printing it and its messages."""
    from pyramidion.cli.app import build_app

    token = _RETURNS_RESULT.set(True)
    try:
        with _restoring_environment():
            app = build_app(words)
            result = app(args=list(words), prog_name="pyramidion", standalone_mode=False)
    finally:
        _RETURNS_RESULT.reset(token)
    # Typer turns an interrupt into this exit code.
    if result == INTERRUPTED:
        raise KeyboardInterrupt
    return result


def _collect_remarks(groups: Iterable[object], result: Any) -> Iterator[str]:
    """Yield notes about what presets set, and about the data."""
    from pyramidion.questions import Presets

    for group in groups:
        if isinstance(group, Presets):
            yield from (f"note: {line}" for line in group.notes)
    for finding in getattr(result, "findings", ()):
        if finding.severity == "note":
            yield f"note: {finding.subject}: {finding.message}"


def command_function(spec: CommandSpec) -> Callable[..., Any]:
    """Create the function that typer calls: read options, run the question, write the result."""
    from pyramidion.cli._command import load_command, save_files
    from pyramidion.questions import Progress, create_groups

    command = load_command(spec)
    command_options, answer_specs = command.options, _answer_options()

    def call(**values: Any) -> Any:
        forbid_code(values.pop("no_code"))
        source = values.pop(_CONTEXT_KEY).get_parameter_source
        chosen_form, output = (
            spec.read(values.pop(spec.name, spec.default)) for spec in answer_specs
        )
        options = {
            spec.name: _read_value(spec, values[_safe_name(spec.name)]) for spec in command_options
        }
        files, answer_file = command.choose_files(options)
        explicit = {
            name: value
            for name, value in options.items()
            if getattr(source(_safe_name(name)), "name", "") != "DEFAULT"
        }
        output = output or answer_file
        form = chosen_form or _implied_form(output)
        csv_safe = (
            values.pop("csv_safe", False) or not values.pop("csv_raw", False) or form != "csv"
        )
        warning_checks = _checked_warnings(values.pop("strict"), values.pop("accept_out_of_range"))
        parts = [str(file.path) for file in files if file.savable.for_parts]
        options |= {"parts_to": parts[0]} if parts else {}
        shown_values = {name: _file_name(value) for name, value in options.items()}
        with (
            warning_checks as notes,
            progress_bar(spec.progress_message.format(**shown_values)) as advance_bar,
        ):
            options["progress"] = (
                Progress(advance_bar) if _RETURNS_RESULT.get() else Progress(advance_bar, log)
            )
            name = getattr(command.question, "__name__", "")
            arguments = create_groups(name, command.groups, options, explicit)
            result = getattr(command.question, "run", command.question)(**arguments)
            saved_lines = list(save_files(files, result))
        if _RETURNS_RESULT.get():
            return result
        answer_file_saved = next((file for file in files if file.savable.instead_of_answer), None)
        remarks = _collect_remarks(arguments.values(), result)
        for line in (*notes, *remarks, *_form_notes(chosen_form, output, answer_file_saved)):
            log(line)
        if answer_file_saved is not None:
            _log_left_out(result)
        for line in saved_lines:
            log(line)
        if result is None or not spec.has_output:
            return 0
        omitted_lines = (line for file in files for line in file.savable.left_out(result))
        result = replace(result, left_out=(*result.left_out, *omitted_lines))
        code = 0 if answer_file_saved else print_result(result, form, output, csv_safe=csv_safe)
        for line in result.closing("table" if answer_file_saved else form):
            log(line)
        return code

    parameters = [_keyword(_CONTEXT_KEY, typer.Context, Parameter.empty)]
    parameters += [_parameter(spec, panel) for spec, panel in command_options.items()]
    if spec.has_output:
        taken_flags = {flag for spec in command_options for flag in spec.flags}
        parameters += [
            _parameter(spec, "") for spec in answer_specs if taken_flags.isdisjoint(spec.flags)
        ]
        parameters += _switches(_CSV_OPTIONS)
    parameters += _switches({**_DATA_OPTIONS, "--no-code": NO_CODE_HELP})
    call.__signature__ = Signature(parameters)  # type: ignore[attr-defined]
    call.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    call.__name__ = spec.name.replace(" ", "_").replace("-", "_")
    call.__doc__ = _help_text(command.question.__doc__ or "")
    return call


def _form_notes(
    chosen_form: "Form | None", output: Path | None, replacement: "ChosenFile | None"
) -> Iterator[str]:
    """Report a --format that differs from the format of the file's extension."""
    if chosen_form is not None and replacement is not None:
        yield f"{replacement.path} gets the {replacement.savable.name}, regardless of --format"
    elif chosen_form is not None and output is not None:
        default = _FORM_BY_SUFFIX.get(output.suffix.lower(), "table")
        if default not in (chosen_form, "table"):
            yield f"{output} is written as {chosen_form}, as --format requests"


def _answer_options() -> tuple["OptionSpec", "OptionSpec"]:
    from pyramidion.questions import OptionSpec
    from pyramidion.rendering.result import FORMS, Form

    forms = (
        f"Output format: {', '.join(FORMS[:-1])} or {FORMS[-1]}; by default the format of the "
        "extension of --output, or table."
    )
    file = f"Write the output to this file ({', '.join(_FORM_BY_SUFFIX)}) instead of the screen."
    return (
        OptionSpec("format", Form | None, None, {"help": forms, "metavar": "NAME"}),
        OptionSpec("output_file", Path | None, None, {"help": file, "flags": ("--output", "-o")}),
    )


_CSV_OPTIONS = {
    "--csv-raw": "Do not escape CSV cells that a spreadsheet would run as formulas.",
    "--csv-safe": "Escape them (the default).",
}
_DATA_OPTIONS = {
    "--strict": "Refuse data with anything implausible in it.",
    "--accept-out-of-range": "Accept scores outside their measure's declared scale.",
}

#: Listed before the command, and accepted after it.
NO_CODE_HELP = "Refuse Python files as metrics (-m FILE.py:NAME), as PYRAMIDION_NO_CODE=1 does."

# An environment variable also reaches worker processes.
_NO_CODE_VARIABLE = "PYRAMIDION_NO_CODE"


def forbid_code(forbidden: bool = True) -> None:
    """Refuse to load Python files during this run of the program."""
    if forbidden:
        os.environ[_NO_CODE_VARIABLE] = "1"


@contextmanager
def _restoring_environment() -> Iterator[None]:
    """Restore the environment variable when a run of the program ends."""
    old_value = os.environ.get(_NO_CODE_VARIABLE)
    try:
        yield
    finally:
        os.environ.pop(_NO_CODE_VARIABLE, None)
        if old_value is not None:
            os.environ[_NO_CODE_VARIABLE] = old_value


def _switches(flags: dict[str, str]) -> Iterator[Parameter]:
    for flag, help in flags.items():
        switch = typer.Option(flag, help=help, hidden=flag in ("--csv-safe", "--no-code"))
        name = flag.removeprefix("--").replace("-", "_")
        yield _keyword(name, Annotated[bool, switch], default=False)


@contextmanager
def _checked_warnings(strict: bool, accept_out_of_range: bool) -> Iterator[dict[str, None]]:
    """Collect the notes about the data, each once; raise an error for what is not accepted.

    Without `strict`, only scores off their declared scale are refused. Other warnings pass through.
    """
    notes: dict[str, None] = {}
    with warnings.catch_warnings():
        warnings.simplefilter("always", DataNote)
        if strict:
            warnings.simplefilter("error", DataWarning)
        if strict or not accept_out_of_range:
            warnings.simplefilter("error", OffScaleWarning)
        previous_showwarning = warnings.showwarning

        def show(message: Warning | str, category: type[Warning], *details: Any) -> None:
            if issubclass(category, DataNote):
                word = "warning" if issubclass(category, DataWarning) else "note"
                notes[f"{word}: {message}"] = None
            elif issubclass(category, ClearTextWarning):
                # Shown before the key is sent.
                log(f"warning: {message}")
            else:
                previous_showwarning(message, category, *details)

        warnings.showwarning = show  # type: ignore[assignment]  # the rest is passed on as it is
        try:
            yield notes
        except DataWarning as warning:
            accept = "" if strict else ", or use --accept-out-of-range"
            raise InputError(str(warning), hint=f"correct it{accept}") from None


def _file_name(value: Any) -> Any:
    """Return a file's name without its folders, to save space."""
    if isinstance(value, tuple) and value:
        value = value[0]
    return Path(value).name if isinstance(value, str | Path) else value


def _help_text(doc: str) -> str:
    """Return a docstring's paragraphs, each on one line, without the sections for programmers."""
    from inspect import cleandoc

    text = cleandoc(doc).split("\nParameters\n---", 1)[0].split("\nExamples\n---", 1)[0]
    # A list of options stays a list.
    return "\n\n".join(
        paragraph if paragraph.startswith("-") else " ".join(paragraph.split())
        for paragraph in text.strip().split("\n\n")
    )


def _safe_name(name: str) -> str:
    return f"{name}_" if iskeyword(name) else name


def _keyword(name: str, kind: Any, default: Any) -> Parameter:
    return Parameter(name, Parameter.KEYWORD_ONLY, default=default, annotation=kind)


def _parameter(spec: "OptionSpec", panel: str) -> Parameter:
    settings: dict[str, Any] = {
        "help": spec.help,
        "metavar": spec.rules.get("metavar") or _default_metavar(spec),
    }
    settings["rich_help_panel"] = panel or None
    kind = _typer_kind(spec)
    default = Parameter.empty if spec.default is MISSING else spec.default
    if spec.rules.get("positional"):
        return _keyword(_safe_name(spec.name), Annotated[kind, typer.Argument(**settings)], default)
    if isinstance(default, tuple):
        default = list(default) or None
    return _keyword(
        _safe_name(spec.name), Annotated[kind, typer.Option(*spec.flags, **settings)], default
    )


def _default_metavar(spec: "OptionSpec") -> str:
    if spec.rules.get("positional"):
        return spec.name.upper()
    if spec.is_sequence:
        return "NAMES" if spec.inner is str or spec.choices else "NUMBERS"
    if spec.choices:
        return "NAME"
    return {bool: "", int: "N", float: "NUMBER", Path: "FILE"}.get(spec.inner, "TEXT")


def _typer_kind(spec: "OptionSpec") -> Any:
    """Return the type for typer; the declaration checks choices and bounds with better messages."""
    if spec.count:
        return tuple.__class_getitem__((str,) * spec.count)
    if spec.rules.get("multiple"):
        return list[str]
    if spec.is_sequence:
        return list[str] | None
    kind = spec.inner if spec.inner in (bool, int, float, Path) else str
    return kind | None if spec.default is None else kind


def _read_value(spec: "OptionSpec", value: Any) -> Any:
    if spec.rules.get("multiple"):
        return tuple(value)
    return spec.default if value is None else value


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and exit with its exit code."""
    if arguments is None:
        require_utf8_names()
    prepare_streams()
    warnings.showwarning = show_warning
    sys.exit(run(arguments))


def run(arguments: Sequence[str] | None = None) -> int:
    """Run the command line: errors become one line on standard error and an exit code."""
    from pyramidion.cli.app import build_app

    # Large tables are many objects without cycles: collect garbage less often.
    gc.set_threshold(100_000, 50, 100)
    words = sys.argv[1:] if arguments is None else list(arguments)
    # For completion, the shell passes the words in an environment variable.
    typed_words = [*words, *os.environ.get("COMP_WORDS", "").split()]
    received_signals: list[int] = []
    try:
        with _interrupting_on_sigterm(received_signals), _restoring_environment():
            code = build_app(typed_words)(args=words, prog_name="pyramidion", standalone_mode=False)
            sys.stdout.flush()
    except (KeyboardInterrupt, typer.Abort):
        code = INTERRUPTED
    except BrokenPipeError:
        _discard_output()
        return 0
    except Exception as error:
        return _report_failure(error)
    if code == INTERRUPTED:
        log(
            f"pyramidion: {'terminated' if received_signals else 'interrupted'}; "
            f"{_describe_leftovers()}"
        )
        return TERMINATED if received_signals else INTERRUPTED
    return code if isinstance(code, int) else 0


def _report_failure(error: Exception) -> int:
    """Report an error in one line; return the exit code."""
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
        # Output can always be encoded, so it must be a file name.
        invalid_characters = error.object[error.start : error.end]
        log(f"pyramidion: file names cannot contain {invalid_characters!r} here; set PYTHONUTF8=1")
    else:  # a crash must not look like the answer "no"
        return _report_crash(error)
    return BAD_INPUT


@contextmanager
def _interrupting_on_sigterm(received_signals: list[int]) -> Iterator[None]:
    """Clean up on SIGTERM as on an interrupt."""

    def end(number: int, _: object) -> None:
        received_signals.append(number)
        raise KeyboardInterrupt

    if threading.current_thread() is not threading.main_thread():
        yield
        return
    previous_handler = signal.signal(signal.SIGTERM, end)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, previous_handler)


def _describe_leftovers() -> str:
    from pyramidion.files.writing import left_behind_paths

    if not left_behind_paths:
        return "no half-written file was left behind"
    return f"remove what could not be cleaned up: {', '.join(map(str, left_behind_paths))}"


def _report_crash(error: Exception) -> int:
    """Report an unexpected error and its location in one line."""
    import traceback

    if os.environ.get("PYRAMIDION_TRACEBACK"):
        traceback.print_exception(error)
    last_frame = traceback.extract_tb(error.__traceback__)[-1]
    text = " ".join((str(error), *getattr(error, "__notes__", ())))
    message = shortened(f"{type(error).__name__}: {text}", 120)
    log(
        f"pyramidion: this is a bug ({message}, {Path(last_frame.filename).name} line "
        f"{last_frame.lineno}); please report it with what PYRAMIDION_TRACEBACK=1 shows"
    )
    return CRASHED
