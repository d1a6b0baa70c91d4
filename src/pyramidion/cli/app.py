"""The program: its commands, and what every call of it understands."""

from collections.abc import Callable, Collection
from importlib import import_module
from typing import Annotated

import typer

import pyramidion
from pyramidion.cli.runtime import command_function
from pyramidion.commands import COMMANDS, GROUPS, Listed

__all__ = ["build_app"]


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
        no_args_is_help=True,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    groups = {"": app}
    for path, summary in GROUPS.items():
        parent, _, name = path.rpartition(" ")
        groups[path] = typer.Typer(name=name, help=summary, no_args_is_help=True)
        groups[parent].add_typer(groups[path])
    for listed in COMMANDS:
        path, _, name = listed.name.rpartition(" ")
        wanted = asked is None or all(word in asked for word in listed.name.split())
        groups[path].command(name, **listed.settings)(_function(listed, wanted=wanted))
    app.callback()(_every_call)
    return app


def _function(listed: Listed, *, wanted: bool) -> Callable[..., int]:
    """Load a command, or stand in for it where only its name and summary are shown."""
    if wanted:
        return command_function(listed.name, import_module(listed.path).COMMAND)

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
        from pyramidion.cli.citations import CITATIONS

        typer.echo(CITATIONS, nl=False)
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
