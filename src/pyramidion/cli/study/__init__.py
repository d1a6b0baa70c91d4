"""``pyramidion study``: how people summarize."""

import typer

from pyramidion.cli.study.content_units import content_units
from pyramidion.cli.study.every import every
from pyramidion.cli.study.judgments import quality, systems, utility
from pyramidion.cli.study.likelihood import likelihood
from pyramidion.cli.study.references import references
from pyramidion.cli.study.status import status
from pyramidion.cli.study.vocabulary import vocabulary
from pyramidion.cli.study.words import frequent_words, lognormal, word_classes

__all__ = ["study"]

study = typer.Typer(
    name="study",
    help="How people summarize: words, content units and judgments, as in Nenkova's thesis.",
    no_args_is_help=True,
)
study.command("all")(every)
study.command("vocabulary")(vocabulary)
study.command("frequent-words")(frequent_words)
study.command("word-classes")(word_classes)
study.command("likelihood")(likelihood)
study.command("content-units")(content_units)
study.command("quality")(quality)
study.command("systems")(systems)
study.command("utility")(utility)
study.command("lognormal")(lognormal)
study.command("references")(references)
study.command("status")(status)
