"""What files in a collection's folder are called, and what their names say.

A pyramid is ``<topic>-<task>.pyr``, an annotated peer ``<topic>-<task>-<system>.pan``; an empty
task is left out. What would confuse a file name or the joint is written as ``%XX`` (a hyphen
is ``%2D``). Names of DUC and TAC (``D0901-A.M.100.A.17.pan``) are understood too.
"""

import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TypeVar
from urllib.parse import unquote

from pyramidion.collection.formats.duc.names import parse_summary_name
from pyramidion.errors import FormatError, InputError, Where

__all__ = ["file_names", "peer_key", "pyramid_key", "writer_of"]

# Letters and digits of any script are safe, and so is the little punctuation listed here.
_UNSAFE = re.compile(r"[^\w ,+=@]")
_ANY = re.compile(r".", re.DOTALL)

Key = TypeVar("Key", bound=tuple[str, ...])


def file_names(keys: Iterable[Key], key_of: Callable[[Path], Key], suffix: str) -> dict[Key, str]:
    """Name a file for each key, so that `key_of` its path gives the key again.

    Parameters
    ----------
    keys
        (task, topic) or (task, topic, system).
    key_of
        `pyramid_key` or `peer_key`.
    suffix
        The names' ending.

    Examples
    --------
    >>> file_names([("A", "T1", "17"), ("", "T-2", "17")], peer_key, ".pan")
    {('A', 'T1', '17'): 'T1-A-17.pan', ('', 'T-2', '17'): 'T%2D2-17.pan'}
    """
    names: dict[Key, str] = {}
    taken: set[str] = set()
    for key in keys:
        if not all(key[1:]):
            raise InputError(f"an annotation of {key} has no address", hint="name its topic")
        name = _joined(key, _UNSAFE) + suffix
        # Some file systems take T1 and t1 for the same name.
        if name.casefold() in taken or key_of(Path(name)) != key:
            name = _joined(key, _ANY) + suffix
        taken.add(name.casefold())
        names[key] = name
    return names


def _joined(key: tuple[str, ...], unsafe: re.Pattern[str]) -> str:
    task, topic, *system = key
    return "-".join(unsafe.sub(_escaped, id) for id in (topic, task, *system) if id)


def _escaped(match: re.Match[str]) -> str:
    return "".join(f"%{byte:02X}" for byte in match.group().encode())


def pyramid_key(file: Path, topics: set[str]) -> tuple[str, str]:
    """Give (task, topic) of a file named ``<topic>-<task>.pyr`` or ``<topic>.pyr``.

    Parameters
    ----------
    file
        The file.
    topics
        The collection's topics: in a name written by hand a hyphen may belong to one.

    Examples
    --------
    >>> pyramid_key(Path("T1-A.pyr"), {"T1"}), pyramid_key(Path("oil-price.pyr"), {"oil-price"})
    (('A', 'T1'), ('', 'oil-price'))
    """
    topic, joint, task = file.stem.rpartition("-")
    if not joint or ("%" not in file.stem and topic not in topics and file.stem in topics):
        return "", unquote(file.stem)
    if not topic:
        raise _nameless(file, "<topic>-<task>.pyr")
    return unquote(task), unquote(topic)


def peer_key(file: Path) -> tuple[str, str, str]:
    """Give (task, topic, system) of a file named ``<topic>-<task>-<system>.pan``.

    Examples
    --------
    >>> peer_key(Path("T1-A-17.pan")), peer_key(Path("D0901-A.M.100.A.17.pan"))
    (('A', 'T1', '17'), ('A', 'D0901', '17'))
    """
    nist = parse_summary_name(file.stem)
    if nist:
        return nist.task, nist.topic, nist.system
    parts = [unquote(part) for part in file.stem.split("-")]
    if len(parts) not in (2, 3) or not (parts[0] and parts[-1]):
        raise _nameless(file, "<topic>-<task>-<system>.pan")
    return parts[1] if len(parts) == 3 else "", parts[0], parts[-1]


def writer_of(reference: str) -> str:
    """Give the system that wrote a reference, by the name its header gives it.

    Examples
    --------
    >>> writer_of("D0901-A.M.100.A.G"), writer_of("ref1")
    ('G', 'ref1')
    """
    nist = parse_summary_name(reference)
    return nist.system if nist else reference


def _nameless(file: Path, form: str) -> FormatError:
    return FormatError(
        "the name does not say whose annotation it is",
        where=Where(file),
        hint=f"name it {form} and write a hyphen inside an id as %2D",
    )
