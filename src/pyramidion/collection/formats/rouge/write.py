"""Writing a folder from which ROUGE-1.5.5 can be run."""

import itertools
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import quote

from pyramidion.collection.collection import Collection
from pyramidion.collection.files import write_bytes, write_text, writing_folder
from pyramidion.collection.formats.base import counted
from pyramidion.collection.formats.rouge.files import SentenceFormat, format_sentences
from pyramidion.collection.formats.xml import escape_attribute, escape_text
from pyramidion.collection.summaries import Summary
from pyramidion.errors import InputError

__all__ = ["write_rouge"]


def write_rouge(
    collection: Collection,
    path: str | Path,
    *,
    input_format: SentenceFormat = "SPL",
    replace: bool = False,
) -> tuple[str, ...]:
    r"""Write a folder from which ROUGE-1.5.5 can be run: ``rouge.xml``, ``peers``, ``models``.

    Parameters
    ----------
    collection
        What is written: one EVAL for each task and topic, with peers and all references. A
        text that is no list of sentences is split.
    path
        The folder.
    input_format
        How the summaries are written.
    replace
        Allow an existing folder to be replaced.

    Returns
    -------
    tuple
        What the format has no place for, one line each.

    Examples
    --------
    >>> import tempfile
    >>> mine = Collection("mine", summaries=(Summary("T1", "17", ("Rain fell.",), task="A"),))
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     left_out = write_rouge(mine, Path(folder) / "rouge")
    ...     (Path(folder) / "rouge" / "peers" / "T1-A.17.spl").read_text()
    'Rain fell.\n'
    """
    if not collection.summaries:
        raise InputError("the collection has no summaries", hint="choose another format")
    with writing_folder(path, replace=replace) as folder:
        (folder / "peers").mkdir()
        (folder / "models").mkdir()
        writer = _Writer(folder, input_format)
        evaluations = [writer.evaluation(*group) for group in _groups(collection.summaries)]
        body = "".join(evaluations)
        write_text(folder / "rouge.xml", f'<ROUGE-EVAL version="1.0">\n{body}</ROUGE-EVAL>\n')
    return _lost(collection)


def _groups(summaries: Iterable[Summary]) -> Iterable[tuple[str, str, list[Summary]]]:
    groups: dict[tuple[str, str], list[Summary]] = {}
    for summary in summaries:
        groups.setdefault((summary.task, summary.topic), []).append(summary)
    return [(task, topic, members) for (task, topic), members in groups.items()]


@dataclass(frozen=True, slots=True)
class _Writer:
    """A folder that is being filled, with the ids and file names that are taken."""

    folder: Path
    input_format: SentenceFormat
    ids: set[str] = field(default_factory=set)
    files: set[str] = field(default_factory=set)

    def evaluation(self, task: str, topic: str, summaries: list[Summary]) -> str:
        id = _unused(f"{topic}-{task}" if task else topic, self.ids)
        peers = [self._entry("P", "peers", id, s) for s in summaries if s.role == "peer"]
        models = [self._entry("M", "models", id, s) for s in summaries if s.role != "peer"]
        return (
            f'<EVAL ID="{escape_attribute(id)}">\n'
            "<PEER-ROOT>peers</PEER-ROOT>\n<MODEL-ROOT>models</MODEL-ROOT>\n"
            f'<INPUT-FORMAT TYPE="{self.input_format}"></INPUT-FORMAT>\n'
            f"<PEERS>\n{''.join(peers)}</PEERS>\n<MODELS>\n{''.join(models)}</MODELS>\n</EVAL>\n"
        )

    def _entry(self, tag: str, folder: str, evaluation: str, summary: Summary) -> str:
        suffix = "spl" if self.input_format == "SPL" else "html"
        stem = f"{_safe(evaluation)}.{_safe(summary.system)}"
        # On many machines `a` and `A` name the same file.
        stem = _unused(stem, self.files, same=str.casefold)
        name = f"{stem}.{suffix}"
        data = format_sentences(_sentences(summary), self.input_format, title=stem.encode())
        write_bytes(self.folder / folder / name, data)
        return f'<{tag} ID="{escape_attribute(summary.system)}">{escape_text(name)}</{tag}>\n'


def _unused(name: str, taken: set[str], *, same: Callable[[str], str] = str) -> str:
    """Take a name, with a number if it is taken already."""
    numbers = itertools.count(2)
    chosen = name
    while same(chosen) in taken:
        chosen = f"{name}~{next(numbers)}"
    taken.add(same(chosen))
    return chosen


def _safe(id: str) -> str:
    return quote(id, safe="", errors="replace")[:100]


def _sentences(summary: Summary) -> Iterator[bytes]:
    """Give the sentences without line ends, for which the files have no place."""
    for sentence in _split(summary.text):
        line = re.sub(r"[\r\n]+", " ", sentence)
        try:
            encoded = line.encode()
        except UnicodeEncodeError:
            raise InputError(
                f"{summary.name} holds half a surrogate pair", hint="take it out of the text"
            ) from None
        if encoded:
            yield encoded


def _split(text: str | tuple[str, ...]) -> Iterable[str]:
    if not isinstance(text, str):
        return text
    from pyramidion.text._sentences import split_sentences

    return split_sentences(text)


def _lost(collection: Collection) -> tuple[str, ...]:
    summaries = collection.summaries
    numbers = {
        "topics' statements and documents": len(collection.topics),
        "scores": len(collection.scores),
        "pyramids": len(collection.pyramids),
        "annotated peers": len(collection.peer_annotations),
        "summaries' aspects": sum(bool(s.aspects) for s in summaries),
        "tasks (written into the EVALs' ids)": len({s.task for s in summaries if s.task}),
        "people among the peers, not told from machines": sum(
            s.kind == "human" and s.role == "peer" for s in summaries
        ),
        "machines among the references, not told from people": sum(
            s.kind == "machine" and s.role != "peer" for s in summaries
        ),
        "summaries that are peer and reference (written as models)": sum(
            s.role == "both" for s in summaries
        ),
    }
    return counted(**numbers)
