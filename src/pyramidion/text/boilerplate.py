"""What news agencies print around a story: datelines, bylines, cues, notes and contacts.

The rules ask for the *form* of boilerplate at the place where it stands, and leave alone what
only resembles it:

- a **dateline** opens a line and ends in a dash. Capitals are not enough (`NATO - The
  alliance`): it names an agency, a date, a known state or country, or a city that agencies
  print alone, or has the underscore that some agencies put for a dash, or opens a story with
  a double dash and no known acronym or heading;
- **bylines**, **contacts** and **copyright notices** are whole lines;
- **cues** (`(MORE)`, `-- end --`, `nn`) and **editors' notes** (`(Eds: ...)`) are whole lines,
  stand in brackets, or close the text.
"""

import re
import tomllib
from functools import cache
from importlib.resources import files
from typing import Final

from pyramidion.text.abbreviations import Kind, lexicon

__all__ = ["strip_boilerplate"]

_UPPER: Final = "A-ZÀ-ÖØ-Þ"
_WORD: Final = rf"[{_UPPER}][\w.'’/-]*+"
_AGENCY: Final = rf"[{_UPPER}][\w.'’-]*+"
_MONTH: Final = (
    r"(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?"
    r"|Sept?(?:ember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)\b\.?"
)
_DATE: Final = rf"(?:{_MONTH}[ ]\d{{1,2}}|\d{{1,2}}[ ]{_MONTH})(?:,?[ ]\d{{4}})?"
_DATELINE: Final = re.compile(
    rf"""[ \t]*+
    (?P<place>{_WORD}(?:[ ](?:{_WORD}|d[aeo]|del)){{0,4}}?)??
    (?P<regions>(?:,[ ](?!{_MONTH}){_WORD}(?:[ ](?!{_MONTH}){_WORD}){{0,3}}){{0,2}})
    (?P<date>(?:,?[ ])?{_DATE})?
    (?:[ ]?[(/](?P<agency>{_AGENCY}(?:[ ]{_AGENCY}){{0,3}})[)/](?:,?[ ]{_DATE})?)?
    (?P<dash>\s++(?:-{{1,3}}|[–—_])\s++|\s?(?:--|—)\s?)
    (?P<opens>["'“‘«(]*+(?:[{_UPPER}\d]|[a-z]{{1,2}}[A-Z]))?""",
    re.VERBOSE,
)
_TAG: Final = re.compile(rf"[ \t]*+\((?:AFP|AP|CNN|Reuters)\)\s*+(?=[\"'“‘{_UPPER}\d])")
_AGENCIES: Final = frozenset({"AFP", "AP", "CNN", "Kyodo", "Reuters", "TASS", "UPI", "Xinhua"})
_EXCHANGES: Final = frozenset({"AMEX", "LSE", "NASDAQ", "NYSE", "Nasdaq", "TSX"})

_NAME: Final = rf"{_WORD}(?:[ ]{_WORD}){{1,3}}"
_BYLINE: Final = re.compile(
    rf"(?:By|BY)[ ]{_NAME}(?:,?[ ](?:and|AND)[ ]{_NAME}|,[ ]{_NAME}){{0,3}}"
)
_WRITER: Final = re.compile(
    rf"(?:{_WORD}[ ]){{0,4}}(?:Correspondent|Editor|Reporter|Writer|WRITER)s?"
    r"|Special to .{1,40}|(?:The )?Associated Press"
)
_LINE: Final = re.compile(
    r"""MORE|ENDS?|\#{2,}|nn|nnnn|NNNN
    |[-–—]{1,3}\s?(?:[Ee]nds?|ENDS?|[Mm]ore|MORE|30)\s?[-–—]{1,3}
    |(?:Eds|EDS|Editors?|EDITORS?|Editor['’]s\ [Nn]ote|EDITOR['’]S\ NOTE)(?::|\ --?\ ).*
    |\((?:Adds|Corrects|Recasts|Refiles|Repeats|Updates)\b[^()]*\)
    |(?:(?:Media|News|Press)\ )?(?:[Cc]ontacts?|CONTACTS?):.*
    |For\ (?:more|further)\ information,?\ (?:please\ )?(?:call|contact|visit|write)\b.*
    |(?:E-?mail|Fax|Phone|Tel)[.:].*
    |(?:Additional\ reporting|Editing|Reporting|Writing)\ by\b.*
    |.{1,60}\bcan\ be\ reached\ (?:at|by|on)\b.*(?:@|\d{3}).*
    |On\ the\ Net:.*
    |(?:Copyright\b|\([cC]\)|©).*\d{4}.*""",
    re.VERBOSE,
)
_NOTE: Final = re.compile(
    r"""[(\[](?:MORE|ENDS?
    |(?:STORY\ CAN\ END\ HERE|(?:BEGIN\ |END\ )?OPTIONAL|Optional\ (?:add|trim))\b[^()\[\]]{0,300}
    |(?:Eds|EDS|Editors?|EDITORS?|Editor['’]s\ [Nn]ote|EDITOR['’]S\ NOTE)[.:][^()\[\]]{0,600}
    |(?:Additional\ reporting|Editing|Reporting|Writing)\ by\b[^()\[\]]{0,300}
    )[)\]]""",
    re.VERBOSE,
)
_CLOSE: Final = re.compile(
    r"""(?<=[.!?"'”’)])\s++
    (?:ENDS?|\#{2,}|[-–—]{1,3}\s?(?:[Ee]nds?|ENDS?|30)\s?[-–—]{1,3})\s*+\Z""",
    re.VERBOSE,
)
_LONGEST_LINE: Final = 300
_LONGEST_DATELINE: Final = 200
_LONGEST_CLOSE: Final = 40
_SHORTEST_CITY: Final = 4


