"""``pyramidion score``."""

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

__all__ = ["score"]


def score(  # noqa: PLR0913, PLR0917 - one parameter an option is how typer works
    source: Annotated[
        Path,
        typer.Argument(
            help="A collection in any format, or a JSONL stream of {topic, system, peer, "
            "references}; - is standard input."
        ),
    ],
    measures: Annotated[
        str,
        typer.Option(
            "--measures",
            "-m",
            metavar="NAMES",
            help="What to compute, such as rouge-2-r, su4, js-input or bleu(n=2), with commas "
            "between; `pyramidion metrics` lists them, all means all. A bare rouge-2 is its F.",
        ),
    ] = "rouge-1,rouge-2,rouge-l",
    stem: Annotated[bool, typer.Option("--stem", help="ROUGE: stem words.")] = False,
    stop_words: Annotated[
        bool, typer.Option("--stop-words", help="ROUGE: leave stop words out.")
    ] = False,
    words: Annotated[
        int | None, typer.Option(metavar="N", help="ROUGE: cut peers to so many words.")
    ] = None,
    size: Annotated[
        int | None, typer.Option("--bytes", metavar="N", help="ROUGE: cut peers to so many bytes.")
    ] = None,
    alpha: Annotated[
        float, typer.Option(metavar="A", help="ROUGE: weight of precision in F, 0 to 1.")
    ] = 0.5,
    best: Annotated[
        bool, typer.Option("--best", help="ROUGE: take the best reference, not the average of all.")
    ] = False,
    tokenizer: Annotated[
        str, typer.Option(metavar="NAME", help="rouge, or unicode for any script.")
    ] = "rouge",
    exact: Annotated[
        bool, typer.Option("--exact", help="ROUGE-1.5.5's numbers to the digit, quirks included.")
    ] = False,
    jackknife: Annotated[
        bool,
        typer.Option("--jackknife", help="Score machines against all references but one, in turn."),
    ] = False,
    source_format: Annotated[
        str | None, typer.Option("--from", metavar="FORMAT", help="The source's format.")
    ] = None,
    threads: Annotated[
        int | None, typer.Option(metavar="N", min=1, help="Threads; all cores by default.")
    ] = None,
    seed: SeedOption = 0,
    format: FormatOption = OutputForm.table,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="Write every summary's scores here, as .csv, .tsv, .jsonl or .parquet. An "
            "interrupted run on a collection goes on where it stopped.",
        ),
    ] = None,
) -> int:
    """Score every summary, and show each system's means with their intervals."""
    from pyramidion.report.scoring import ScoreRequest, Watcher, score_answer

    request = ScoreRequest(
        measures=listed(measures),
        options={
            "stem": stem,
            "stop_words": stop_words,
            "words": words,
            "bytes": size,
            "alpha": alpha,
            "models": "best" if best else "average",
            "tokenizer": tokenizer,
            "exact": exact,
        },
        jackknife=jackknife,
        source_format=source_format,
        threads=threads,
        seed=seed,
    )
    with working(f"scoring {source.name}") as show:
        watcher = Watcher(show=show, tell=say)
        answer = score_answer(source, request, output=output, watcher=watcher)
    if output is not None:
        say(f"wrote {output}")
    return emit(answer, format)
