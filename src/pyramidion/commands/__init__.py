"""The commands, one file each: which question, which files it can write."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

__all__ = ["COMMANDS", "GROUPS", "HEADINGS", "Listed"]

#: Of ``pyramidion --help``, in order.
HEADINGS: tuple[str, ...] = (
    "Write summaries",
    "Score summaries",
    "Compare systems",
    "Check metrics",
    "Check judges",
    "Study human summaries",
    "Data",
)


@dataclass(frozen=True, slots=True)
class Listed:
    """A line of ``pyramidion --help``; the command itself is loaded when it is called.

    Parameters
    ----------
    name
        As it is typed; ``pyramid score`` is a command of the group ``pyramid``.
    summary
        What it does, in one line: the first line of the docstring of what it calls.
    heading
        One of `HEADINGS`; empty for commands of a group.
    settings
        Further arguments for typer.
    """

    name: str
    summary: str
    heading: str = ""
    settings: dict[str, Any] = field(default_factory=dict)

    @property
    def path(self) -> str:
        """The module that declares it."""
        return f"pyramidion.commands.{self.name.replace(' ', '.').replace('-', '_')}"


#: Commands of several words begin with one of these.
GROUPS: tuple[Listed, ...] = (
    Listed("train", "Train the models of summarizers on your data.", heading="Write summaries"),
    Listed(
        "pyramid",
        "Score and annotate summaries with pyramids of content units, and check the pyramids.",
        heading="Score summaries",
    ),
    Listed("pyramid auto", "Annotate summaries automatically, or build pyramids from references."),
    Listed(
        "classy",
        "Train metrics on two years of human judgments, and predict those of a third.",
        heading="Score summaries",
    ),
    Listed(
        "study",
        "Study how people summarize: words, content units and judgments (Nenkova's thesis).",
        heading="Study human summaries",
    ),
)

#: What commands do, in a line: the first line of the docstring of what they call. By heading or
#: group, in the order of the help.
_SUMMARIES: dict[str, dict[str, str]] = {
    "Write summaries": {
        "summarize": "Summarize articles, or every topic of a collection.",
        "methods": "List the summarization methods and their options, or describe one method.",
        "rewrite": "Rewrite a summary so that readers know who people are and what things are "
        "called.",
    },
    "Score summaries": {
        "score": "Score every summary with automatic metrics, and show each system's means.",
        "metrics": "List the metrics that `score` computes and what they need, or describe one "
        "metric.",
        "rouge": "Run in place of ROUGE-1.5.5.pl: same options, same files, same output byte for "
        "byte.",
    },
    "Compare systems": {
        "compare": "Rank systems, and test every pair for a significant difference.",
        "report": "Write a self-contained HTML report: conclusion, ranking, figures, tables, "
        "methods.",
        "power": "Plan an evaluation: how many topics are needed, given the scores of a pilot.",
        "composite": "Combine measures into principal components, and test how well they separate "
        "systems.",
        "difficulty": "Measure how difficult each input is, and how well the input alone predicts "
        "it.",
    },
    "Check metrics": {
        "meta": "Correlate metrics with human judgments, with intervals and tests between metrics.",
        "verdicts": "Show how far metrics and people agree on which systems differ significantly.",
        "gap": "Measure how far people score above what a metric predicts from machines.",
    },
    "Check judges": {
        "assessors": "Show which assessors to trust: consistency, severity, drift, agreement, "
        "impact.",
    },
    "Data": {
        "demo": "Tour every command on a small built-in collection, and keep the files it writes.",
        "describe": "Show what a collection contains, and everything missing or inconsistent in "
        "it.",
        "convert": "Convert a collection to another format, and count what that format cannot "
        "hold.",
    },
    "train": {
        "hmm": "Train the models of summary sentences of `hmm-qr` on a collection with references.",
    },
    "pyramid": {
        "score": "Score summaries by their content units: original and modified scores, "
        "precision, recall.",
        "units": "Score summaries by answers about single units: shares, nuggets, coverage "
        "judgments.",
        "tiers": "Show the tiers of a pyramid: how many content units have each weight, and which.",
        "optimal": "Count the optimal summaries of a given number of content units, and show some.",
        "missed": "List the heaviest content units each summary missed, and what it says instead.",
        "pairs": "Compare systems by paired tests over content units.",
        "agreement": "Measure how far annotators agree on the same peers, and on pyramids of the "
        "same references.",
        "stability": "Show how many references a pyramid needs for stable scores and ranks.",
        "importance": "Count how many people chose each content unit, word and sentence; fit "
        "Zipf's law.",
    },
    "pyramid auto": {
        "match": "Annotate each summary with the wording annotators marked in the topic's other "
        "summaries.",
        "similar": "Annotate each summary by the similarity of its words to the content units.",
        "build": "Build pyramids from references alone, by grouping similar statements.",
    },
    "classy": {
        "train": "Train metrics on two years: fit on the first, select on the second, then refit "
        "on it.",
        "predict": "Predict human judgments of a collection's summaries.",
        "models": "List the sixteen published models, or show what a model contains.",
    },
    "study": {
        "all": "Run every study that the data allow, with default settings.",
        "vocabulary": "Count the words that one, two, ... all texts of a set share, and the "
        "vocabulary's growth.",
        "tiling": "Show how long the n-grams are that summaries share with their input (section "
        "2.5).",
        "frequent-words": "Count the input's most frequent words in summaries (Tables 4.1, 4.4, "
        "Figures 4.2, 4.3).",
        "word-classes": "Show how frequent the words that people agree on are in the input (Table "
        "4.2).",
        "likelihood": "Compare the likelihood of human and machine summaries given their input "
        "(Table 4.3).",
        "content-units": "Show how often the input expresses content units that people agree on "
        "(Figure 4.1, 6.2).",
        "composition": "Compare summarizers that multiply, average or add word probabilities "
        "(Tables 4.5-4.7).",
        "quality": "Give the fraction of summaries rated very poor, poor, ..., very good (Tables "
        "2.3, 2.4).",
        "systems": "Analyze a score by system and input, and test which systems differ (Tables "
        "2.1, 2.2).",
        "utility": "Measure relative utility: how useful sentences and extracts are (Table 2.7).",
        "lognormal": "Fit a lognormal model to the input's words, beside relative frequencies "
        "(section 6.1).",
        "references": "Show how texts refer to people at first and later mentions (Figures "
        "5.4-5.8).",
        "status": "Show whom human summaries name and assume known, and predict it (Tables "
        "5.2-5.5).",
    },
}

#: Further arguments for typer.
_SETTINGS: dict[str, dict[str, Any]] = {
    # The Perl script's own letters go through as they are.
    "rouge": {
        "context_settings": {
            "ignore_unknown_options": True,
            "help_option_names": ["--help", "-h", "-H"],
        }
    },
}


def _listed() -> Iterator[Listed]:
    for place, commands in _SUMMARIES.items():
        for name, summary in commands.items():
            if place in HEADINGS:
                yield Listed(name, summary, place, _SETTINGS.get(name, {}))
            else:
                yield Listed(f"{place} {name}", summary)


COMMANDS: tuple[Listed, ...] = tuple(_listed())
