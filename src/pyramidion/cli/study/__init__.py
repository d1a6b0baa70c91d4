"""``pyramidion study``: how people summarize."""

import typer

from pyramidion.cli.study.every import every

__all__ = ["study"]

study = typer.Typer(
    name="study",
    help="How people summarize: words, content units and judgments, as in Nenkova's thesis.",
    no_args_is_help=True,
)
study.command("all")(every)
