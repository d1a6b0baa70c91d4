"""The commands, one file each: which question, which files it can write."""

from dataclasses import dataclass, field
from typing import Any

__all__ = ["COMMANDS", "GROUPS", "Listed"]


@dataclass(frozen=True, slots=True)
class Listed:
    """A line of ``pyramidion --help``; the command itself is loaded when it is called.

    Parameters
    ----------
    name
        As it is typed; ``pyramid score`` is a command of the group ``pyramid``.
    summary
        What it does, in a line.
    module
        Where its `COMMAND` is, if not in the module of its name.
    settings
        What typer is told beside that.
    """

    name: str
    summary: str
    module: str = ""
    settings: dict[str, Any] = field(default_factory=dict)

    @property
    def path(self) -> str:
        """The module that declares it."""
        words = self.module or self.name.replace(" ", ".").replace("-", "_")
        return f"pyramidion.commands.{words}"


#: Commands of several words begin with one of these.
GROUPS: dict[str, str] = {
    "pyramid": "Pyramids: score summaries by their content units, look at tiers, annotate, check.",
    "pyramid auto": "Annotate summaries with pyramids automatically, or build pyramids from "
    "references.",
    "study": "How people summarize: words, content units and judgments, as in Nenkova's thesis.",
    "classy": "Trained metrics: learn from two years what people say of summaries, predict a "
    "third.",
}

#: In the order of the help.
COMMANDS: tuple[Listed, ...] = (
    Listed("demo", "Tour everything on the embedded collection, and leave its files to look at."),
    Listed(
        "describe",
        "Show what is in a collection, and everything that is missing or inconsistent.",
    ),
    Listed("convert", "Convert between formats; what has no place in the destination is counted."),
    Listed("summarize", "Summarize articles, or every topic of a collection."),
    Listed(
        "methods", "List the methods that `summarize` knows and their options, or describe one."
    ),
    Listed(
        "rewrite",
        "Rewrite a summary so that it reads better: who people are, what things are called.",
    ),
    Listed(
        "metrics", "List the metrics that `score` computes and what they need, or describe one."
    ),
    Listed("score", "Score every summary, and show each system's means with their intervals."),
    Listed("compare", "Tell which systems really differ: every pair tested, corrected and ranked."),
    Listed(
        "assessors",
        "Tell which judges to trust: consistency, severity, drift, agreement, and what it matters.",
    ),
    Listed(
        "pyramid score",
        "Score summaries by their content units: original and modified score, precision, recall.",
    ),
    Listed(
        "pyramid tiers",
        "Show a pyramid's tiers: how many content units weigh how much, and which.",
    ),
    Listed(
        "pyramid optimal",
        "Tell how many summaries of X content units are optimal, and show some.",
    ),
    Listed(
        "pyramid missed",
        "Diagnose summaries: the heavy content units they missed, and what they said instead.",
    ),
    Listed(
        "pyramid pairs",
        "Compare systems content unit by content unit: a paired test of their vectors of hits.",
    ),
    Listed(
        "pyramid agreement",
        "Tell how far two people agree who annotated the same peers with the same pyramids.",
    ),
    Listed(
        "pyramid stability",
        "Tell how many references a pyramid needs: how scores and ranks settle as it grows.",
    ),
    Listed(
        "pyramid importance",
        "Count the content units, words and sentences that so many people chose; fit Zipf's law.",
    ),
    Listed(
        "pyramid auto match",
        "Annotate each summary with the words that annotators marked in the topic's others.",
    ),
    Listed(
        "pyramid auto similar",
        "Annotate each summary by the similarity of its words to content units.",
    ),
    Listed(
        "pyramid auto build",
        "Build pyramids of references alone, by grouping what they say alike.",
    ),
    Listed(
        "composite",
        "Make composite scores: principal components of all measures, and how well they separate.",
    ),
    Listed("difficulty", "Tell how difficult each input is, and whether the input alone can tell."),
    Listed(
        "verdicts", "Tell how far metrics agree with people on which systems differ significantly."
    ),
    Listed(
        "meta", "Tell which metrics can stand in for people: correlations, intervals, differences."
    ),
    Listed("gap", "Tell how far people are above what a metric predicts from machines."),
    Listed("power", "Plan an evaluation: given a pilot's scores, how many topics are needed."),
    Listed(
        "report",
        "Write one self-contained page: ranking, significance, figures, tables, method text.",
    ),
    Listed("study all", "Every study that the data allow, with its usual settings."),
    Listed(
        "study vocabulary",
        "Words that one, two, ... all texts of a set have, and how the vocabulary grows.",
    ),
    Listed(
        "study frequent-words",
        "How many of the input's most frequent words people and machines use (Tables 4.1, 4.4).",
    ),
    Listed(
        "study word-classes",
        "How frequent in the input the words are that people agree on (Table 4.2).",
    ),
    Listed(
        "study likelihood",
        "How likely people's and machines' summaries are under their input (Table 4.3).",
    ),
    Listed(
        "study content-units",
        "How often the input expresses the content units that people agree on (Figure 4.1).",
    ),
    Listed(
        "study quality",
        "Give the fraction of summaries judged very poor, poor, ... very good (Tables 2.3, 2.4).",
    ),
    Listed(
        "study systems",
        "Systems and inputs as factors of a score, and which systems differ (Tables 2.1, 2.2).",
    ),
    Listed(
        "study utility",
        "Relative utility: how useful sentences are, and what extracts are worth (Table 2.7).",
    ),
    Listed(
        "study lognormal",
        "Fit a lognormal model of the input's words, beside relative frequencies (section 6.1).",
    ),
    Listed(
        "study references",
        "How texts name people first, again, and in the long run (Figures 5.4-5.8).",
    ),
    Listed(
        "study status",
        "Whom human summaries name and take for known, and how well that is told (Tables 5.2-5.5).",
    ),
    Listed(
        "classy train",
        "Train metrics on two years: fit on the first, choose on the second, refit on it.",
    ),
    Listed("classy predict", "Predict what people would say of a collection's summaries."),
    Listed("classy models", "List the sixteen published models, or show what is in a model."),
    Listed(
        "rouge",
        "Take ROUGE-1.5.5.pl's options and files, and print its output byte for byte.",
        # The Perl script's own letters go through as they are.
        settings={
            "context_settings": {
                "ignore_unknown_options": True,
                "help_option_names": ["--help", "-h", "-H"],
            }
        },
    ),
)
