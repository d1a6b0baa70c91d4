"""The options of rewriting, which `summarize` and `rewrite` share."""

from typing import Annotated

import typer

__all__ = [
    "REWRITING",
    "ChainsOption",
    "CorefOption",
    "DescribeOption",
    "LaterOption",
    "PhraseOption",
    "PipelineOption",
    "StatusOption",
    "WhoOption",
]

#: The part of the help that the options stand in.
REWRITING = "Rewriting"

PhraseOption = Annotated[
    str,
    typer.Option(
        "--frw",
        metavar="sum|average",
        help="How noun phrases are weighed: the sum adds what is new, the average shortens.",
        rich_help_panel=REWRITING,
    ),
]

CorefOption = Annotated[
    str,
    typer.Option(
        metavar="names|head",
        help="Which noun phrases are about the same: by names, aliases and agreement, or all with "
        "the same head.",
        rich_help_panel=REWRITING,
    ),
]

DescribeOption = Annotated[
    str,
    typer.Option(
        metavar="all|new",
        help="Who is described at first mention: everybody, or those whom readers do not know.",
        rich_help_panel=REWRITING,
    ),
]

LaterOption = Annotated[
    str,
    typer.Option(
        metavar="rules|sampled",
        help="Later mentions: last names, or drawn (with --seed) as newspapers vary them.",
        rich_help_panel=REWRITING,
    ),
]

ChainsOption = Annotated[
    str,
    typer.Option(
        metavar="FILE",
        help="What --later sampled draws from: chains that `study references --save` wrote; the "
        "thesis' by default.",
        rich_help_panel=REWRITING,
    ),
]

StatusOption = Annotated[
    str,
    typer.Option(
        metavar="FILE",
        help="What tells who matters and who is known, for --describe new and --who: a model that "
        "`study status --save` wrote; our own by default.",
        rich_help_panel=REWRITING,
    ),
]

PipelineOption = Annotated[
    str,
    typer.Option(
        metavar="NAME",
        help="What parses: light, or a spaCy pipeline's name or folder; our own by default.",
        rich_help_panel=REWRITING,
    ),
]

WhoOption = Annotated[
    bool,
    typer.Option(
        "--who",
        help="Tell who those are that matter and that readers do not know.",
        rich_help_panel=REWRITING,
    ),
]
