"""What the studies of human summaries are made of, from whatever file or folder holds it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from pyramidion.collection import Collection, Scores
from pyramidion.collection.checks import require_consistent
from pyramidion.collection.files import read_text
from pyramidion.collection.formats import FORMATS, read_collection
from pyramidion.collection.ids import natural_order
from pyramidion.errors import InputError, NotFoundError, Where
from pyramidion.evaluation.study import TextSet, reference_sets
from pyramidion.evaluation.study._places import require_ids
from pyramidion.stats.inputs import choice
from pyramidion.text import Tokenizer
from pyramidion.text.encoding import Reading

__all__ = [
    "Source",
    "StudyRequest",
    "TextSource",
    "chosen_scores",
    "read_study",
    "read_texts",
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


@dataclass(frozen=True, slots=True)
class TextSource:
    """Sets of texts, and where they are from.

    Parameters
    ----------
    name
        What the source is called.
    sets
        Summaries of one input, or translations of one text, each a set.
    left_out
        What a reader could not take over, one line each.

    Examples
    --------
    >>> TextSource("translations", (TextSet("T1", ("Ice.", "Ice!")),)).sets[0].name
    'T1'
    """

    name: str
    sets: tuple[TextSet, ...]
    left_out: tuple[str, ...] = ()


def read_texts(sources: Sequence[str | Path] | Collection, request: StudyRequest) -> TextSource:
    """Read sets of texts: summaries of one input, or translations of one text.

    Parameters
    ----------
    sources
        A collection, whose references are a set for each topic and task; text files, which are one
        set; or folders: each is a set of the text files in it, or a set for each folder in it.
    request
        Which topics and tasks of a collection.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     for name in ("1.txt", "2.txt"):
    ...         _ = (Path(folder) / name).write_text("Ice melts.")
    ...     found = read_texts([folder], StudyRequest())
    >>> found.sets[0].texts
    ('Ice melts.', 'Ice melts.')
    """
    if isinstance(sources, Collection):
        return _references(sources, request, sources.name)
    paths = [Path(source) for source in sources]
    for path in paths:
        if not path.exists():
            raise NotFoundError(
                "there is no such file or folder", where=Where(path), hint="check the path"
            )
    name = paths[0].resolve().name
    if len(paths) == 1 and _is_collection(paths[0], request):
        collection = read_collection(paths[0], format=request.source_format)
        return _references(collection, request, name)
    files = [path for path in paths if path.is_file()]
    if files:
        _require_files(paths)
        name = _common_name(files)
        return TextSource(name, (_text_set(name, files),))
    return TextSource(name, tuple(own for folder in paths for own in _folder_sets(folder)))


def _references(collection: Collection, request: StudyRequest, name: str) -> TextSource:
    sets = reference_sets(collection, topics=request.topics, tasks=request.tasks)
    if not sets:
        raise InputError(
            f"there are no references in {collection.name}",
            hint="add summaries by people, or name text files",
        )
    return TextSource(name, tuple(sets), collection.left_out)


def _require_files(paths: Sequence[Path]) -> None:
    for folder in (path for path in paths if path.is_dir()):
        raise InputError(
            "this is a folder among files", where=Where(folder), hint="give files or folders"
        )


def _is_collection(path: Path, request: StudyRequest) -> bool:
    return request.source_format is not None or any(form.matches(path) for form in FORMATS)


def _folder_sets(folder: Path) -> Iterator[TextSet]:
    there = sorted(folder.iterdir(), key=lambda path: natural_order(path.name))
    visible = [path for path in there if not path.name.startswith(".")]
    files = [path for path in visible if path.is_file()]
    folders = [path for path in visible if path.is_dir()]
    if files:
        yield _text_set(folder.name or str(folder), files)
        return
    if not folders:
        raise InputError("the folder is empty", where=Where(folder), hint="put text files in it")
    for own in folders:
        yield from _folder_sets(own)


def _text_set(name: str, files: Sequence[Path]) -> TextSet:
    texts = tuple(read_text(file) for file in files)
    for file, text in zip(files, texts, strict=True):
        if not text.strip():
            raise InputError("the file has no text", where=Where(file), hint="take it out")
    return TextSet(name, texts)


def _common_name(files: Sequence[Path]) -> str:
    folders = {file.resolve().parent for file in files}
    return folders.pop().name if len(folders) == 1 else "texts"
