"""People of a collection's inputs, labelled by its human summaries."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from pyramidion.collection import Collection
from pyramidion.rewriting.articles import Articles, ParsedSentence
from pyramidion.rewriting.people.chains import find_people
from pyramidion.rewriting.people.mention import Mention, Person
from pyramidion.rewriting.status.labels import Labels, summary_labels
from pyramidion.text import split_sentences
from pyramidion.text._parsing import Parser

__all__ = ["Example", "FirstMention", "collection_examples", "examples_of"]

#: What the ids of summaries begin with where they are read beside documents.
_SUMMARY = "summary by "


@dataclass(frozen=True, slots=True)
class FirstMention:
    """How a summary mentions somebody first, and what it said before.

    Parameters
    ----------
    summary
        Who wrote it.
    mention
        The mention.
    sentences
        The whole summary; the mention stands in one of them.

    Examples
    --------
    >>> sentence = ParsedSentence("", (), "A", 0)
    >>> FirstMention("A", Mention(sentence, 0, 0, "last"), (sentence,)).place
    (0, 0)
    """

    summary: str
    mention: Mention
    sentences: tuple[ParsedSentence, ...]

    @property
    def place(self) -> tuple[int, int]:
        """The sentence's place in the summary, and the first word of the whole noun phrase."""
        own = self.mention
        return own.sentence.index, own.phrase_first


@dataclass(frozen=True, slots=True)
class Example:
    """A person of an input, and what human summaries show.

    Parameters
    ----------
    topic, task
        Which input.
    person
        Somebody, with all mentions in the input.
    labels
        What the summaries show.
    firsts
        The first mention of each summary that names the person as the head of a phrase.

    Examples
    --------
    >>> Example("T1", "", Person("Ode", "Ode", ()), Labels(4)).labels.major
    False
    """

    topic: str
    task: str
    person: Person
    labels: Labels
    firsts: tuple[FirstMention, ...] = ()


def examples_of(
    documents: Articles, summaries: Articles, *, topic: str, task: str = ""
) -> list[Example]:
    """Label the people of an input.

    People are looked for in documents and summaries at once, so that a name in a summary is put
    together with that in the documents; those whom only summaries name are left out.

    Parameters
    ----------
    documents, summaries
        The input, and what people wrote about it, parsed.
    topic, task
        What they are called.

    Examples
    --------
    >>> examples_of(Articles(()), Articles(()), topic="T1")
    []
    """
    marked = tuple(
        replace(sentence, document=_SUMMARY + sentence.document) for sentence in summaries
    )
    ids = tuple(_SUMMARY + id for id in summaries.documents)
    people = find_people(Articles((*documents.sentences, *marked), documents.parser))
    return [
        Example(topic, task, own, summary_labels(person, ids), tuple(_firsts(person, ids, marked)))
        for person in people
        if (own := _in_input(person, documents)).mentions
    ]


def _in_input(person: Person, documents: Articles) -> Person:
    there = {*documents.documents}
    return replace(
        person,
        mentions=tuple(own for own in person.mentions if own.sentence.document in there),
        descriptions=tuple(own for own in person.descriptions if own.sentence.document in there),
    )


def _firsts(
    person: Person, ids: Sequence[str], sentences: Sequence[ParsedSentence]
) -> Iterator[FirstMention]:
    for id in ids:
        first = next((own for own in person.in_document(id) if own.head), None)
        if first is not None:
            whole = tuple(sentence for sentence in sentences if sentence.document == id)
            yield FirstMention(id.removeprefix(_SUMMARY), first, whole)


def collection_examples(
    collection: Collection,
    parser: Parser,
    *,
    topics: Sequence[str] = (),
    tasks: Sequence[str] = (),
) -> tuple[list[Example], list[str]]:
    """Label the people of a collection's inputs by its references.

    Parameters
    ----------
    collection
        Documents and references.
    parser
        What parses them.
    topics, tasks
        Take these only; all if none is named.

    Examples
    --------
    >>> from pyramidion.text._parsing import load_parser
    >>> collection_examples(Collection("mine"), load_parser("light"))
    ([], [])
    """
    found: list[Example] = []
    left_out: list[str] = []
    for topic in topics or collection.topic_ids:
        for task in tasks or collection.task_ids or ("",):
            documents = collection.documents(topic, task)
            references = collection.references(topic, task)
            if documents and references:
                inputs = Articles.of_texts({own.id: own.text for own in documents}, parser)
                written = Articles.of_sentences(
                    ((own.system, _sentences(own.text)) for own in references), parser
                )
                found += examples_of(inputs, written, topic=topic, task=task)
            else:
                lacking = "documents" if references else "references"
                where = f"topic {topic}{f', task {task}' if task else ''}"
                left_out.append(f"{where}: no {lacking}")
    return found, left_out


def _sentences(text: str | tuple[str, ...]) -> list[str]:
    return split_sentences(text) if isinstance(text, str) else list(text)
