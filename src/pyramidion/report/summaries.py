"""Summaries of one topic after the other, and what there is to tell about them."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from typing import Any, cast

from pyramidion.collection import Collection, Signature, Summary, Topic
from pyramidion.errors import InputError, Where
from pyramidion.report.explaining import Explanation
from pyramidion.report.summarize_request import SummarizeRequest
from pyramidion.report.summary_text import summary_table
from pyramidion.report.table import Table
from pyramidion.report.who_is_who import who_record, who_table
from pyramidion.rewriting.status.who import WhoIs
from pyramidion.summarizers import Extract, Source, Summarizer
from pyramidion.summarizers.ordering import Order
from pyramidion.summarizers.rewrites import SummaryRewriter
from pyramidion.summarizers.tasks import query_of

__all__ = ["MadeSummary", "Summaries"]


@dataclass(frozen=True, slots=True)
class MadeSummary:
    """A summary and where it belongs.

    Examples
    --------
    >>> from pyramidion.summarizers import ChosenSentence
    >>> extract = Extract((ChosenSentence("Rain fell.", "d1", 0, 0.5, 1),), "sum-avr")
    >>> made = MadeSummary("A", Topic("T1"), "mine", extract)
    >>> made.address, made.peer.plain
    ({'task': 'A', 'topic': 'T1', 'system': 'mine'}, 'Rain fell.')
    """

    task: str
    topic: Topic
    system: str
    extract: Extract
    explanation: Explanation | None = None
    who: tuple[WhoIs, ...] | None = None

    @property
    def address(self) -> dict[str, str]:
        """Task, topic and system."""
        return {"task": self.task, "topic": self.topic.id, "system": self.system}

    @property
    def peer(self) -> Summary:
        """The summary as a collection has it."""
        own_name = self.extract.method == self.system
        return Summary(
            topic=self.topic.id,
            system=self.system,
            text=tuple(sentence.text for sentence in self.extract.sentences),
            task=self.task,
            extra={} if own_name else {"method": self.extract.method},
        )

    @property
    def record(self) -> dict[str, Any]:
        """The summary as JSON has it."""
        sentences = [
            {
                "text": sentence.text,
                "document": sentence.document,
                "index": sentence.index,
                "score": sentence.score,
                "rank": sentence.rank,
                "rewritten": sentence.rewritten,
                "cut": sentence.cut,
                "before": sentence.before,
                "replacements": [asdict(change) for change in sentence.replacements],
            }
            for sentence in self.extract.sentences
        ]
        record = {
            **self.address,
            "title": self.topic.title,
            "method": self.extract.method,
            "words": self.extract.words,
            "sentences": sentences,
            "text": self.extract.text,
            "notes": list(self.extract.notes),
        }
        if self.who is not None:
            record["people"] = [who_record(own) for own in self.who]
        if self.explanation is not None:
            _explain(record, self.explanation)
        return record


class Summaries:
    """The summaries of a collection's topics.

    Parameters
    ----------
    collection
        What is summarized.
    request
        How.

    Examples
    --------
    >>> from pyramidion.collection import Document
    >>> topic = Topic("T1", documents=(Document("d1", "Heavy rain fell on Ardel. It was cold."),))
    >>> summaries = Summaries(Collection("mine", topics=(topic,)), SummarizeRequest(words=5))
    >>> summaries.add("", topic)
    >>> summaries.peers()[0].plain
    'Heavy rain fell on Ardel.'
    """

    def __init__(self, collection: Collection, request: SummarizeRequest) -> None:
        self.collection = collection
        self.request = request
        self._methods = request.summarizers
        self._made: list[MadeSummary] = []
        self._failed: list[tuple[str, InputError]] = []
        self._empty: list[str] = []
        self._unfit: list[tuple[int, tuple[str, ...]]] = []
        self._tokenizers: set[str] = set()
        self._parsers: set[str] = set()

    def add(self, task: str, topic: Topic) -> None:
        """Summarize a topic by every method; one that cannot be is left out."""
        documents = self.collection.documents(topic.id, task)
        empty = [document.id for document in documents if not document.text.strip()]
        self._empty += [f"{topic.id}: document {id} has no text" for id in empty]
        try:
            options = self.request.source_options
            source = Source.of_topic(self.collection, topic, task, **options)
            asked = SummaryRewriter(source, self.request.rewrite)
            heard = {True: asked, False: asked.of(self._unasked(source))}
            made = [
                self._summarized(method, heard["query" in method.heeds], task, topic)
                for method in self._methods
            ]
        except (InputError, MemoryError) as error:
            name = f"{topic.id}, task {task}" if task else topic.id
            self._failed.append((name, _explained(error)))
            return
        self._made += made
        self._unfit.append((int((~source.candidates).sum()), source.left_out))
        self._tokenizers.add(source.reading.tokenizer)

    def _unasked(self, source: Source) -> Source:
        """Give what methods see that take no notice of a query: none that nobody asked for."""
        asked = self.request.query or self.request.focus
        return source if asked or not source.question else replace(source, question="")

    def _summarized(
        self, method: Summarizer, rewriter: SummaryRewriter, task: str, topic: Topic
    ) -> MadeSummary:
        source, limit = rewriter.source, self.request.limit(self.collection.task(task))
        extract = rewriter.summarize(method, limit, order=cast("Order", self.request.order))
        extract = replace(extract, notes=(*extract.notes, *self._unheard(source, topic)))
        system = self.request.system_of(method)
        who = tuple(rewriter.who(extract.text)) if self.request.who else None
        if who is not None and not self.request.rewrite.kinds:
            extract = replace(extract, notes=(*extract.notes, *rewriter.remarks))
        self._parsers.update(rewriter.parser_names)
        if self.request.explain:
            explanation = Explanation(method, source, extract)
            return MadeSummary(task, topic, system, extract, explanation, who)
        # Sources and weights of thousands of topics would fill the memory.
        return MadeSummary(task, topic, system, replace(extract, weights=()), None, who)

    def _unheard(self, source: Source, topic: Topic) -> Iterator[str]:
        """Say which questions could not be asked."""
        focus = self.request.focus
        if focus == "guided" and source.question == query_of(topic):
            yield "the topic has no category, or one without aspects to ask for"
        if focus in ("query", "guided") and not source.question:
            yield "the topic has neither title nor narrative: nothing is asked"

    def require_any(self, where: Where | None = None) -> None:
        """Refuse to answer where nothing could be summarized.

        Parameters
        ----------
        where
            What was read, for the message.
        """
        if self._made:
            return
        if not self._failed:
            hint = "give articles, or topics with documents"
            raise InputError("there is nothing to summarize", where=where, hint=hint)
        error = self._failed[0][1]
        raise InputError(error.what, where=error.where or where, hint=error.hint)

    def peers(self) -> tuple[Summary, ...]:
        """Give the summaries as peers."""
        return tuple(made.peer for made in self._made)

    def results(self) -> list[dict[str, Any]]:
        """Give the summaries as JSON has them."""
        return [made.record for made in self._made]

    def tables(self) -> tuple[Table, ...]:
        """Give the summaries as people read them, with a title each where there are several."""
        return tuple(table for made in self._made for table in self._tables(made))

    def _tables(self, made: MadeSummary) -> Iterator[Table]:
        title = self._title(made) if len(self._made) > 1 else ""
        key = tuple(made.address.items())
        # A program that reads several tables in one file must tell them apart.
        alone = made.explanation is None and made.who is None
        yield summary_table(made.extract, key if alone else (("table", "summary"), *key), title)
        if made.explanation is not None:
            yield from made.explanation.tables(title, key)
        if made.who:
            yield who_table(made.who, title=title, key=(("table", "who"), *key))

    def _title(self, made: MadeSummary) -> str:
        parts = [" ".join(filter(None, (made.topic.id, made.topic.title)))]
        if made.task:
            parts.append(f"task {made.task}")
        if len(self._methods) > 1:
            parts.append(made.system)
        return ", ".join(parts)

    def notes(self) -> list[str]:
        """Say what there is to know about the summaries, each thing once."""
        counts = Counter(note for made in self._made for note in made.extract.notes)
        several = len(self._made) > 1
        return [
            f"{note} ({n} of {len(self._made)})" if several else note for note, n in counts.items()
        ]

    def left_out(self) -> tuple[str, ...]:
        """Say what was not considered."""
        failed = (f"{name}: {error}" for name, error in self._failed)
        empty = dict.fromkeys(self._empty)
        return (*self.collection.left_out, *empty, *failed, *self._sentences_left_out())

    def _sentences_left_out(self) -> tuple[str, ...]:
        """Count sentences that may not be chosen, by reason, or together in many topics."""
        if len(self._unfit) == 1:
            return self._unfit[0][1]
        number = sum(unfit for unfit, _ in self._unfit)
        if number == 1:
            return ("1 sentence: short, a question, a bare quotation, a headline or repeated",)
        line = f"{number} sentences: short, questions, bare quotations, headlines or repeated"
        return (line,) if number else ()

    @property
    def signature(self) -> Signature:
        """What one must know to get the same summaries again."""
        limits = {self.request.limit(self.collection.task(made.task)).words for made in self._made}
        details = (
            ("words", "+".join(map(str, sorted(limits)))),
            ("fit", self.request.fit),
            ("order", self.request.order),
            ("tok", "+".join(sorted(self._tokenizers))),
            *self.request.details,
            *(("parser", name) for name in sorted(self._parsers)),
        )
        subject = ",".join(map(str, self._methods))
        rewrite = self.request.rewrite
        seed = rewrite.seed if rewrite.variation == "sampled" else None
        return Signature(subject, data=self.collection.data_hash, seed=seed, details=details)


def _explain(record: dict[str, Any], explanation: Explanation) -> None:
    record["weights"] = [{"word": word, "weight": weight} for word, weight in explanation.weights]
    for sentence in record["sentences"]:
        terms = explanation.terms[sentence["rank"]]
        sentence["terms"] = [{"term": term, "weight": weight} for term, weight in terms]


def _explained(error: InputError | MemoryError) -> InputError:
    """Say what a person can do about too much text for a method that compares all sentences."""
    if isinstance(error, InputError):
        return error
    hint = "summarize less text at once, or use sum-avr, which needs little"
    return InputError("there is too little memory for this method and so much text", hint=hint)
