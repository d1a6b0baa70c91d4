"""The program: its commands, and what every call of it understands."""

from collections.abc import Callable, Collection
from typing import Annotated, Any

import typer
from typer.core import TyperArgument, TyperCommand, TyperGroup

import pyramidion
from pyramidion.cli.runtime import command_function
from pyramidion.commands import COMMANDS, DEFAULTS, GROUPS, HEADINGS, Listed

__all__ = ["build_app"]


class _AsTyped:
    """Leaves values as they are typed: declared options read themselves, with better words.

    Typer would load pydantic for it, which takes longer than most commands.
    """

    def coerce(self, value: Any, param: Any, ctx: Any) -> Any:
        """Return the value, and no values for none of several."""
        return () if value is None and (param.multiple or param.nargs == -1) else value


class _Command(TyperCommand):
    """A command whose help shows values to type, and not the types of Python."""

    def get_params(self, ctx: Any) -> list[Any]:
        """Return all parameters, those that typer adds included."""
        return list(map(_without_type, super().get_params(ctx)))


class _Group(TyperGroup):
    """The same for a group; its commands are listed heading by heading."""

    #: The command that is meant where none is named, if any.
    default: str = ""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read what was typed; what names no command is for the one that is meant."""
        named = args and args[0] in (*self.commands, *ctx.help_option_names)
        if args and self.default and not named:
            args = [self.default, *args]
        return super().parse_args(ctx, args)

    def get_params(self, ctx: Any) -> list[Any]:
        """Return all parameters, those that typer adds included."""
        return list(map(_without_type, super().get_params(ctx)))

    def list_commands(self, ctx: Any) -> list[str]:
        """Return the names of the commands in the order of their headings."""
        return sorted(super().list_commands(ctx), key=self._heading)

    def _heading(self, name: str) -> int:
        heading = getattr(self.commands[name], "rich_help_panel", None)
        return HEADINGS.index(heading) if heading else 0


def _without_type(parameter: Any) -> Any:
    if isinstance(parameter, TyperArgument):
        parameter.display_type_rich = lambda ctx: None  # type: ignore[method-assign]
    elif parameter.is_flag:
        parameter.metavar = ""
    parameter._runtime_param = _AsTyped()
    return parameter


def build_app(asked: Collection[str] | None = None) -> typer.Typer:
    """Make the program; of its commands only those that are asked for are loaded.

    Parameters
    ----------
    asked
        What was typed; all commands are loaded if it is not given.
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
    for listed in GROUPS:
        parent, _, name = listed.name.rpartition(" ")
        kind = type("_Group", (_Group,), {"default": DEFAULTS.get(listed.name, "")})
        group = typer.Typer(name=name, help=listed.summary, no_args_is_help=True, cls=kind)
        groups[parent].add_typer(group, rich_help_panel=listed.heading or None)
        groups[listed.name] = group
    for listed in COMMANDS:
        path, _, name = listed.name.rpartition(" ")
        meant = path if DEFAULTS.get(path) == name else listed.name
        wanted = asked is None or all(word in asked for word in meant.split())
        function = _function(listed, wanted=wanted)
        panel = listed.heading or None
        groups[path].command(name, cls=_Command, rich_help_panel=panel, **listed.settings)(function)
    app.callback()(_every_call)
    return app


def _function(listed: Listed, *, wanted: bool) -> Callable[..., int]:
    """Load a command, or stand in for it where only its name and summary are shown."""
    if wanted:
        return command_function(listed.name, listed.load())

    def stand_in() -> int:
        raise AssertionError(listed.name)

    stand_in.__doc__ = listed.summary
    return stand_in


def _show_version(wanted: bool) -> None:
    if wanted:
        from pyramidion import kernels

        typer.echo(f"pyramidion {pyramidion.__version__} (kernels: {kernels.BACKEND})")
        raise typer.Exit


def _show_citations(wanted: bool) -> None:
    if wanted:
        from importlib.resources import files

        cited = (files("pyramidion.cli") / "citations.bib").read_text(encoding="utf-8")
        typer.echo(cited.replace("VERSION", pyramidion.__version__), nl=False)
        raise typer.Exit


def _every_call(
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
) -> None:
    """Take the options that come before a command."""
