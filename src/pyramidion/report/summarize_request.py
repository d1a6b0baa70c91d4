"""What `summarize` is asked."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from typing import cast, get_args

from pyramidion.collection import Collection, Document, Task
from pyramidion.errors import InputError
from pyramidion.summarizers import CandidateRules, Limit, Summarizer, parse_summarizer
from pyramidion.summarizers.extract import Fit
from pyramidion.summarizers.ordering import Order
from pyramidion.text.encoding import Reading
from pyramidion.text.tokens import TOKENIZERS, Tokenizer

__all__ = ["SummarizeRequest", "share_unknown"]

#: Words of a summary where neither the user nor the task says how many.
_WORDS = 100

#: Characters that are looked at to tell the script.
_LOOKED_AT = 200_000

_WORD = re.compile(r"[^\W\d_]+")


@dataclass(frozen=True, slots=True)
class SummarizeRequest:
    """How to summarize.

    Parameters
    ----------
    methods
        Names of methods, options in brackets; each makes a summary of every topic.
    words
        The limit; if it is not given, the task's, or 100.
    fit
        What happens when the next sentence does not fit, see `Limit`.
    order
        The order of reading, see `reading_order`.
    context
        Whether what was said matters less; `False` switches it off for methods that know it.
    topics, tasks
        Which; all if none is named.
    query
        What is asked, instead of the topic's statement.
    tokenizer
        How words are found; if it is not given, ``rouge``, or ``unicode`` where most words have
        letters that ``rouge`` does not know.
    all_sentences
        Whether short sentences, questions and bare quotations may be chosen, too.
    system
        The name of the peers; the method's if it is not given.
    explain
        Whether to say why each sentence was chosen.

    Examples
    --------
    >>> request = SummarizeRequest(("sum-avr", "sum-prod"), context=False)
    >>> [str(method) for method in request.summarizers]
    ['sum-avr(context=off)', 'sum-prod(context=off)']
    """

    methods: tuple[str, ...] = ("sum-avr",)
    words: int | None = None
    fit: str = "fill"
    order: str = "source"
    context: bool = True
    topics: tuple[str, ...] = ()
    tasks: tuple[str, ...] = ()
    query: str = ""
    tokenizer: str | None = None
    all_sentences: bool = False
    system: str = ""
    explain: bool = False

    def __post_init__(self) -> None:
        _require_one_of("order", self.order, get_args(Order))
        if self.tokenizer is not None:
            _require_one_of("the tokenizer", self.tokenizer, tuple(TOKENIZERS))
        names = [self.system_of(method) for method in self.summarizers]
        if not names:
            raise InputError("no method is named", hint="`pyramidion methods` lists them")
        if len(names) > len(set(names)):
            same = self.system or max(names, key=names.count)
            raise InputError(
                f"two methods would be called {same!r}",
                hint="name each once, and one with --system",
            )
        _ = self.limit(Task(""))

    @property
    def summarizers(self) -> tuple[Summarizer, ...]:
        """The methods."""
        methods = tuple(map(parse_summarizer, self.methods))
        return methods if self.context else tuple(map(_without_context, methods))

    @property
    def rules(self) -> CandidateRules | None:
        """Which sentences may be chosen; the usual ones if it is `None`."""
        everything = CandidateRules(least_words=1, questions=True, quotations=True)
        return everything if self.all_sentences else None

    def system_of(self, method: Summarizer) -> str:
        """Give the name of a method's peers."""
        return self.system or str(method)

    def limit(self, task: Task) -> Limit:
        """Give the limit of a task."""
        words = self.words if self.words is not None else task.word_limit or _WORDS
        return Limit(words, cast("Fit", self.fit))

    def reading(self, documents: Sequence[Document]) -> Reading:
        """Tell how words are found; beyond English there is neither a stop list nor a stemmer."""
        chosen = self.tokenizer or ("unicode" if share_unknown(documents) > 0.5 else "rouge")
        english = chosen == "rouge"
        return Reading(stem=english, stop_words=english, tokenizer=cast("Tokenizer", chosen))

    def addresses(self, collection: Collection) -> list[tuple[str, str]]:
        """List the tasks and topics to summarize; refuse a name that is not there."""
        for id in self.topics:
            collection.topic(id)
        topics = [t.id for t in collection.topics if not self.topics or t.id in self.topics]
        tasks = collection.task_ids or ("",)
        for task in self.tasks:
            if task not in tasks:
                there = ", ".join(filter(None, tasks)) or "none"
                raise InputError(f"there is no task {task!r}", hint=f"there are: {there}")
        declared = {task.id for task in collection.tasks}
        used = {(summary.task, summary.topic) for summary in collection.summaries}
        return [
            (task, topic)
            for task in self.tasks or tasks
            for topic in topics
            # A task that only summaries name is asked of the topics that have some.
            if task in declared or not used or (task, topic) in used
        ]


def share_unknown(documents: Sequence[Document]) -> float:
    """Tell what share of the words has letters that are not ASCII, from the first of them.

    Parameters
    ----------
    documents
        The texts.

    Examples
    --------
    >>> share_unknown([Document("a", "Дождь шёл весь день."), Document("b", "It rained.")])
    0.6666666666666666
    """
    text = "\n".join(document.text[: _LOOKED_AT // 10] for document in documents)
    words = _WORD.findall(text[:_LOOKED_AT])
    return sum(not word.isascii() for word in words) / max(len(words), 1)


def _require_one_of(what: str, value: str, allowed: Sequence[str]) -> None:
    if value not in allowed:
        raise InputError(f"{what} is {value!r}", hint=f"give {' or '.join(allowed)}")


def _without_context(method: Summarizer) -> Summarizer:
    if "context" not in {own.name for own in fields(method)}:
        raise InputError(
            f"{method} has no context to switch off", hint="leave --no-context out, or use sum-avr"
        )
    return replace(method, context="off")  # type: ignore[call-arg]
