"""The rewriting scene of the demonstration."""

from typing import Any

from pyramidion.demo import Scene
from pyramidion.rendering import Table


def _show(result: Any) -> Table:
    [summary] = result.to_dict()["results"]
    changed_sentences = [sentence for sentence in summary["sentences"] if sentence["rewritten"]]
    return Table(("before", "after"), tuple((s["before"], s["text"]) for s in changed_sentences))


def _conclude(result: Any) -> str:
    [summary] = result.to_dict()["results"]
    names = [r["after"] for sentence in summary["sentences"] for r in sentence["replacements"]]
    if not names:
        return "Readers know everybody already."
    return f"Readers now know who is meant: {', '.join(names)}."


#: The value of the entry point ``pyramidion.tour_stops``.
SCENES = (
    Scene(
        "Write summaries",
        "Sentences taken from articles name people without saying who they are. Who are they?",
        "rewrite draft.txt --documents collection --topic P04",
        _show,
        _conclude,
    ),
)
