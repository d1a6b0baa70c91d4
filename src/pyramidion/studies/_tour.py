"""The scenes of studies in the demonstration."""

from statistics import fmean
from typing import Any

from pyramidion.demo import Scene, excerpt


def _conclude_differences(result: Any) -> str:
    records = result.to_dict()["results"]
    people, machines = (
        [record for record in records if record["kind"] == kind] for kind in ("human", "machine")
    )
    nearest_machine = min(machines, key=lambda record: record["per_word"])
    means = [
        fmean(record["absent"] for record in kind_records) for kind_records in (people, machines)
    ]
    return (
        f"On average, {means[0]:.1f} words of a human summary do not occur in the input, compared "
        f"with {means[1]:.1f} of a machine summary. {nearest_machine['summarizer']} "
        "writes most like a person."
    )


def _conclude_misprint(result: Any) -> str:
    [entry] = result.to_dict()["results"]
    counts = entry["counts"]
    verdict = f"{counts['exact']} values follow from others as printed, {counts['off']} does not"
    return ". ".join([verdict, *entry["misprints"]]).removesuffix(".") + "."


#: The value of the entry point ``pyramidion.tour_stops``.
SCENES = (
    Scene(
        "Study human summaries",
        "How do summaries by people differ from those by machines?",
        "study likelihood evaluation --task A",
        lambda result: excerpt(
            result.tables[0],
            ("summarizer", "kind", "words", "per word", "absent"),
            rows=4,
            where=("kind", "human"),
        ),
        _conclude_differences,
    ),
    Scene(
        "Study human summaries",
        "Are the papers' own numbers consistent?",
        "reproduce nenkova-5.4",
        lambda result: excerpt(result.tables[0], ("", "examples", "found", "share found")),
        _conclude_misprint,
    ),
)
