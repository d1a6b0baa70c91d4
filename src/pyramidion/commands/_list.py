"""The commands: which question each asks, and which files it can write."""

from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pyramidion.commands._outputs import Command

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
    question
        The function that it calls, as its package exports it.
    doing
        What the progress bar says, with the options in braces: ``"comparing {source}"``.
    outputs
        Groups of options that write files beside the answer, by their names.
    """

    name: str
    summary: str
    heading: str = ""
    question: str = ""
    doing: str = ""
    outputs: str = ""

    @property
    def settings(self) -> dict[str, Any]:
        """Further arguments for typer."""
        return _SETTINGS.get(self.name, {})

    def load(self) -> "Command":
        """Load the question, and the groups of options that write files."""
        from pyramidion.commands import _outputs

        module, _, name = f"pyramidion.{self.question}".rpartition(".")
        return _outputs.Command(
            getattr(import_module(module), name),
            self.doing,
            tuple(getattr(_outputs, output) for output in self.outputs.split()),
            answers=self.name not in _ANSWERLESS,
        )


#: Commands of several words begin with one of these.
GROUPS: tuple[Listed, ...] = (
    Listed("train", "Train the models of summarizers on your data.", heading="Write summaries"),
    Listed(
        "pyramid",
        "Score and annotate summaries with pyramids of content units, and check the pyramids.",
        heading="Score summaries",
    ),
    Listed(
        "pyramid auto",
        "Score summaries by pyramid without annotators (`pyramid auto SRC`), or build pyramids.",
    ),
    Listed(
        "classy",
        "Train metrics on human judgments, predict those of other summaries, and check that.",
        heading="Score summaries",
    ),
    Listed(
        "study",
        "Study how people summarize: words, content units and judgments (Nenkova's thesis).",
        heading="Study human summaries",
    ),
)

#: The command of a group that is meant where none is named: ``pyramid auto SRC``.
DEFAULTS: dict[str, str] = {"pyramid auto": "score"}

#: Name, question, what the progress bar says, outputs and summary: the first line of the docstring
#: of what is called. By heading or group, in the order of the help.
# fmt: off
_LINES: dict[str, tuple[tuple[str, str, str, str, str], ...]] = {
    "Write summaries": (
        ("summarize", "summarizers.summarize_collection", "summarizing", "SummaryOutput",
         "Summarize articles, or every topic of a collection."),
        ("methods", "summarizers.describe_methods", "", "",
         "List the summarization methods and their options, or describe one method."),
        ("rewrite", "summarizers.rewrite", "rewriting", "RewriteOutput",
         "Rewrite a summary so that readers know who people are and what things are called."),
    ),
    "Score summaries": (
        ("score", "metrics.score", "scoring {source}", "",
         "Score every summary with automatic metrics, and show each system's means."),
        ("metrics", "metrics.describe_metrics", "", "",
         "List the metrics that `score` computes and what they need, or describe one metric."),
        ("rouge", "commands._rouge.rouge", "", "",
         "Run in place of ROUGE-1.5.5.pl: same options, same files, same output byte for byte."),
    ),
    "Compare systems": (
        ("compare", "evaluation.compare", "comparing {source}", "FigureFolder",
         "Rank systems, and test every pair for a significant difference."),
        ("report", "evaluation.report_page", "comparing {source}", "ReportFile",
         "Write a self-contained HTML report: conclusion, ranking, figures, tables, methods."),
        ("preferences", "evaluation.preferences", "ranking by the preferences in {source}",
         "FigureFolder",
         "Rank systems by which of two summaries people preferred, and check the choices."),
        ("checklists", "evaluation.checklists", "checking the answers in {source}",
         "FigureFolder",
         "Score systems by checklists: is each unit there, yes, no or cannot tell, by several "
         "people."),
        ("power", "evaluation.power", "planning from {source}", "FigureFolder",
         "Plan an evaluation: how many topics are needed, given the scores of a pilot."),
        ("composite", "evaluation.composite", "composing the measures of {source}",
         "FigureFolder ComponentScores",
         "Combine measures into principal components, and test how well they separate systems."),
        ("difficulty", "evaluation.difficulty", "measuring the inputs of {source}", "FigureFolder",
         "Measure how difficult each input is, and how well the input alone predicts it."),
    ),
    "Check metrics": (
        ("meta", "evaluation.meta_evaluate", "judging the metrics of {source}",
         "FigureFolder PageFile",
         "Correlate metrics with human judgments, with intervals and tests between metrics."),
        ("verdicts", "evaluation.verdicts", "judging by {source}", "FigureFolder",
         "Show how far metrics and people agree on which systems differ significantly."),
        ("gap", "evaluation.gap", "measuring the gap in {source}", "FigureFolder",
         "Measure how far people score above what a metric predicts from machines."),
    ),
    "Check judges": (
        ("judge", "evaluation.judge", "asking {model}", "ScoreTable PreferenceTable",
         "Ask a language model to judge summaries: scores, checklists or preferences."),
        ("serve", "studio.serve", "", "",
         "Open the studio: judge summaries and annotate pyramids in a browser."),
        ("assessors", "evaluation.assessors", "judging the judges", "FigureFolder PageFile",
         "Show which assessors to trust: consistency, severity, drift, agreement, impact."),
    ),
    "Data": (
        ("demo", "demo.tour", "touring the demonstration", "TourFiles",
         "Tour every command on a small built-in collection, and keep the files it writes."),
        ("describe", "evaluation.describe", "reading {source}", "",
         "Show what a collection contains, and everything missing or inconsistent in it."),
        ("convert", "commands._convert.convert", "converting {source}", "",
         "Convert a collection to another format, and count what that format cannot hold."),
    ),
    "train": (
        ("hmm", "summarizers.train_hmm", "training on {source}", "",
         "Train the models of summary sentences of `hmm-qr` on a collection with references."),
    ),
    "pyramid": (
        ("score", "pyramid.score", "scoring {source}", "ScoreTable",
         "Score summaries by their content units: original and modified scores, precision, "
         "recall."),
        ("units", "pyramid.units", "scoring {source}", "ScoreTable",
         "Score summaries by answers about single units: shares, nuggets, coverage judgments."),
        ("tiers", "pyramid.tiers", "reading {source}", "PyramidFigure",
         "Show the tiers of a pyramid: how many content units have each weight, and which."),
        ("optimal", "pyramid.optimal", "reading {source}", "",
         "Count the optimal summaries of a given number of content units, and show some."),
        ("missed", "pyramid.missed", "reading {source}", "",
         "List the heaviest content units each summary missed, and what it says instead."),
        ("pairs", "evaluation.compare_by_units", "comparing {source}", "HitsFile",
         "Compare systems by paired tests over content units."),
        ("agreement", "pyramid.agreement", "comparing annotations in {first}", "FigureFile",
         "Measure how far annotators agree on the same peers, and on pyramids of the same "
         "references."),
        ("stability", "pyramid.stability", "growing pyramids of {source}", "StabilityFigures",
         "Show how many references a pyramid needs for stable scores and ranks."),
        ("importance", "pyramid.importance", "counting in {source}", "ImportanceFigure",
         "Count how many people chose each content unit, word and sentence; fit Zipf's law."),
    ),
    "pyramid auto": (
        ("score", "pyramid.auto", "annotating {source}", "AnnotationFiles",
         "Score each summary by pyramid without annotators, and annotate it."),
        ("match", "pyramid.match_summaries", "matching {source}", "AnnotationFiles",
         "Annotate each summary with the wording annotators marked in the topic's other "
         "summaries."),
        ("similar", "pyramid.annotate_by_similarity", "annotating {source}", "AnnotationFiles",
         "Annotate each summary by the similarity of its words to the content units."),
        ("build", "pyramid.build_pyramids", "building pyramids of {source}", "PyramidFolder",
         "Build pyramids from references alone, by grouping similar statements."),
        ("fit", "pyramid.fit_auto", "fitting to {source}", "SimilarityFile",
         "Fit the probabilities of `pyramid auto` to your own annotated data."),
    ),
    "classy": (
        ("train", "classy.train", "training", "",
         "Train metrics on two or more sets: fit on all but the last, select on the last, then "
         "refit."),
        ("predict", "classy.predict", "predicting {collection}", "PredictionFile",
         "Predict human judgments of a collection's summaries."),
        ("evaluate", "classy.evaluate", "evaluating", "FigureFile",
         "Judge trained models on sets left out in turn, beside R1ns and the summaries' length."),
        ("models", "classy.models", "", "",
         "List the sixteen published models, or show what a model contains."),
    ),
    "study": (
        ("all", "evaluation.study.every_study", "studying {source}", "FigureFolder",
         "Run every study that the data allow, with default settings."),
        ("vocabulary", "evaluation.study.vocabulary", "counting in {sources[0]}", "StudyFigure",
         "Count the words that one, two, ... all texts of a set share, and the vocabulary's "
         "growth."),
        ("tiling", "evaluation.study.tiling", "tiling summaries of {source}", "StudyFigure",
         "Show how long the n-grams are that summaries share with their input (section 2.5)."),
        ("frequent-words", "evaluation.study.frequent_words", "counting in {source}", "StudyFigure",
         "Count the input's most frequent words in summaries (Tables 4.1, 4.4, Figures 4.2, 4.3)."),
        ("word-classes", "evaluation.study.word_classes", "counting in {source}", "StudyFigure",
         "Show how frequent the words that people agree on are in the input (Table 4.2)."),
        ("likelihood", "evaluation.study.likelihood", "scoring summaries of {source}",
         "StudyFigure",
         "Compare the likelihood of human and machine summaries given their input (Table 4.3)."),
        ("content-units", "evaluation.study.content_units", "looking for content units in {source}",
         "StudyFigure",
         "Show how often the input expresses content units that people agree on (Figure 4.1, "
         "6.2)."),
        ("composition", "evaluation.study.composition", "summarizing {source}", "StudyFigure",
         "Compare summarizers that multiply, average or add word probabilities (Tables 4.5-4.7)."),
        ("quality", "evaluation.study.quality", "counting judgments of {source}", "StudyFigure",
         "Show the fraction of summaries rated very poor, poor, ..., very good (Tables 2.3, 2.4)."),
        ("systems", "evaluation.study.systems", "analyzing scores of {source}", "StudyFigure",
         "Analyze a score by system and input, and test which systems differ (Tables 2.1, 2.2)."),
        ("utility", "evaluation.study.utility", "scoring extracts of {source}", "StudyFigure",
         "Measure relative utility: how useful sentences and extracts are (Table 2.7)."),
        ("lognormal", "evaluation.study.lognormal", "fitting models to {source}", "StudyFigure",
         "Fit a lognormal model to the input's words, beside relative frequencies (section 6.1)."),
        ("references", "evaluation.study.references", "looking for people",
         "StudyFigure ChainsFile",
         "Show how texts refer to people at first and later mentions (Figures 5.4-5.8)."),
        ("status", "evaluation.study.status", "looking for people in {source}", "ModelFile",
         "Show whom human summaries name and assume known, and predict it (Tables 5.2-5.5)."),
    ),
}
# fmt: on

#: Those without ``--format``: they print or write everything themselves.
_ANSWERLESS = ("report", "rouge", "serve")

#: Further arguments for typer.
_SETTINGS: dict[str, dict[str, Any]] = {
    # The Perl script's own letters go through as they are.
    "rouge": {
        "context_settings": {
            "ignore_unknown_options": True,
            "help_option_names": ["--help", "-h", "-H"],
        }
    }
}

COMMANDS: tuple[Listed, ...] = tuple(
    Listed(name, summary, place, question, doing, outputs)
    if place in HEADINGS
    else Listed(f"{place} {name}", summary, "", question, doing, outputs)
    for place, lines in _LINES.items()
    for name, question, doing, outputs, summary in lines
)
