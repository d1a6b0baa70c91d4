"""``pyramidion pyramid pairs``."""

from pathlib import Path
from typing import Annotated

import typer

from pyramidion.cli._old_options import AlphaOption, CorrectionOption, ResamplesOption
from pyramidion.cli.house import (
    FormatOption,
    OutputForm,
    OutputOption,
    SeedOption,
    emit,
    listed,
    say,
    working,
)
from pyramidion.cli.pyramid.options import (
    ReferencesOption,
    SourceArgument,
    SourceFormatOption,
    TaskOption,
    TopicOption,
)

__all__ = ["pairs"]


def pairs(  # noqa: PLR0913, PLR0917 - one parameter an option is how typer works
    source: SourceArgument,
    systems: Annotated[
        str, typer.Option(help="Which systems, with commas; all pairs of all by default.")
    ] = "",
    task: TaskOption = "",
    topic: TopicOption = "",
    weighted: Annotated[
        bool, typer.Option("--weighted", help="Let a content unit count with its weight.")
    ] = False,
    test: Annotated[
        str, typer.Option(help="permutation, paired-t (the thesis' example), wilcoxon, mc or hb.")
    ] = "permutation",
    correction: CorrectionOption = "maxt",
    alpha: AlphaOption = 0.05,
    resamples: ResamplesOption = 9999,
    references: ReferencesOption = True,
    hits: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Write the vectors of hits here, a row for each system and unit: .csv, .tsv, ...",
        ),
    ] = None,
    source_format: SourceFormatOption = None,
    seed: SeedOption = 0,
    format: FormatOption = OutputForm.table,
    output: OutputOption = None,
) -> int:
    """Compare systems content unit by content unit: a paired test of their vectors of hits."""
    from pyramidion.pyramid._source import SummarySource
    from pyramidion.report.pyramid_pairs import PairsRequest, pyramid_pairs_answer

    selection = SummarySource(
        source,
        task=listed(task),
        topic=listed(topic),
        system=listed(systems),
        references=references,
        source_format=source_format,
    )
    request = PairsRequest(
        weighted=weighted,
        test=test,
        correction=correction,
        alpha=alpha,
        n_resamples=resamples,
        seed=seed,
    )
    with working(f"comparing {source}"):
        answer = pyramid_pairs_answer(selection, request, hits=hits)
    if hits is not None:
        say(f"wrote {hits}")
    return emit(answer, format, output)
