"""Human measures and metrics side by side, from whatever holds them."""

from dataclasses import dataclass

from pyramidion.collection import Collection
from pyramidion.collection.questions import Options, argument, option
from pyramidion.collection.sources import Source, read_scored
from pyramidion.errors import InputError
from pyramidion.evaluation.meta.tables import MetaTables, meta_tables


@dataclass(frozen=True, slots=True)
class Judged(Options):
    """Which human measures and metrics are put side by side."""

    source: Source = argument("A table of scores, or a collection in any format.")
    human: tuple[str, ...] = option((), "Human measures, with commas.", metavar="MEASURE")
    metric: tuple[str, ...] = option(
        (), "Metrics, with commas or repeated; every other measure by default.",
        flags=("--metric", "-m"), metavar="MEASURE",
    )  # fmt: skip
    task: tuple[str, ...] = option((), "Tasks, with commas; all by default.")
    lower_is_better: tuple[str, ...] = option(
        (), "Metrics for which less is better, beside those known for it."
    )
    source_format: str | None = option(
        None, "Format of the source; guessed by default.", flags=("--from",), metavar="FORMAT"
    )

    def read(self) -> tuple[Collection, list[MetaTables]]:
        """Put each human measure beside the metrics, for each task and collection."""
        collection = read_scored(self.source, format=self.source_format)
        if not self.human:
            there = ", ".join(collection.scores.measures)
            raise InputError(
                "no human measure is named", hint=f"choose with --human among: {there}"
            )
        tables = [
            table
            for human in dict.fromkeys(self.human)
            for table in meta_tables(
                collection.scores,
                human,
                metrics=self.metric,
                tasks=self.task,
                lower_is_better=self.lower_is_better,
                but=self.human,
            )
        ]
        return collection, tables
