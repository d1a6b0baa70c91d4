"""What news agencies print around a story: datelines, bylines, cues, notes and contacts.

The rules ask for the *form* of boilerplate, at the place where it stands, and leave what only
resembles it:

- a **dateline** opens a line and ends in a dash. Capitals alone are not enough (`NATO - The
  alliance`): it names an agency, a date, a known state or country or a city that agencies
  print alone, or it uses the underscore that agencies put for a dash;
- **bylines**, **contacts** and **credits** are whole lines;
- **cues** (`(MORE)`, `-- end --`, `nn`) and **editors' notes** (`(Eds: ...)`) are whole lines, stand
  in brackets, or close the text.
"""

import re
import tomllib
from functools import cache
from importlib.resources import files
from typing import Final

from pyramidion.text.abbreviations import Kind, lexicon

__all__ = ["strip_boilerplate"]

_UPPER: Final = "A-ZÀ-ÖØ-Þ"
_MONTH: Final = (
    r"(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?"
    r"|Sept?(?:ember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)\b\.?"
)
_WORD: Final = rf"[{_UPPER}][\w.'’/-]*+"
_AGENCY: Final = rf"{_WORD}(?:[ ]{_WORD}){{0,3}}"
_DATELINE: Final = re.compile(
    rf"""[ \t]*+
    (?P<place>{_WORD}(?:[ ](?:{_WORD}|d[aeo]|del)){{0,4}}?)??
    (?P<regions>(?:,[ ](?!{_MONTH}){_WORD}(?:[ ](?!{_MONTH}){_WORD}){{0,3}}){{0,2}})
    (?P<date>,?[ ]?(?:{_MONTH}[ ]\d{{1,2}}|\d{{1,2}}[ ]{_MONTH})(?:,?[ ]\d{{4}})?)?
    (?:[ ]?(?:\((?P<agency>{_AGENCY})\)|/(?P<wire>{_AGENCY})/))?
    (?P<dash>\s++(?:-{{1,3}}|[–—_])\s++|\s?(?:--|—)\s?|(?<=\))-\s*+)
    (?P<opens>["'“‘«(]*+(?:[{_UPPER}\d]|[a-z]{{1,2}}[A-Z]))?""",
    re.VERBOSE,
)
_AGENCIES: Final = frozenset("AFP AP CNN Kyodo Reuters TASS UPI Xinhua".split())
_EXCHANGES: Final = frozenset("AMEX LSE NASDAQ NYSE Nasdaq TSX".split())
_SHORTEST_CITY: Final = 4

_NAMES: Final = rf"{_WORD}(?:[ ]{_WORD}){{1,3}}"
_BYLINE: Final = re.compile(
    rf"(?:By|BY)[ ](?P<names>{_NAMES}(?:,?[ ](?:and|AND)[ ]{_NAMES}|,[ ]{_NAMES}){{0,3}})"
)
_WRITER: Final = re.compile(
    rf"(?:{_WORD}[ ]){{0,4}}(?:Writer|WRITER|Correspondent|Reporter|Editor)s?"
    rf"|Special to [^\n]{{1,40}}|(?:The )?Associated Press"
)
_CUE: Final = re.compile(
    r"\(?(?:MORE|ENDS?|END OF STORY|STOP)\)?|#{2,}|[-–—\s]*(?:30|END|[Ee]nd|ENDS|more|MORE)[-–—\s]*"
    r"|(?-i:nn|NNNN|nnnn|xxx|XXX)"
)
_LAST_CUE: Final = re.compile(
    r"(?<=[.!?\"”’)])\s++(?:ENDS?|#{2,}|[-–—]{1,3}\s?(?:[Ee]nd|END|ENDS|30)\s?[-–—]{1,3}|\(?(?:END|MORE)\)?)\s*+\Z"
)
_NOTE: Final = re.compile(
    r"[ \t]*+[(\[](?:MORE|ENDS?"
    r"|(?:STORY[ ]CAN[ ]END[ ]HERE|(?:BEGIN[ ]|END[ ])?OPTIONAL|Optional[ ](?:add|trim)\b)[^()\[\]]{0,300}"
    r"|(?:Eds|EDS|Editors?|EDITORS?|Editor['’]s[ ][Nn]ote|EDITOR['’]S[ ]NOTE)\b\.?:?[^()\[\]]{0,600}"
    r"|(?:Reporting|Additional[ ]reporting|Writing|Editing)[ ]by\b[^()\[\]]{0,300})[)\]]"
)
_LINE: Final = re.compile(
    r"(?:Eds|EDS|EDITORS?|Editors|Editor['’]s note|EDITOR['’]S NOTE)(?::| --? ).*"
    r"|\((?:Adds|Recasts|Updates|Corrects|Repeats|Refiles)\b[^()]*\)"
    r"|(?:(?:Media|Press|News|For more information,?)\s)?(?:[Cc]ontacts?|CONTACTS?):.*"
    r"|(?:Tel|Phone|Fax|E-?mail):?\s.*"
    r"|.{1,60}\bcan be reached (?:at|on|by)\b.*(?:@|\d{3}).*"
    r"|(?:Reporting|Additional reporting|Writing|Editing) by\b.*"
    r"|On the Net:.*"
    r"|(?:Copyright\b|\([cC]\)|©).*\d{4}.*"
)
_BREAK: Final = re.compile(r"(?<=\n)")
