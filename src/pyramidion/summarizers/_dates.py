"""Parse the dates of articles, if they are unambiguous."""

import re

#: Year, month, day, and the time of day or an empty text.
DateParts = tuple[str, str, str, str]

_MONTH_NAMES = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH = (
    r"(?P<month>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?"
    r"|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.?"
)
_DAY = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?"
_YEAR = r"(?P<year>\d{4})(?!\d)"
_WEEKDAY = r"(?:(?:mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?|sun)(?:day)?\.?,?\s+)?"

_DIGITS_PATTERN = re.compile(r"(\d{4})\D?(\d{2})\D?(\d{2})(.*)", re.DOTALL)
_YEAR_FIRST_PATTERN = re.compile(rf"{_YEAR}([-/.])(?P<month>\d{{1,2}})\2(?P<day>\d{{1,2}})(?!\d)")
_NAMED_MONTH_PATTERNS = tuple(
    re.compile(_WEEKDAY + order, re.IGNORECASE)
    for order in (rf"{_MONTH}\s*{_DAY},?\s+{_YEAR}", rf"{_DAY}[\s-]*{_MONTH},?[\s-]*{_YEAR}")
)
_YEAR_LAST_PATTERN = re.compile(rf"(\d{{1,2}})([-/.])(\d{{1,2}})\2{_YEAR}")
_TIME_PATTERN = re.compile(r"\b(\d{1,2}):(\d\d)(:\d\d)?(?:\s*([ap])\.?m\b)?", re.IGNORECASE)


def read_date(text: str) -> DateParts | None:
    """Parse the date at the start of a text.

    The year comes first, or the month is an English name, or only one of the two other numbers
    can be a month.
    """
    stripped = text.strip()
    if match := _DIGITS_PATTERN.match(stripped):
        year, month, day, time = match.groups()
        return year, month, day, time
    for pattern in (_YEAR_FIRST_PATTERN, *_NAMED_MONTH_PATTERNS):
        if match := pattern.match(stripped):
            return _valid_date(match["year"], match["month"], match["day"], stripped[match.end() :])
    if match := _YEAR_LAST_PATTERN.match(stripped):
        first_number, second_number, year, time = (
            match[1],
            match[3],
            match["year"],
            stripped[match.end() :],
        )
        # Only one of the two can be a month, or both are the same.
        if int(first_number) > len(_MONTH_NAMES) or first_number == second_number:
            return _valid_date(year, second_number, first_number, time)
        return (
            _valid_date(year, first_number, second_number, time)
            if int(second_number) > len(_MONTH_NAMES)
            else None
        )
    return None


def iso_date(text: str) -> str:
    """Write a date with the year first; a date that cannot be parsed is returned unchanged."""
    date_parts = read_date(text)
    return text if date_parts is None else "{}-{}-{}{}".format(*date_parts)


def _valid_date(year: str, month: str, day: str, time: str) -> DateParts | None:
    month_number = int(month) if month.isdigit() else 1 + _MONTH_NAMES.index(month[:3].lower())
    if not (1 <= month_number <= len(_MONTH_NAMES) and 1 <= int(day) <= 31):
        return None
    return year, f"{month_number:02}", f"{int(day):02}", _read_time(time)


def _read_time(text: str) -> str:
    match = _TIME_PATTERN.search(text)
    if match is None:
        return ""
    hour = int(match[1])
    if match[4]:
        hour = hour % 12 + 12 * (match[4].lower() == "p")
    return f" {hour:02}:{match[2]}{match[3] or ''}"
