"""The people that texts of a collection name."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from pyramidion.collection import Collection
from pyramidion.errors import InputError
from pyramidion.evaluation.study._places import require_ids
from pyramidion.rewriting.articles import Articles
from pyramidion.rewriting.people.chains import find_people
from pyramidion.rewriting.people.mention import Person
from pyramidion.stats.inputs import choice
from pyramidion.text.parsing import Parser

__all__ = ["PeopleFound", "TextKind", "gather_people"]

#: What is looked at: the documents of a collection, or the summaries that people wrote.
TextKind = Literal["documents", "summaries"]

Progress = Callable[[int, int], None]

_HINTS = {
    "documents": "name texts or a collection with documents, or ask for --of summaries",
    "summaries": "add summaries by people, or ask for --of documents",
}


@dataclass(frozen=True, slots=True)
class PeopleFound:
    """The people of some texts.

    Parameters
    ----------
    people
        People with their mentions; somebody in two topics is there twice.
    documents
        The ids of the texts, ``topic/document``, also of those without people.
    left_out
        Topics without texts, one line each.

    Examples
    --------
    >>> PeopleFound((), ("T1/d1",)).documents
    ('T1/d1',)
    """

    people: tuple[Person, ...]
    documents: tuple[str, ...]
    left_out: tuple[str, ...] = ()


def gather_people(
    collection: Collection,
    parser: Parser,
    *,
    of: TextKind = "documents",
    topics: Sequence[str] = (),
    tasks: Sequence[str] = (),
    show: Progress = lambda done, total: None,
) -> PeopleFound:
    """Find the people in the texts of a collection, each topic for itself.

    Parameters
    ----------
    collection
        What has the texts.
    parser
        What parses them; see `load_parser`.
    of
        ``documents``, or ``summaries`` for those that people wrote.
    topics, tasks
        Take these only; all if none is named.
    show
        Is told how many topics are done, and of how many.

    Examples
    --------
    >>> from pyramidion.collection import Document, Topic
    >>> from pyramidion.text.parsing import load_parser
    >>> topic = Topic("T1", documents=(Document("d1", "Mary Landrieu won. Landrieu smiled."),))
    >>> found = gather_people(Collection("c", topics=(topic,)), load_parser("light"))
    >>> [(person.name, len(person.mentions)) for person in found.people]
    [('Mary Landrieu', 2)]
    """
    choice(of, "of", TextKind)
    require_ids(collection, topics=topics, tasks=tasks)
    texts = _documents if of == "documents" else _summaries
    wanted = [id for id in collection.topic_ids if not topics or id in topics]
    people: list[Person] = []
    documents: list[str] = []
    left_out: list[str] = []
    for number, topic in enumerate(wanted):
        show(number, len(wanted))
        own = dict(texts(collection, topic, tasks))
        if own:
            people += find_people(Articles.of_texts(own, parser))
            documents += own
        else:
            left_out.append(f"{topic}: it has no {of}")
    if not documents:
        raise InputError(f"there are no {of} in {collection.name}", hint=_HINTS[of])
    return PeopleFound(tuple(people), tuple(documents), tuple(left_out))


def _documents(
    collection: Collection, topic: str, tasks: Sequence[str]
) -> Iterator[tuple[str, str]]:
    for task in tasks or ("",):
        for document in collection.documents(topic, task):
            yield f"{topic}/{document.id}", document.text


def _summaries(
    collection: Collection, topic: str, tasks: Sequence[str]
) -> Iterator[tuple[str, str]]:
    for summary in collection.summaries:
        chosen = summary.topic == topic and (not tasks or summary.task in tasks)
        if chosen and summary.kind == "human":
            address = (topic, summary.task, summary.system)
            yield "/".join(part for part in address if part), summary.plain
