"""What an input takes from its documents: their sentences, and what there is to say of them."""

from collections.abc import Sequence
from dataclasses import dataclass

from pyramidion.collection import Document
from pyramidion.collection.dates import read_date
from pyramidion.errors import InputError
from pyramidion.text import split_sentences
from pyramidion.text._tokens import has_unspaced

__all__ = ["SourceSentence", "notes_on", "require_ids", "sentences_of"]


@dataclass(frozen=True, slots=True)
class SourceSentence:
    """A sentence of a document.

    Parameters
    ----------
    text
        The sentence on one line, without a dateline or other boilerplate.
    document
        The document's id.
    index
        Its place in the document, from 0.
    words
        How many words it has, as a limit counts them.

    Examples
    --------
    >>> SourceSentence("Rain fell.", "d1", 0, 2).words
    2
    """

    text: str
    document: str
    index: int
    words: int


def require_ids(documents: Sequence[Document]) -> None:
    """Refuse documents two of which have the same id.

    Parameters
    ----------
    documents
        The documents.

    Examples
    --------
    >>> require_ids([Document("a", "Rain."), Document("b", "Mud.")])
    """
    ids = [document.id for document in documents]
    if len(set(ids)) < len(ids):
        twice = next(id for id in ids if ids.count(id) > 1)
        raise InputError(f"two documents are called {twice!r}", hint="give each an id of its own")


def sentences_of(text: str, language: str | None = None) -> list[str]:
    r"""Split a text; a sentence of a text whose lines are wrapped is put on one line.

    Parameters
    ----------
    text
        The text.
    language
        Code of its language; English if it is not given.

    Examples
    --------
    >>> sentences_of("LISBON (HNS) - Rain\nfell. It was cold.")
    ['Rain fell.', 'It was cold.']
    """
    sentences = split_sentences(text, language=language or "en", boilerplate="strip")
    if "\n" not in text:
        return sentences
    return [" ".join(own.split()) if "\n" in own else own for own in sentences]


def notes_on(documents: Sequence[Document], sentences: Sequence[str]) -> tuple[str, ...]:
    """Say what about documents changes how they are summarized.

    Parameters
    ----------
    documents
        The documents.
    sentences
        Their sentences.

    Examples
    --------
    >>> notes_on([Document("a", "Rain.", date="tomorrow")], ["Rain."])
    ("1 date was not understood ('tomorrow'): its document stands where it was given",)
    """
    notes = []
    if 2 * sum(map(has_unspaced, sentences)) > len(sentences):
        notes.append(
            "words stand between blanks and this script has few of them: there each character "
            "counts as a word"
        )
    dates = [own.date for own in documents if own.date.strip() and read_date(own.date) is None]
    if len(dates) == 1:
        what = f"1 date was not understood ({dates[0]!r})"
        notes.append(f"{what}: its document stands where it was given")
    elif dates:
        what = f"{len(dates)} dates were not understood (such as {min(dates)!r})"
        notes.append(f"{what}: their documents stand in the order given")
    return tuple(notes)