def strip_boilerplate(text: str) -> str:
    """Remove datelines, bylines, cues, editors' notes and contact lines.

    Parameters
    ----------
    text
        One or several news stories, with their line breaks.

    Returns
    -------
    str
        The rest of the text, otherwise unchanged; a removed line leaves a blank one, so that
        the paragraphs around it stay apart.

    Examples
    --------
    >>> strip_boilerplate("PORT LISLE, April 12 (HNS) - Rain fell. (MORE)")
    'Rain fell.'
    >>> strip_boilerplate("NATO - The alliance met on Monday.")
    'NATO - The alliance met on Monday.'
    """
    text = _without_close(_without_notes(text))
    kept: list[str] = []
    after_byline = False
    opens_story = True
    for line in text.splitlines(keepends=True):
        content = line.strip()
        is_byline = _is_byline(content)
        if is_byline or _is_line(content) or (after_byline and _WRITER.fullmatch(content)):
            kept += ["\n"] if kept and line.endswith("\n") else []
            opens_story = True
        else:
            kept.append(line[_dateline_end(line, opens_story=opens_story) :])
            opens_story = opens_story and content == ""
        after_byline = is_byline
    return "".join(kept)


def _without_notes(text: str) -> str:
    if "(" not in text and "[" not in text:
        return text
    pieces = []
    last = 0
    for note in _NOTE.finditer(text):
        pieces.append(text[last : note.start()].rstrip(" \t"))
        last = note.end()
    return "".join(pieces) + text[last:]


def _without_close(text: str) -> str:
    close = _CLOSE.search(text, max(0, len(text.rstrip()) - _LONGEST_CLOSE))
    return text[: close.start()] if close else text


def _is_line(content: str) -> bool:
    return len(content) <= _LONGEST_LINE and _LINE.fullmatch(content) is not None


def _is_byline(content: str) -> bool:
    if len(content) > _LONGEST_LINE or not _BYLINE.fullmatch(content):
        return False
    english = lexicon("en")
    words = content.lower().split()[1:]
    others = english.calendar | english.starters - {"and"}
    return others.isdisjoint(words) and not words[-1].endswith(".")


def _dateline_end(line: str, *, opens_story: bool) -> int:
    """Return where the text begins after the datelines of a line, 0 if there are none."""
    position = 0
    while found := _DATELINE.match(line, position, position + _LONGEST_DATELINE):
        if not _is_dateline(found, opens_story=opens_story):
            break
        position = found.end("dash")
    if tag := _TAG.match(line, position):
        return tag.end()
    return position


def _is_dateline(found: re.Match[str], *, opens_story: bool) -> bool:
    if not found["opens"] and found.end("dash") < len(found.string):
        return False
    place, regions, agency = found["place"] or "", found["regions"], found["agency"]
    in_capitals = place == place.upper() and sum(map(str.isalpha, place)) >= _SHORTEST_CITY
    if agency:
        if agency in _AGENCIES:
            return True
        return agency not in _EXCHANGES and (in_capitals or bool(found["date"]))
    if not in_capitals:
        return False
    if found["date"] or "_" in found["dash"]:
        return True
    if regions:
        return all(map(_is_region, regions.removeprefix(", ").split(", ")))
    if place in _places()["cities"]:
        return True
    return (
        opens_story
        and found["dash"].strip() != "-"
        and _places()["no_places"].isdisjoint(place.split())
    )


def _is_region(name: str) -> bool:
    if lexicon("en").abbreviations.get(name.rstrip(".")) is Kind.PLACE:
        return True
    return name.upper() in _places()["regions"]


@cache
def _places() -> dict[str, frozenset[str]]:
    source = files(__package__) / "data" / "datelines.toml"
    tables = tomllib.loads(source.read_text("utf-8"))
    return {
        name: frozenset(" ".join(entry.split()).upper() for entry in text.split(","))
        for name, text in tables.items()
    }
