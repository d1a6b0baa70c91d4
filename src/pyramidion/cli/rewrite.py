"""``pyramidion rewrite``."""

from pathlib import Path
from typing import Annotated

import typer

from pyramidion.cli.house import (
    FormatOption,
    OutputForm,
    SeedOption,
    emit,
    listed,
    say,
    working,
)
from pyramidion.cli.rewrite_options import (
    ChainsOption,
    CorefOption,
    DescribeOption,
    LaterOption,
    PhraseOption,
    PipelineOption,
    StatusOption,
    WhoOption,
)

__all__ = ["rewrite"]


def rewrite(  # noqa: PLR0913, PLR0917 - one parameter an option is how typer works
    summary: Annotated[
        Path,
        typer.Argument(
            metavar="SUMMARY",
            help="A text, - for standard input; or many summaries, as JSONL with their topics.",
        ),
    ],
    documents: Annotated[
        list[Path],
        typer.Option(
            "--documents",
            "-d",
            metavar="SRC",
            help="What it is a summary of: texts, NIST's SGML, JSONL, folders of them, or a "
            "collection; may be repeated.",
        ),
    ],
    kinds: Annotated[
        str,
        typer.Option(
            "--rewrite",
            metavar="KINDS",
            help="people: references to people; np: noun phrases; np-raw: those without guards, "
            "as it was published. Several with commas between.",
        ),
    ] = "people",
    words: Annotated[
        int | None,
        typer.Option(metavar="N", help="How many words it may have then; by default any number."),
    ] = None,
    topic: Annotated[
        str, typer.Option(help="Which topic's documents, where there are several.")
    ] = "",
    frw: PhraseOption = "sum",
    coref: CorefOption = "names",
    describe: DescribeOption = "all",
    later: LaterOption = "rules",
    chains: ChainsOption = "",
    status: StatusOption = "",
    pipeline: PipelineOption = "",
    seed: SeedOption = 0,
    who: WhoOption = False,
    explain: Annotated[
        bool, typer.Option("--explain", help="List what was replaced, by what, whence and why.")
    ] = False,
    source_format: Annotated[
        str | None, typer.Option("--from", metavar="FORMAT", help="The collection's format.")
    ] = None,
    format: FormatOption = OutputForm.table,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="FILE.jsonl gets the summaries as peers; any other file what would be printed.",
        ),
    ] = None,
) -> int:
    """Rewrite a summary so that it reads better: who people are, what things are called."""
    from pyramidion.collection.questions import Progress as Watcher
    from pyramidion.report.rewrite_request import RewriteRequest
    from pyramidion.report.rewriting import rewrite_answer
    from pyramidion.rewriting.options import RewriteOptions

    options = RewriteOptions(
        listed(kinds),
        composition=frw,
        coref=coref,
        describe=describe,
        variation=later,
        seed=seed,
        pipeline=pipeline,
        chains=chains,
        status=status,
    )
    request = RewriteRequest(options, words=words, topic=topic, who=who, explain=explain)
    peers = output if output is not None and output.suffix == ".jsonl" else None
    with working("rewriting") as show:
        answer = rewrite_answer(
            summary,
            documents,
            request,
            format=source_format,
            output=peers,
            watcher=Watcher(show, say),
        )
    if peers is None:
        code = emit(answer, format, output)
    else:
        code = 0
        number = len(answer.peers)
        say(f"wrote {peers}: {number} {'summary' if number == 1 else 'summaries'}")
    if format is OutputForm.table:
        say(str(answer.signature))
    return code
