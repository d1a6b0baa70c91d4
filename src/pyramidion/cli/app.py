"""The commands and what every call of the program understands."""

from typing import Annotated

import typer

import pyramidion
from pyramidion.cli import (
    assessors,
    compare,
    composite,
    convert,
    demo,
    describe,
    difficulty,
    gap,
    meta,
    methods,
    metrics,
    power,
    report,
    rewrite,
    rouge,
    score,
    summarize,
    verdicts,
)
from pyramidion.cli.classy import classy
from pyramidion.cli.pyramid import pyramid
from pyramidion.cli.study import study

__all__ = ["app"]

app = typer.Typer(
    name="pyramidion",
    help="The whole life of a summary: write it, judge it, score it, compare the systems, "
    "check the metrics, check the judges.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command()(demo.demo)
app.command()(describe.describe)
app.command()(convert.convert)
app.command()(summarize.summarize)
app.command()(methods.methods)
app.command()(rewrite.rewrite)
app.command()(score.score)
app.command()(metrics.metrics)
app.command()(compare.compare)
app.command()(meta.meta)
app.command()(assessors.assessors)
app.command()(verdicts.verdicts)
app.command()(gap.gap)
app.command()(composite.composite)
app.command()(difficulty.difficulty)
app.command()(power.power)
app.command()(report.report)
app.add_typer(pyramid)
app.add_typer(study)
app.add_typer(classy)
app.command(
    # The Perl script's own letters go through as they are, -h among them.
    context_settings={"ignore_unknown_options": True, "help_option_names": ["--help"]}
)(rouge.rouge)


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


@app.callback()
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
