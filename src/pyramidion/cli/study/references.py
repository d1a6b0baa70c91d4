"""``pyramidion study references``."""

from pathlib import Path
from typing import Annotated

import typer

from pyramidion.cli.house import (
    FormatOption,
    OutputForm,
    OutputOption,
    SeedOption,
    emit,
    say,
    working,
)
from pyramidion.cli.study.options import (
    FigureOption,
    SourceFormatOption,
    TaskOption,
    TopicOption,
    request_of,
)

__all__ = ["references"]


def references(  # noqa: PLR0913, PLR0917 - one parameter an option is how typer works
    sources: Annotated[
        list[Path],
        typer.Argument(
            metavar="SRC...",
            help="Texts, NIST's SGML, JSONL or folders of them; or a collection; - is standard "
            "input.",
        ),
    ],
    of: Annotated[
        str, typer.Option(help="Look at documents, or at the summaries that people wrote.")
    ] = "documents",
    pipeline: Annotated[
        str,
        typer.Option(metavar="NAME", help="What parses: light, or a spaCy pipeline or its folder."),
    ] = "",
    add: Annotated[
        float,
        typer.Option(metavar="N", help="Add N to each count, so that no step is impossible."),
    ] = 0.0,
    save: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE.json",
            help="Write the chains; `rewrite --later sampled --chains FILE.json` draws from them.",
        ),
    ] = None,
    listing: Annotated[
        bool,
        typer.Option("--people", help="List all references to each person, as in Figure 5.12."),
    ] = False,
    draws: Annotated[
        int, typer.Option(min=100, metavar="N", help="Of documents, for intervals and tests.")
    ] = 1999,
    topic: TopicOption = "",
    task: TaskOption = "",
    figure: FigureOption = None,
    seed: SeedOption = 0,
    source_format: SourceFormatOption = None,
    format: FormatOption = OutputForm.table,
    output: OutputOption = None,
) -> int:
    """How texts name people first, again, and in the long run (Figures 5.4-5.8).

    Modification, form of the name, what follows the name, and how many words stand before it: a
    Markov chain with its limit, and a stratified model of the first to the fifth mention, beside
    those of the thesis; which of them foretells documents better that it did not see.
    """
    from pyramidion.evaluation.study.references import ReferenceOptions
    from pyramidion.report.study_references import references_answer
    from pyramidion.text.parsing import fallback_remark

    options = ReferenceOptions(add=add, n_resamples=draws, seed=seed)
    with working("looking for people") as show:
        answer = references_answer(
            sources,
            request_of(topic, task, source_format),
            of=of,
            pipeline=pipeline,
            options=options,
            figure=figure,
            save=save,
            listing=listing,
            show=show,
        )
    if remark := fallback_remark(pipeline):
        say(remark)
    if save is not None:
        say(f"wrote {save}")
    return emit(answer, format, output)
