"""``pyramidion classy predict``."""

from pathlib import Path
from typing import Annotated

import typer

from pyramidion.cli.house import FormatOption, OutputForm, SeedOption, emit, say, working

__all__ = ["predict"]


def predict(
    model: Annotated[
        str,
        typer.Argument(
            help="A model that `classy train` wrote, a folder of them, or a published one such as "
            "classy-2011/25/A/all."
        ),
    ],
    collection: Annotated[Path, typer.Argument(help="A collection in any format.")],
    task: Annotated[
        str | None, typer.Option(help="Which task; the model's own by default.")
    ] = None,
    peers: Annotated[
        str | None,
        typer.Option(
            metavar="all|no-models",
            help="Everybody's summaries, machines against all references but one in turn; or "
            "machines' only. As the model was trained by default.",
        ),
    ] = None,
    source_format: Annotated[
        str | None, typer.Option("--from", metavar="FORMAT", help="The collection's format.")
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
            help="Write every summary's prediction here, as .csv, .tsv, .jsonl or .parquet.",
        ),
    ] = None,
) -> int:
    """Predict what people would say of a collection's summaries.

    Shows each system's mean; and the correlation with people, where they have judged them.
    """
    from pyramidion.report.classy_prediction import PredictRequest, predict_answer

    request = PredictRequest(
        task=task, peers=peers, source_format=source_format, threads=threads, seed=seed
    )
    with working(f"predicting {collection.name}") as show:
        answer = predict_answer(model, collection, request, output=output, show=show)
    if output is not None:
        say(f"wrote {output}")
    return emit(answer, format)
