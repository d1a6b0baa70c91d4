"""The commands of the program: built-in ones, and those that other packages add."""

from functools import cache
from typing import Any

from pyramidion.questions import CommandGroup, CommandSpec, load_plugins

#: The headings of ``pyramidion --help``, in order; those of other packages follow.
HEADINGS: tuple[str, ...] = (
    "Write summaries",
    "Score summaries",
    "Compare systems",
    "Check metrics",
    "Check judges",
    "Study human summaries",
    "Data",
)

# The Perl script's options are passed on unchanged.
_PERL_SETTINGS: dict[str, Any] = {
    "context_settings": {
        "ignore_unknown_options": True,
        "help_option_names": ["--help", "-h", "-H"],
    }
}

#: In the order of the help.
BUILT_IN: tuple[CommandSpec | CommandGroup, ...] = (
    CommandGroup(
        "pyramid",
        "Score and annotate summaries with pyramids of content units, and check the pyramids.",
        heading="Score summaries",
    ),
    CommandGroup(
        "pyramid auto",
        "Score summaries with pyramids without annotators (`pyramid auto SRC`), or build pyramids.",
        default="score",
    ),
    CommandGroup(
        "engine",
        "Check the cluster that runs large jobs.",
        heading="Data",
    ),
    CommandSpec(
        "summarize",
        "pyramidion.summarizers:summarize_collection",
        "Summarize articles, or every topic of a collection.",
        heading="Write summaries",
        progress_message="summarizing",
    ),
    CommandSpec(
        "methods",
        "pyramidion.summarizers:describe_methods",
        "List the summarization methods and their options, describe one method, or train it.",
        heading="Write summaries",
    ),
    CommandSpec(
        "score",
        "pyramidion.metrics:score",
        "Score every summary with automatic metrics, and show each system's means.",
        heading="Score summaries",
        progress_message="scoring {source}",
    ),
    CommandSpec(
        "metrics",
        "pyramidion.metrics:describe_metrics",
        "List the metrics that `score` computes and what they need, or describe one metric.",
        heading="Score summaries",
    ),
    CommandSpec(
        "faithful",
        "pyramidion.faithfulness:faithful",
        "Show statements of summaries that their documents do not support, with the evidence.",
        heading="Score summaries",
        progress_message="checking {source}",
    ),
    CommandSpec(
        "rouge",
        "pyramidion.cli._rouge:rouge",
        "Replace ROUGE-1.5.5.pl, with the same options, files and byte for byte the same output.",
        heading="Score summaries",
        has_output=False,
        settings=_PERL_SETTINGS,
    ),
    CommandSpec(
        "compare",
        "pyramidion.comparison:compare",
        "Rank systems, and test every pair for a significant difference.",
        heading="Compare systems",
        progress_message="comparing {source}",
    ),
    CommandSpec(
        "report",
        "pyramidion.comparison:report",
        "Write a self-contained HTML report: conclusion, ranking, figures, tables, methods.",
        heading="Compare systems",
        progress_message="comparing {source}",
        has_output=False,
    ),
    CommandSpec(
        "preferences",
        "pyramidion.comparison:preferences",
        "Rank systems by which of two summaries people preferred, and check the choices.",
        heading="Compare systems",
        progress_message="ranking by the preferences in {source}",
    ),
    CommandSpec(
        "checklists",
        "pyramidion.comparison:checklists",
        "Score systems by checklists: for each content unit, people answer yes, no or cannot tell.",
        heading="Compare systems",
        progress_message="checking the answers in {source}",
    ),
    CommandSpec(
        "power",
        "pyramidion.comparison:power",
        "Plan an evaluation: how many topics are needed, given the scores of a pilot.",
        heading="Compare systems",
        progress_message="planning from {source}",
    ),
    CommandSpec(
        "meta",
        "pyramidion.meta_evaluation:meta",
        "Correlate metrics with human judgments, with intervals and tests between metrics.",
        heading="Check metrics",
        progress_message="judging the metrics of {source}",
    ),
    CommandSpec(
        "verdicts",
        "pyramidion.meta_evaluation:verdicts",
        "Show how well metrics and people agree on which systems differ significantly.",
        heading="Check metrics",
        progress_message="judging by {source}",
    ),
    CommandSpec(
        "gap",
        "pyramidion.meta_evaluation:gap",
        "Measure how far people score above what a metric predicts from machines.",
        heading="Check metrics",
        progress_message="measuring the gap in {source}",
    ),
    CommandSpec(
        "judge",
        "pyramidion.judges:judge",
        "Ask a language model to judge summaries: scores, checklists or preferences.",
        heading="Check judges",
        progress_message="asking the model",
    ),
    CommandSpec(
        "assessors",
        "pyramidion.judges:assessors",
        "Show which assessors to trust: consistency, severity, drift, agreement, impact.",
        heading="Check judges",
        progress_message="judging the judges",
    ),
    CommandSpec(
        "demo",
        "pyramidion.demo:tour",
        "Walk through a complete evaluation on built-in data, command by command; keep its files.",
        heading="Data",
        progress_message="writing the files of the demonstration",
    ),
    CommandSpec(
        "check",
        "pyramidion.checks:check",
        "List suspicious data, with the effect on results and the option that fixes the problem.",
        heading="Data",
        progress_message="checking {source}",
    ),
    CommandSpec(
        "describe",
        "pyramidion.checks:describe",
        "Show the contents of a collection, and everything in it that is missing or inconsistent.",
        heading="Data",
        progress_message="reading {source}",
    ),
    CommandSpec(
        "convert",
        "pyramidion.cli._convert:convert",
        "Convert a collection to another format, and count the data that it cannot represent.",
        heading="Data",
        progress_message="converting {source}",
    ),
    CommandSpec(
        "engine check",
        "pyramidion.cli._engine:check_engine",
        "Check that the workers of a Dask cluster have the same packages and can see a folder.",
        progress_message="asking the workers of {scheduler}",
    ),
    CommandSpec(
        "pyramid score",
        "pyramidion.pyramid:score",
        "Score summaries by their content units: original and modified scores, precision, recall.",
        progress_message="scoring {source}",
    ),
    CommandSpec(
        "pyramid units",
        "pyramidion.pyramid:units",
        "Score summaries by answers about single units: shares, nuggets, coverage judgments.",
        progress_message="scoring {source}",
    ),
    CommandSpec(
        "pyramid tiers",
        "pyramidion.pyramid:tiers",
        "Show the tiers of a pyramid: how many content units have each weight, and which.",
        progress_message="reading {source}",
    ),
    CommandSpec(
        "pyramid optimal",
        "pyramidion.pyramid:optimal",
        "Count the optimal summaries of a given number of content units, and show some.",
        progress_message="reading {source}",
    ),
    CommandSpec(
        "pyramid missed",
        "pyramidion.pyramid:missed",
        "List the heaviest content units that each summary missed, and what it says instead.",
        progress_message="reading {source}",
    ),
    CommandSpec(
        "pyramid pairs",
        "pyramidion.comparison:compare_by_units",
        "Compare systems by paired tests over content units.",
        progress_message="comparing {source}",
    ),
    CommandSpec(
        "pyramid agreement",
        "pyramidion.pyramid:agreement",
        "Measure how well annotators agree on the same peers, and on pyramids of the same "
        "references.",
        progress_message="comparing annotations in {first}",
    ),
    CommandSpec(
        "pyramid auto score",
        "pyramidion.pyramid:auto",
        "Score and annotate each summary with a pyramid, without annotators.",
        progress_message="annotating {source}",
    ),
    CommandSpec(
        "pyramid auto build",
        "pyramidion.pyramid:build_pyramids",
        "Build pyramids from references alone, by grouping similar statements.",
        progress_message="building pyramids of {source}",
    ),
    CommandSpec(
        "pyramid auto fit",
        "pyramidion.pyramid:fit_auto",
        "Fit the probabilities of `pyramid auto` to your own annotated data.",
        progress_message="fitting to {source}",
    ),
)


@cache
def all_commands() -> tuple[CommandSpec | CommandGroup, ...]:
    """Return the built-in commands and groups, and those of installed packages."""
    plugin_commands = (line for _, lines in load_plugins("commands") for line in lines)
    return (*BUILT_IN, *plugin_commands)


def command_specs() -> tuple[CommandSpec, ...]:
    """Return the commands without the groups that they belong to."""
    return tuple(spec for spec in all_commands() if isinstance(spec, CommandSpec))
