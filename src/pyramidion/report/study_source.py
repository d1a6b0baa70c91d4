"""What the studies of human summaries are made of, from whatever file or folder holds it."""

from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from pyramidion.collection import Collection, Scores
from pyramidion.collection.checks import require_consistent
from pyramidion.collection.formats import read_collection
from pyramidion.errors import InputError, Where
from pyramidion.evaluation.study._places import require_ids
from pyramidion.stats.inputs import choice
from pyramidion.text import Tokenizer
from pyramidion.text.encoding import Reading

__all__ = [
    "Source",
    "StudyRequest",
    "chosen_scores",
    "read_study",
    "words_named",
]

#: A collection, or where it is.
Source = str | Path | Collection


@dataclass(frozen=True, slots=True)
class StudyRequest:
    """What to look at, and which words.

    Parameters
    ----------
    topics, tasks
        Take these only; all if none is named.
    peers
        A file or collection with more summaries to look at, for instance a summarizer's.
    all_words
        Whether stop words count, too.
    stem
        Whether forms of a word are one.
    tokenizer
        What a word is, see `pyramidion.text.tokenize`.
    source_format
        The source's format; guessed if it is not given.

    Examples
    --------
    >>> StudyRequest(all_words=True).reading
    Reading(stem=True, stop_words=False, tokenizer='unicode')
    """

    topics: tuple[str, ...] = ()
    tasks: tuple[str, ...] = ()
    peers: Path | None = None
    all_words: bool = False
    stem: bool = True
    tokenizer: Tokenizer = "unicode"
    source_format: str | None = None

    def __post_init__(self) -> None:
        choice(self.tokenizer, "tokenizer", Tokenizer)

    @property
    def reading(self) -> Reading:
        """How words are found."""
        return Reading(self.stem, not self.all_words, self.tokenizer)


def words_named(request: StudyRequest) -> str:
    """Name the words that count, for a signature.

    Examples
    --------
    >>> words_named(StudyRequest()), words_named(StudyRequest(all_words=True, stem=False))
    ('content words, stem', 'all words')
    """
    return f"{'all' if request.all_words else 'content'} words{', stem' if request.stem else ''}"


def read_study(source: Source, request: StudyRequest) -> Collection:
    """Read a collection, and add the summaries of another source to it.

    Parameters
    ----------
    source
        A collection, or where it is.
    request
        Its format, and where more summaries are.

    Examples
    --------
    >>> read_study(Collection("mine"), StudyRequest()).name
    'mine'
    """
    if isinstance(source, Collection):
        collection = source
    else:
        collection = read_collection(source, format=request.source_format)
    if request.peers is None:
        return collection
    added = read_collection(request.peers).summaries
    if not added:
        raise InputError(
            "there are no summaries in it",
            where=Where(request.peers),
            hint="make some with `pyramidion summarize`",
        )
    both = replace(collection, summaries=(*collection.summaries, *added))
    require_consistent(both, Where(request.peers))
    return both


def chosen_scores(collection: Collection, request: StudyRequest) -> Scores:
    """Give the scores of the topics and tasks that are asked for.

    Parameters
    ----------
    collection
        What holds them.
    request
        Which topics and tasks.

    Examples
    --------
    >>> len(chosen_scores(Collection("mine"), StudyRequest()))
    0
    """
    require_ids(collection, topics=request.topics, tasks=request.tasks)
    scores = collection.scores
    keep = np.ones(len(scores), dtype=np.bool_)
    for column, wanted in (("topic", request.topics), ("task", request.tasks)):
        if wanted:
            keep &= np.array([value in wanted for value in scores.columns[column]], dtype=np.bool_)
    return scores if keep.all() else scores.rows(keep)
