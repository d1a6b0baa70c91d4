"""SGML as newswires wrote it, read by a parser that forgives.

Tags may be written in capitals or not, need not be closed, and an ``&`` or ``<`` may stand
for itself. This is not XML: nothing is expanded but single characters, and a file that defines
entities is refused. The work grows with the length of the file, whatever is in it.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from html import unescape
from html.entities import html5

from pyramidion.errors import FormatError, Where

__all__ = [
    "Tag",
    "collapse",
    "decode_entities",
    "escape",
    "parse_tags",
    "split_paragraphs",
]

_TAG = re.compile(r"<(/?)([A-Za-z][A-Za-z0-9_.-]*+)((?:[\s/][^<>]*)?)>")
_ATTRIBUTE = re.compile(r"""(?<![\w.-])([\w.-]++)\s*+=\s*+(?:"([^"]*)"|'([^']*)'|([^\s"'/]+))""")
_ENTITY = re.compile(r"&(#\d{1,7}|#[xX][0-9A-Fa-f]{1,6}|[A-Za-z][A-Za-z0-9]{0,31});")
_BLANKS = re.compile(r"[ \t\r\n\f\v]+")


@dataclass(frozen=True, slots=True)
class Tag:
    """A tag and the text behind it, up to the next tag.

    Examples
    --------
    >>> [tag] = parse_tags('<DOC id="a">Rain', Where("a.sgml"))
    >>> tag.name, tag.attribute("id"), tag.text
    ('doc', 'a', 'Rain')
    """

    name: str
    closing: bool
    inside: str
    text: str
    line: int

    @property
    def attributes(self) -> dict[str, str]:
        """The attributes, their names in lower case."""
        return {
            found[1].lower(): decode_entities(found[2] or found[3] or found[4] or "")
            for found in _ATTRIBUTE.finditer(self.inside)
        }

    def attribute(self, name: str) -> str:
        """Give an attribute without blanks around it; empty if it is not there."""
        return self.attributes.get(name, "").strip()


def parse_tags(text: str, where: Where) -> Iterator[Tag]:
    """Stream the tags of a file; comments are passed over, entity definitions are refused.

    Examples
    --------
    >>> [tag.name for tag in parse_tags("<P>Rain <!-- <B> --> fell.</P>", Where("a.sgml"))]
    ['p', 'p']
    """
    defined = text.find("<!ENTITY")
    if defined >= 0:
        raise FormatError(
            "the file defines entities, which is refused for safety",
            where=Where(where.path, line=text.count("\n", 0, defined) + 1),
            hint="replace them by their text and remove the definitions",
        )
    text = _without_comments(text)
    line, counted = 1, 0
    found = _TAG.search(text)
    while found:
        line += text.count("\n", counted, found.start())
        counted = found.start()
        following = _TAG.search(text, found.end())
        behind = text[found.end() : following.start() if following else len(text)]
        yield Tag(found[2].lower(), bool(found[1]), found[3], behind, line)
        found = following


def _without_comments(text: str) -> str:
    first, *rest = text.split("<!--")
    kept = [first]
    for part in rest:
        comment, _, behind = part.partition("-->")
        kept += ("\n" * comment.count("\n"), behind)
    return "".join(kept)


def decode_entities(text: str) -> str:
    """Put characters for their names; the marks of the typesetting machine are taken out.

    Examples
    --------
    >>> decode_entities("Fish &amp; Chips &LR; caf&eacute; &unknown; AT&T")
    'Fish & Chips  café &unknown; AT&T'
    """
    return _ENTITY.sub(_character, text)


def _character(entity: re.Match[str]) -> str:
    name = entity[1]
    if name.startswith("#") or f"{name};" in html5:
        return unescape(entity[0])
    # &UR; &LR; &QL; &QC; &HT; and the like moved type about; the end of "R&D;" did not.
    return "" if name.isupper() and len(name) == 2 else entity[0]


def escape(text: str) -> str:
    """Write the characters that have a meaning in SGML by their names.

    Examples
    --------
    >>> escape("Fish & Chips")
    'Fish &amp; Chips'
    """
    for character, name in (("&", "amp"), ("<", "lt"), (">", "gt")):
        text = text.replace(character, f"&{name};")
    return text


def collapse(text: str) -> str:
    r"""Decode a text and write it on one line.

    Examples
    --------
    >>> collapse("  Rain &amp;\n sun ")
    'Rain & sun'
    """
    return _BLANKS.sub(" ", decode_entities(text)).strip(" ")


def split_paragraphs(text: str, *, indented: bool = False) -> str:
    r"""Decode a text and write each paragraph on one line, with an empty line between two.

    Parameters
    ----------
    text
        Wrapped lines; an empty line ends a paragraph.
    indented
        Whether a line that begins with blanks begins a paragraph, too.

    Examples
    --------
    >>> split_paragraphs("Rain\nfell.\n\n  Roads closed.")
    'Rain fell.\n\nRoads closed.'
    """
    paragraphs: list[list[str]] = [[]]
    for line in decode_entities(text).split("\n"):
        words = _BLANKS.sub(" ", line).strip(" ")
        if not words or (indented and line.startswith(("  ", "\t"))):
            paragraphs.append([])
        if words:
            paragraphs[-1].append(words)
    return "\n\n".join(" ".join(lines) for lines in paragraphs if lines)
