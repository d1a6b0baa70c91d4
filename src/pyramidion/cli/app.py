"""The program: its commands and its global options."""

from collections.abc import Callable, Sequence
from typing import Annotated, Any

import typer
from typer.core import TyperArgument, TyperCommand, TyperGroup, TyperOption

import pyramidion
from pyramidion.cli._list import HEADINGS, all_commands
from pyramidion.cli.runtime import NO_CODE_HELP, command_function, forbid_code
from pyramidion.questions import CommandGroup, CommandSpec

__all__ = ["build_app"]


class _StringValue:
    """Leaves values as typed: declared options convert themselves, with better messages.

    Typer would load pydantic, which takes longer than most commands.
    """

    def coerce(self, value: Any, param: Any, ctx: Any) -> Any:
        """Return the value."""
        return value


class _StringOption(TyperOption):
    """An option whose value stays a string."""

    def get_runtime_param(self) -> Any:
        """Return the object that converts the value."""
        return _StringValue()


class _StringArgument(TyperArgument):
    """An argument whose value stays a string; its help shows no Python type."""

    def get_runtime_param(self) -> Any:
        """Return the object that converts the value."""
        return _StringValue()

    def display_type_rich(self, ctx: Any) -> str | None:
        """Return no type."""
        return None


class _Command(TyperCommand):
    """A command whose help shows placeholders instead of Python types."""

    def get_params(self, ctx: Any) -> list[Any]:
        """Return all parameters, including those that typer adds."""
        return list(map(_keep_as_string, super().get_params(ctx)))


class _Group(TyperGroup):
    """A group of commands, listed heading by heading."""

    #: The command to run if no command is named.
    default: str = ""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse the words; if no command is named, they go to the default command."""
        is_command = args and args[0] in (*self.commands, *ctx.help_option_names)
        if args and self.default and not is_command:
            args = [self.default, *args]
        return super().parse_args(ctx, args)

    def get_params(self, ctx: Any) -> list[Any]:
        """Return all parameters, including those that typer adds."""
        return list(map(_keep_as_string, super().get_params(ctx)))

    def list_commands(self, ctx: Any) -> list[str]:
        """Return the names of the commands in the order of their headings."""
        return sorted(super().list_commands(ctx), key=self._heading)

    def _heading(self, name: str) -> int:
        heading = getattr(self.commands[name], "rich_help_panel", None)
        # Headings of other packages come last.
        return (*HEADINGS, heading).index(heading) if heading else 0


def _keep_as_string(parameter: Any) -> Any:
    """Make the value of a typer parameter stay a string."""
    if isinstance(parameter, TyperArgument):
        parameter.__class__ = _StringArgument
    else:
        parameter.__class__ = _StringOption
        if parameter.is_flag:
            parameter.metavar = ""
    return parameter


def build_app(words: Sequence[str] | None = None) -> typer.Typer:
    """Create the program; only the commands named in `words` are loaded.

    If the first word is a command, the others are left out: nobody will see their names.

    Parameters
    ----------
    words
        The words on the command line; if None, all commands are loaded.
    """
    app = typer.Typer(
        name="pyramidion",
        help="The whole life of a summary: write it, judge it, score it, compare the systems, "
        "check the metrics, check the judges.",
        cls=_Group,
        no_args_is_help=True,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    groups = {"": app}
    defaults: dict[str, str] = {}
    specs = all_commands()
    first_word = next((word for word in words or () if not word.startswith("-")), "")
    named_specs = [spec for spec in specs if spec.name.split()[0] == first_word]
    for spec in named_specs or specs:
        parent, _, command_word = spec.name.rpartition(" ")
        panel = spec.heading or None
        if isinstance(spec, CommandGroup):
            group_class = type("_Group", (_Group,), {"default": spec.default})
            group = typer.Typer(
                name=command_word, help=spec.summary, no_args_is_help=True, cls=group_class
            )
            groups[parent].add_typer(group, rich_help_panel=panel)
            groups[spec.name], defaults[spec.name] = group, spec.default
        else:
            command_name = parent if defaults.get(parent) == command_word else spec.name
            is_loaded = words is None or all(part in words for part in command_name.split())
            function = _command_function(spec, load=is_loaded)
            register = groups[parent].command(
                command_word, cls=_Command, rich_help_panel=panel, **spec.settings
            )
            register(function)
    app.callback()(_handle_global_options)
    return app


def _command_function(spec: CommandSpec, *, load: bool) -> Callable[..., int]:
    """Load a command, or return a placeholder if only its name and summary are shown."""
    if load:
        return command_function(spec)

    def placeholder() -> int:
        raise AssertionError(spec.name)

    placeholder.__doc__ = spec.summary
    return placeholder


def _show_version(is_requested: bool) -> None:
    if is_requested:
        from pyramidion import kernels

        print(f"pyramidion {pyramidion.__version__} (kernels: {kernels.BACKEND})")
        raise typer.Exit


def _show_citations(is_requested: bool) -> None:
    if is_requested:
        from importlib.resources import files

        citations_text = (files("pyramidion.cli") / "citations.bib").read_text(encoding="utf-8")
        print(citations_text.replace("VERSION", pyramidion.__version__), end="")
        raise typer.Exit


def _handle_global_options(
    _version: Annotated[
        bool,
        typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version."),
    ] = False,
    _cite: Annotated[
        bool,
        typer.Option(
            "--cite", callback=_show_citations, is_eager=True, help="Show what to cite, as BibTeX."
        ),
    ] = False,
    no_code: Annotated[bool, typer.Option("--no-code", help=NO_CODE_HELP)] = False,
) -> None:
    """Handle the options that precede a command."""
    if no_code:
        forbid_code()
