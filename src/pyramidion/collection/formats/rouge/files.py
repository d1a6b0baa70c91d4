r"""The files ROUGE-1.5.5 reads: sentences as bytes, exactly as the Perl script takes them.

- SPL: one sentence a line.
- SEE: lines such as ``<a name="1">[1]</a> <a href="#1" id=1>Rain fell.</a>``.
- ISI: lines such as ``<S SNTNO="1">Rain fell.</S>``.

Nothing is decoded, no character reference is resolved, and only ``\n`` ends a line: a ``\r``
stays. What is no sentence is passed over; a line of blanks is a sentence in SPL.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Literal, cast

from pyramidion.errors import InputError

__all__ = ["SENTENCE_FORMATS", "SentenceFormat", "format_sentences", "parse_sentences"]

SentenceFormat = Literal["SPL", "SEE", "ISI"]

_SEE_LINE = re.compile(
    rb'<a (?:size="\d+" )?name="\d+">\[\d+\]</a>\s+<a href="#\d+" id=\d+>([^<]+)'
)
_ISI_LINE = re.compile(rb'<S SNTNO="[0-9a-z,]+">([^<]+)</S>')


def parse_sentences(data: bytes, format: SentenceFormat) -> list[bytes]:
    r"""Take the sentences out of a file's bytes.

    Parameters
    ----------
    data
        The whole file.
    format
        ``SPL``, ``SEE`` or ``ISI``.

    Examples
    --------
    >>> parse_sentences(b"Rain fell.\r\n\n  \nRoads closed.", "SPL")
    [b'Rain fell.\r', b'  ', b'Roads closed.']
    >>> parse_sentences(b'<html>\n<a name="1">[1]</a> <a href="#1" id=1>Rain fell.</a>\n', "SEE")
    [b'Rain fell.']
    >>> parse_sentences(b'<S SNTNO="1">Rain fell.</S>\n', "ISI")
    [b'Rain fell.']
    """
    return _PARSERS[format](data.split(b"\n"))


def _parse_spl(lines: list[bytes]) -> list[bytes]:
    return [line for line in lines if line]


def _parse_marked(mark: re.Pattern[bytes], lines: list[bytes]) -> list[bytes]:
    return [cast("bytes", found[1]) for line in lines if (found := mark.match(line))]


_PARSERS: Mapping[SentenceFormat, Callable[[list[bytes]], list[bytes]]] = {
    "SPL": _parse_spl,
    "SEE": lambda lines: _parse_marked(_SEE_LINE, lines),
    "ISI": lambda lines: _parse_marked(_ISI_LINE, lines),
}

#: The formats of summaries, as a configuration's INPUT-FORMAT names them.
SENTENCE_FORMATS: tuple[SentenceFormat, ...] = tuple(_PARSERS)


def format_sentences(
    sentences: Iterable[bytes], format: SentenceFormat = "SPL", *, title: bytes = b"summary"
) -> bytes:
    r"""Write sentences, the inverse of `parse_sentences`.

    Parameters
    ----------
    sentences
        Sentences that are not empty and have no line end inside; SEE and ISI have no place
        for a ``<`` either.
    format
        ``SPL``, ``SEE`` or ``ISI``.
    title
        The title of the page SEE is.

    Examples
    --------
    >>> format_sentences([b"Rain fell.", b"Roads closed."])
    b'Rain fell.\nRoads closed.\n'
    >>> format_sentences([b"Rain fell."], "ISI")
    b'<S SNTNO="1">Rain fell.</S>\n'
    """
    forbidden = b"\n" if format == "SPL" else b"\n<"
    lines = []
    for number, sentence in enumerate(sentences, start=1):
        if not sentence or any(byte in forbidden for byte in sentence):
            raise InputError(
                f"sentence {number} ({sentence[:40]!r}) cannot be written as {format}",
                hint="it must not be empty, have a line end or (in SEE and ISI) a `<`",
            )
        lines.append(_LINES[format](number, sentence))
    body = b"".join(lines)
    return _SEE_PAGE % (title, body) if format == "SEE" else body


_LINES: Mapping[SentenceFormat, Callable[[int, bytes], bytes]] = {
    "SPL": lambda number, sentence: sentence + b"\n",
    "SEE": lambda n, text: (
        b'<a name="%d">[%d]</a> <a href="#%d" id=%d>%s</a>\n' % (n, n, n, n, text)
    ),
    "ISI": lambda number, sentence: b'<S SNTNO="%d">%s</S>\n' % (number, sentence),
}

_SEE_PAGE = b'<html>\n<head><title>%s</title> </head>\n<body bgcolor="white">\n%s</body>\n</html>\n'
