"""What methods of summarizing there are, what they look at, and what one of them does."""

from dataclasses import dataclass

from pyramidion.collection.questions import Options, argument, question
from pyramidion.report.catalog import catalog, catalog_view, options_of
from pyramidion.report.result import Result
from pyramidion.report.view import Column, shown
from pyramidion.summarizers.registry import all_summarizers, parse_summarizer
from pyramidion.summarizers.summarizer import Summarizer

#: What a method may look at beside the documents, as people say it.
_HEEDED = {"query": "the question", "known": "what is known", "references": "references"}


def _heeds(kind: type[Summarizer]) -> list[str]:
    return [part for part in _HEEDED if part in kind.heeds]


def _heeded(kind: type[Summarizer]) -> str:
    return ", ".join(("the documents", *(_HEEDED[part] for part in _heeds(kind))))


_VIEW = catalog_view(
    "method",
    "what it takes",
    (Column("heeds", "looks at", _heeds, _heeded),),
    shown("options", lambda kind: ", ".join(own["name"] for own in options_of(kind)) or "–"),
)


@dataclass(frozen=True, slots=True)
class MethodName(Options):
    """Which method."""

    name: str | None = argument("A method to tell more about.", None, metavar="[NAME]")


@question
def describe_methods(method: MethodName) -> Result[type[Summarizer]]:
    """List the summarization methods and their options, or describe one method.

    Examples
    --------
    >>> describe_methods("sum-prod")[0].names()[:2]
    ('sum-avr', 'sum-prod')
    """
    one = method.name is not None
    return catalog(
        "methods",
        (type(parse_summarizer(method.name)),) if method.name is not None else all_summarizers(),
        _VIEW,
        title="Methods of summarizing",
        note="`pyramidion methods NAME` tells more; options are typed in brackets: sum-avr(low=0).",
        wide=("title", "options", "source"),
        facts=(lambda kind: [("looks at", _heeded(kind))]) if one else None,
    )
