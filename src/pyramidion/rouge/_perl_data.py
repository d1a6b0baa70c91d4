"""The data folder of ROUGE-1.5.5: its stop list and its table of irregular forms.

The table is a Berkeley DB hash file, which is read here as far as the script's own table goes:
small keys and values, stored in the pages themselves.
"""

import os
import struct
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path

from pyramidion import kernels
from pyramidion.collection._files import read_bytes
from pyramidion.errors import NotFoundError, Where
from pyramidion.text._tokens import lexicon

STOP_LIST, TABLE = "smart_common_words.txt", "WordNet-2.0.exc.db"

_MAGIC = 0x061561
_DATA_PAGES = (2, 13)
_PAGE_HEAD = 26
_IN_PAGE = 1


def perl_lexicon(
    folder: str | None, *, exceptions: bool, stems: bool, warn: Callable[[str], None]
) -> kernels.Lexicon:
    """Return the words of the data folder (``-e``, or as the environment names it).

    Where it has neither file, the package's own are taken; where it has one of the two, the
    other is missed, as the script does.
    """
    named = folder or os.environ.get("ROUGE_EVAL_HOME") or os.environ.get("RED_EVAL_HOME")
    place = Path(named or ".")
    missing = [name for name in (STOP_LIST, TABLE) if not (place / name).is_file()]
    if len(missing) == 2:
        if named is not None:
            warn(f"no data of ROUGE-1.5.5 in {place}: the package's own, the same, are used")
        return lexicon(exceptions=exceptions)
    for name in missing:
        hint = "copy it from the release, or remove the other to use the package's own"
        raise NotFoundError("there is no such file", where=Where(place / name), hint=hint)
    forms = dict(read_hash_file(place / TABLE)) if exceptions else {}
    if stems and exceptions and not forms:
        warn(f"{place / TABLE} is empty: no irregular form is looked up")
    words = read_bytes(place / STOP_LIST).decode("latin-1").split("\n")
    return kernels.Lexicon(forms, words)


def read_hash_file(path: Path) -> Iterator[tuple[str, str]]:
    """Read the keys and values of a Berkeley DB hash file."""
    data, where = read_bytes(path), Where(path)
    order = next((o for o in "<>" if data[12:16] == struct.pack(f"{o}I", _MAGIC)), None)
    if order is None:
        raise where.error("this is no Berkeley DB hash file", "copy it from the release again")
    (size,) = struct.unpack_from(f"{order}I", data, 20)
    if size < 512 or len(data) % size:
        raise where.error("its pages are cut off", "copy it from the release again")
    try:
        for start in range(0, len(data), size):
            items = _items(data[start : start + size], order)
            yield from zip(items[::2], items[1::2], strict=True)
    except (struct.error, ValueError):
        raise where.error("its pages are damaged", "copy it from the release again") from None


def _items(page: bytes, order: str) -> list[str]:
    if page[25] not in _DATA_PAGES:
        return []
    (number,) = struct.unpack_from(f"{order}H", page, 20)
    starts = struct.unpack_from(f"{order}{number}H", page, _PAGE_HEAD)
    parts = [page[start:end] for end, start in pairwise((len(page), *starts))]
    if any(part[:1] != bytes([_IN_PAGE]) for part in parts):
        raise ValueError("an item is stored elsewhere")
    return [part[1:].decode("latin-1") for part in parts]
