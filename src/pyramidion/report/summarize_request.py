"""What `summarize` is asked."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any, cast

from pyramidion.collection import Collection, Task
from pyramidion.errors import InputError
from pyramidion.report.signing import Details, named
from pyramidion.rewriting.options import RewriteOptions
from pyramidion.summarizers import (
    CandidateRules,
    Limit,
    Summarizer,
    all_summarizers,
    parse_summarizer,
)
from pyramidion.summarizers.extract import Fit
from pyramidion.summarizers.ordering import ORDERS
from pyramidion.summarizers.tasks import FOCUSES
from pyramidion.text.encoding import Reading
from pyramidion.text.tokens import TOKENIZERS, Tokenizer

__all__ = ["SummarizeRequest"]

#: Words of a summary where neither the user nor the task says how many.
_WORDS = 100


@dataclass(frozen=True, slots=True)
class SummarizeRequest:
    """How to summarize.

    Parameters
    ----------
    methods
        Names of methods, options in brackets; each makes a summary of every topic. ``all`` stands
        for every method that does not look at references.
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
    focus
        What is asked of a topic, see `query_of`; its title and narrative if it is not given.
    query
        What is asked instead; not together with a focus.
    language
        Code of the documents' language; English, if they look like it, if it is not given.
    tokenizer
        How words are found, see `reading_for` for what is done if it is not given; ``unicode``
        goes with neither a stop list nor stems.
    all_sentences
        Whether short sentences, questions, bare quotations, headlines and repeats may be chosen,
        too.
    system
        The name of the peers; the method's if it is not given.
    explain
        Whether to say why each sentence was chosen.
    rewrite
        What is rewritten in summaries, and how; nothing by default.
    who
        Whether to tell who people in summaries are.

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
    focus: str | None = None
    query: str = ""
    language: str | None = None
    tokenizer: str | None = None
    all_sentences: bool = False
    system: str = ""
    explain: bool = False
    rewrite: RewriteOptions = field(default_factory=RewriteOptions)
    who: bool = False

    def __post_init__(self) -> None:
        _require_one_of("the order", self.order, ORDERS)
        _require_one_of("the focus", self.focus or FOCUSES[0], FOCUSES)
        if self.focus is not None and self.query:
            raise InputError(
                f"both the focus {self.focus} and a query are given", hint="leave one of them out"
            )
        _require_one_of("the tokenizer", self.tokenizer or "rouge", tuple(TOKENIZERS))
        if self.rewrite.pipeline and not (self.rewrite.kinds or self.who):
            raise InputError("--pipeline has no effect here", hint="give --rewrite or --who, too")
        if self.rewrite.status and not (self.rewrite.describe == "new" or self.who):
            hint = "give --describe new or --who, too"
            raise InputError("--status has no effect here", hint=hint)
        names = [self.system_of(method) for method in self.summarizers]
        if not names:
            raise InputError("no method is named", hint="`pyramidion methods` lists them")
        if len(names) > len(set(names)):
            same = max(names, key=names.count)
            hint = "name each method once, and give a name to one at a time"
            raise InputError(f"two methods would be called {same!r}", hint=hint)
        # What is typed wrongly is told before anything is read.
        self.limit(Task(""))

    @property
    def summarizers(self) -> tuple[Summarizer, ...]:
        """The methods."""
        names = (own for name in self.methods for own in _meant(name))
        methods = tuple(map(parse_summarizer, names))
        return methods if self.context else tuple(map(_without_context, methods))

    def system_of(self, method: Summarizer) -> str:
        """Give the name of a method's peers."""
        return self.system or "+".join((str(method), *self.rewrite.kinds))

    def limit(self, task: Task) -> Limit:
        """Give the limit of a task."""
        words = self.words if self.words is not None else task.word_limit or _WORDS
        return Limit(words, cast("Fit", self.fit))

    @property
    def source_options(self) -> dict[str, Any]:
        """How topics are read, as `Source.of_topic` takes it."""
        options: dict[str, Any] = {"focus": self.focus or "query"}
        if self.language is not None:
            options["language"] = self.language
        if self.query:
            options["query"] = self.query
        if self.tokenizer is not None:
            english = self.tokenizer == "rouge"
            tokenizer = cast("Tokenizer", self.tokenizer)
            options["reading"] = Reading(stem=english, stop_words=english, tokenizer=tokenizer)
        if self.all_sentences:
            options["rules"] = CandidateRules.nothing_left_out()
        return options

    @property
    def details(self) -> Details:
        """What a signature says: whatever is not as it is where nothing is asked."""
        return (
            *named("focus", filter(None, [self.focus])),
            *named("query", filter(None, [" ".join(self.query.split())])),
            *named("language", filter(None, [self.language])),
            *named("sentences", ["all"] if self.all_sentences else []),
            *named("topic", self.topics),
            *named("task", self.tasks),
            *self.rewrite.details,
        )

    def addresses(self, collection: Collection) -> list[tuple[str, str]]:
        """List the tasks and topics to summarize; refuse a name that is not there."""
        for id in self.topics:
            collection.topic(id)
        topics = [own.id for own in collection.topics if not self.topics or own.id in self.topics]
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


def _meant(name: str) -> Iterator[str]:
    """Give the methods that a name stands for."""
    if name != "all":
        yield name
        return
    for kind in all_summarizers():
        if "references" not in kind.heeds:
            yield from kind.names()


def _require_one_of(what: str, value: str, allowed: Sequence[str]) -> None:
    if value not in allowed:
        raise InputError(f"{what} is {value!r}", hint=f"give {' or '.join(allowed)}")


def _without_context(method: Summarizer) -> Summarizer:
    if "context" not in {own.name for own in fields(method)}:
        raise InputError(
            f"{method} has no context to switch off", hint="leave --no-context out, or use sum-avr"
        )
    return replace(method, context="off")  # type: ignore[call-arg]
