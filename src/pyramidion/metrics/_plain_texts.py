"""Plain texts: one per line, or one per file of a folder, with references in the same form."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from pyramidion.collection import Collection
from pyramidion.collection.checking import require_consistent
from pyramidion.collection.ids import natural_order
from pyramidion.collection.summaries import Summary
from pyramidion.errors import InputError, Where
from pyramidion.files.reading import read_all_lines, read_text


def read_plain_texts(source: Path, references: Sequence[Path]) -> Collection:
    """Read the outputs of one system and their references.

    Files have one text per line: the nth line of each belongs to the same topic. Folders have one
    text per file: files of the same name, apart from the ending, belong together.

    Parameters
    ----------
    source
        A file or folder, which names the system.
    references
        One or more files or folders of the same kind.
    """
    peers = _texts(source)
    summaries = [Summary(topic, _stem(source), text) for topic, text in peers.items()]
    for number, path in enumerate(references, start=1):
        if path.is_dir() != source.is_dir():
            hint = "give files with one text per line, or folders with one text per file, for both"
            raise InputError(f"{source} and {path} are not of the same kind", hint)
        texts = _texts(path)
        if texts.keys() != peers.keys():
            raise _mismatch_error(source, path, peers, texts)
        stems = Counter(_stem(file) for file in (source, *references))
        name = f"ref{number}" if stems[_stem(path)] > 1 else _stem(path)
        summaries += [
            Summary(topic, name, text, kind="human", role="reference")
            for topic, text in texts.items()
        ]
    collection = Collection(_stem(source), summaries=tuple(summaries))
    require_consistent(collection, Where(source))
    return collection


def _stem(path: Path) -> str:
    return path.name.removesuffix(".gz").rpartition(".")[0] or path.name


def _texts(path: Path) -> dict[str, str]:
    """Return texts by topic: the number of a line, or the name of a file."""
    if not path.is_dir():
        return {str(number): line for number, line in enumerate(read_all_lines(path), start=1)}
    files = (file for file in path.iterdir() if file.is_file() and file.name[0] != ".")
    texts: dict[str, str] = {}
    for file in sorted(files, key=lambda file: natural_order(file.name)):
        if _stem(file) in texts:
            hint = "keep one file for each text"
            raise Where(path).error(f"several files are named {_stem(file)}", hint)
        texts[_stem(file)] = read_text(file).strip()
    return texts


def _mismatch_error(
    source: Path, path: Path, peers: dict[str, str], texts: dict[str, str]
) -> InputError:
    """Return the error for references that do not correspond to the texts."""
    if not source.is_dir():
        problem = f"{source} has {len(peers):,} lines, {path} has {len(texts):,}"
        return InputError(problem, "the nth line of each must belong to the same text")
    missing_keys = sorted(peers.keys() ^ texts.keys(), key=natural_order)
    folder = path if missing_keys[0] in peers else source
    problem = f"{folder} lacks {missing_keys[0]}"
    suffix = f" and {len(missing_keys) - 1} more differ" if len(missing_keys) > 1 else ""
    hint = "files are matched by name; give matching files the same name"
    return InputError(problem + suffix, hint)
