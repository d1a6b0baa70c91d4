"""The data card of the pipeline, with the figures that were measured on it."""

import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from figures import figures
from people import people_figures
from treebank import Sentence

from pyramidion.text._spacy import SpacyParser

__all__ = ["figures_of", "write_card"]

TEMPLATE = Path(__file__).parent / "card.md"
_GIVEN = ("words", "tags", "UPOS", "lemmas", "UAS", "LAS", "LAS, main", "words a CPU s")


def figures_of(
    nlp: Any, parts: Mapping[str, Sequence[Sentence]], people: Path | None
) -> dict[str, str]:
    """Measure on treebanks and, if they are at hand, on the sentences with persons."""
    rows = []
    for name, sentences in parts.items():
        for gold in (False, True):
            measured = figures(nlp, sentences, gold_words=gold)
            label = f"{name}, the treebank's words" if gold else name
            rows.append(_row([label, *(_written(kind, measured[kind]) for kind in _GIVEN)]))
    head = [_row(["", *_GIVEN]), _row(["---"] * (len(_GIVEN) + 1))]
    figure_texts = {"treebanks": "\n".join([*head, *rows]), "people": "not measured"}
    if people is not None:
        counts = people_figures(SpacyParser(nlp, "trained"), people).counts
        figure_texts["people"] = ", ".join(f"{kind} {a} of {b}" for kind, (a, b) in counts.items())
    return figure_texts


def write_card(folder: Path, figures: dict[str, str], **numbers: float) -> str:
    """Write the card and the notice; give what is new in the card."""
    size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) / 1e6
    text = TEMPLATE.read_text(encoding="utf-8").format(size=size, **figures, **numbers)
    (folder / "README.md").write_text(text, encoding="utf-8")
    shutil.copy(TEMPLATE.with_name("NOTICE.md"), folder)
    return f"{figures['treebanks']}\n{figures['people']}\n{size:.1f} MB"


def _written(kind: str, value: float) -> str:
    return f"{value:,.0f}" if kind == "words a CPU s" else f"{value:.1f}"


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"
