"""``pyramidion pyramid``: content units, from files to statistics."""

import typer

from pyramidion.cli.pyramid.pairs import pairs

__all__ = ["pyramid"]

pyramid = typer.Typer(
    name="pyramid",
    help="Pyramids: score summaries by their content units, look at tiers, annotate, check.",
    no_args_is_help=True,
)
pyramid.command()(pairs)
