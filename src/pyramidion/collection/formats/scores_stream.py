"""Writing a table of scores piece by piece, for tables larger than memory."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from pyramidion.collection.files import writing
from pyramidion.collection.formats.scores import as_csv, write_scores
from pyramidion.collection.scores import Scores

__all__ = ["writing_scores"]

_DELIMITERS = {".csv": ",", ".tsv": "\t"}


@contextmanager
def writing_scores(path: str | Path) -> Iterator[Callable[[Scores], None]]:
    """Write a table that is handed over in pieces, whole or not at all.

    CSV and TSV are written as the pieces come; other forms are held until the end. All pieces
    must use the same columns.

    Parameters
    ----------
    path
        The file; its ending says the form.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder) / "scores.csv"
    ...     with writing_scores(file) as write:
    ...         write(Scores({"topic": ["T1"], "measure": ["m"]}, [1]))
    ...         write(Scores({"topic": ["T2"], "measure": ["m"]}, [2]))
    ...     len(file.read_text().splitlines())
    3
    """
    path = Path(path)
    delimiter = _DELIMITERS.get(path.suffix)
    if delimiter is None:
        pieces: list[Scores] = []
        yield pieces.append
        write_scores(Scores.concatenate(pieces), path)
        return
    with writing(path) as stream:
        started = False

        def write(scores: Scores) -> None:
            nonlocal started
            header, rows = as_csv(scores, delimiter=delimiter).split("\n", 1)
            stream.write((rows if started else f"{header}\n{rows}").encode())
            started = True

        yield write
