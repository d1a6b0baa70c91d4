"""The scene of trained metrics in the demonstration."""

from typing import Any

from pyramidion.demo import Scene, excerpt

_MODEL = "classy-2011/25/A/no-models"


def _conclude(result: Any) -> str:
    [record] = result.to_dict()["results"]
    systems = sorted(record["systems"], key=lambda system: -system["mean"])
    correlation = next(
        row["value"] for row in record["correlations"]
        if (row["level"], row["coefficient"]) == ("system", "pearson")
    )  # fmt: skip
    best, worst = systems[0]["system"], systems[-1]["system"]
    return (
        f"A model of 2011 expects {best} to be best and {worst} to be worst; its means "
        f"have a correlation of {correlation:.2f} with what people said of these systems."
    )


#: The value of the entry point ``pyramidion.tour_stops``.
SCENES = (
    Scene(
        "Score summaries",
        "Can judgments be predicted by a metric that was trained on those of other years?",
        f"classy predict {_MODEL} evaluation --task A",
        lambda result: excerpt(result.tables[0], ("system", "kind", "n", _MODEL)),
        _conclude,
    ),
)
