r"""The program's standard streams: any encoding, closed or not.

Files and pipes get UTF-8 unless ``PYTHONIOENCODING`` names another encoding; a terminal keeps its
own. If an encoding lacks a character, typographic marks become ASCII and all others become escapes
that JSON can read.

>>> "─── é ≥ 日 😀".encode("ascii", READABLE)
b'--- \\u00e9 >= \\u65e5 \\ud83d\\ude00'
>>> "–".encode("latin-1", ESCAPED)
b'\\u2013'
"""

import codecs
import errno
import io
import os
import sys
from typing import Any, TextIO

__all__ = [
    "ESCAPED",
    "READABLE",
    "ClosedOutputError",
    "escaped_for",
    "prepare_streams",
    "require_utf8_names",
]

#: The error handlers for text that people read, and for data.
READABLE, ESCAPED = "pyramidion-readable", "pyramidion-escaped"

# Table rules and frames, bars, and typographic marks.
_ASCII_MARKS = {
    **dict.fromkeys(range(0x2500, 0x2580), "+"),
    **dict.fromkeys(range(0x2580, 0x25A0), "#"),
    **dict.fromkeys(map(ord, "─━═╌╍┄┅┈┉╴╶╸╺‐‑‒–—―−"), "-"),
    **dict.fromkeys(map(ord, "│┃║╎╏┆┇┊┋╵╷╹╻"), "|"),
    **dict.fromkeys(map(ord, "‘’‚′"), "'"),
    **dict.fromkeys(map(ord, "“”„″"), '"'),
    **dict.fromkeys(map(ord, "\u00a0\u2007\u2009\u202f"), " "),
    **str.maketrans({
        "…": "...", "×": "x", "·": "*", "•": "*", "²": "^2", "³": "^3", "±": "+-", "√": "sqrt",
        "≤": "<=", "≥": ">=", "≠": "!=", "≈": "~", "→": "->", "←": "<-", "↑": "^", "↓": "v",
        "▲": "^", "▼": "v", "✓": "yes",
    }),
}  # fmt: skip


def require_utf8_names() -> None:
    """Restart in Python's UTF-8 mode if arguments and file names would be read as ASCII.

    In the C locale, Python selects this mode itself unless ``PYTHONUTF8=0`` forbids it; names that
    occur in data could then be neither typed nor used for files.
    """
    # The option overrides the variable, and is present the second time.
    has_ascii_names = sys.getfilesystemencoding() == "ascii" and "utf8" not in sys._xoptions
    if has_ascii_names and sys.executable:
        if sys.stdout is not None and sys.stdout.isatty():
            os.environ.setdefault("PYTHONIOENCODING", sys.stdout.encoding)
        command = [sys.executable, "-X", "utf8", *sys.orig_argv[1:]]
        os.execv(sys.executable, command)  # noqa: S606 - it is this very command


def prepare_streams() -> None:
    """Make this process's standard streams, even closed ones, accept any text."""
    _occupy_descriptors()
    if sys.stdout is None:
        sys.stdout = _ClosedOutput()
    _configure_stream(sys.stdout)
    if sys.stderr is None or not sys.stderr.isatty():
        sys.stderr = _message_stream(getattr(sys.stderr, "encoding", "utf-8"))
    _configure_stream(sys.stderr)


def escaped_for(stream: Any, text: str) -> str:
    r"""Return data with ``\uXXXX`` for characters that a stream's encoding lacks."""
    encoding = getattr(stream, "encoding", None) or "utf-8"
    if text.isascii() or encoding.lower().startswith("utf"):
        return text
    return text.encode(encoding, ESCAPED).decode(encoding)


def _occupy_descriptors() -> None:
    """Open closed standard descriptors; otherwise the next file would receive their output."""
    for descriptor in range(3):
        try:
            os.fstat(descriptor)
        except OSError:
            # The system assigns the lowest free number, which is this one.
            os.open(os.devnull, os.O_RDWR)


def _configure_stream(stream: Any) -> None:
    """Set the encoding and the handling of characters that it lacks."""
    if isinstance(stream, io.TextIOWrapper):
        encoding = os.environ.get("PYTHONIOENCODING", "").partition(":")[0]
        keeps_encoding = stream.isatty() or (encoding and not sys.flags.ignore_environment)
        stream.reconfigure(encoding=None if keeps_encoding else "utf-8", errors=READABLE)


class ClosedOutputError(OSError):
    """Standard output is closed."""


class _ClosedOutput(io.TextIOBase):
    """A closed standard output, which raises an error so that no answer is lost silently."""

    def write(self, text: str) -> int:
        """Refuse any text."""
        raise ClosedOutputError(errno.EBADF, "standard output is closed")


class _MessageFile(io.FileIO):
    """Standard error; a message that cannot be written must not prevent the answer."""

    def write(self, data: Any) -> int:
        """Write the message, or drop it if that fails."""
        try:
            return super().write(data)
        except OSError:
            return len(data)


def _message_stream(encoding: str) -> TextIO:
    byte_stream = io.BufferedWriter(_MessageFile(2, "w", closefd=False))
    return io.TextIOWrapper(byte_stream, encoding=encoding, line_buffering=True, write_through=True)


def _replace_with_ascii(error: UnicodeError) -> tuple[str, int]:
    """Replace typographic marks with ASCII, and other characters with escapes."""
    return _replace_marks(error, _ASCII_MARKS)


def _replace_with_escapes(error: UnicodeError) -> tuple[str, int]:
    """Replace every character with an escape, so that a program can restore the text."""
    return _replace_marks(error, {})


def _replace_marks(error: UnicodeError, marks: dict[int, str]) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    characters = error.object[error.start : error.end]
    return "".join(marks.get(ord(sign)) or _escape(sign) for sign in characters), error.end


def _escape(sign: str) -> str:
    """Escape a character as JSON does: two escapes beyond the basic plane."""
    units = sign.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[index : index + 2].hex()}" for index in range(0, len(units), 2))


codecs.register_error(READABLE, _replace_with_ascii)
codecs.register_error(ESCAPED, _replace_with_escapes)
