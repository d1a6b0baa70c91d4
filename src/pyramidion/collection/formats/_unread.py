"""Explain why a column is not read as scores, and recognize less common column names."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from pyramidion.collection._raw import RawTable, id_text, read_number

#: A column of repeated names may hold systems if it has at most this many different names.
_MAX_SYSTEMS = 50

#: Less common names of columns; the cells must also look like the part.
LIKELY_NAMES: Mapping[str, tuple[str, ...]] = {
    "system": (
        "checkpoint", "checkpoint_id", "ckpt", "engine", "llm", "llm_name", "variant",
        "submission", "submission_id", "algorithm", "approach", "configuration", "config", "arm",
        "condition", "experiment", "bot", "agent", "run_name", "architecture",
    ),
    "topic": (
        "doc", "document", "article", "sample", "sample_id", "question", "query", "query_id",
        "story", "story_id", "example", "instance", "record", "record_id", "case", "case_id",
        "prompt", "title", "filename", "file", "url", "docno", "segment", "segment_id", "meeting",
        "product", "product_id", "entity", "entity_id", "paper", "paper_id", "news", "dialogue",
        "dialog", "video", "conversation", "passage", "debate",
    ),
    "assessor": (
        "who", "labeler", "labeller", "labeler_id", "coder", "coder_id", "grader", "grader_id",
        "reviewer", "reviewer_id", "user", "user_id", "username", "turker", "turker_id", "expert",
        "expert_id", "crowdworker", "scorer", "judged_by", "rated_by", "annotated_by",
        "scored_by", "person", "email", "initials", "participant", "participant_id", "respondent",
        "reader", "reader_id", "voter", "student", "teacher", "panelist", "listener", "viewer",
    ),
}  # fmt: skip
#: Numbers in columns with these names are ids, not scores.
ID_COLUMN = re.compile(r"(.+_)?(id|ids|uuid|guid|hash)")

# Words on scales of judgments.
_GRADE_WORDS = re.compile(
    r"terrible|awful|very (poor|bad|good|low|high)|poor|bad|weak|fair|ok|okay|acceptable|average|"
    r"neutral|good|great|excellent|perfect|yes|no|true|false|low|medium|high|never|rarely|often|"
    r"sometimes|always|(strongly )?(dis)?agree|none|partial(ly)?|partly|full(y)?|pass|fail|better|"
    r"(in)?correct|somewhat|not at all|worse|same|one|two|three|four|five|passed|failed|"
    r"wahr|falsch|vrai|faux|verdadero|falso|ja|nein|nee|oui|non|s[ií]"
)
_NUMBER_PATTERN = re.compile(r"[-+]?\d+([.,]\d+)?")
_DURATION_ADVICE = "write a duration as a number of seconds"
#: Patterns of cells that are not numbers, and what to write instead.
_CELL_FORMS: tuple[tuple[re.Pattern[str], str], ...] = (
    (
        re.compile(r"\d\d?-[a-z]{3}|[a-z]{3}-\d\d", re.IGNORECASE),
        "a spreadsheet seems to have made dates of scores; format the column as text, and export "
        "it again",
    ),
    (
        re.compile(r"#\w+[/!?]\w*[!?]?|#N/A|=.+", re.IGNORECASE),
        "a spreadsheet wrote a formula or its error instead of a number; export the values, and "
        "leave cells without a score empty",
    ),
    (
        re.compile(r"[-+]?\d+([.,]\d+)?\s*(\u00b1.*|\+/?-.*|\(\d+[.,]\d+\))"),
        "write the score without its deviation",
    ),
    (re.compile(r"[-+]?\d{1,3}(,\d{3})+"), "remove the commas between thousands"),
    (re.compile(r"[-+]?\d+,\d+"), "write a decimal point instead of the comma"),
    (re.compile(r"[-+]?\d+([.,]\d+)?\s*%"), "remove the percent sign"),
    (re.compile(r"\d+([.,]\d+)?\s*(/|of|out of)\s*\d+"), "write the number before the slash only"),
    (re.compile(r"\d+([.,]\d+)?\s*[-\u2013:=.(,]?\s*[^\W\d].*"), "write the number only"),
    (re.compile(r"[^\W\d][\w ]*[-\u2013:=( ]+\d+([.,]\d+)?\)?"), "write the number only"),
    (re.compile(r"[\u2605\u2606*]+"), "write the number of stars"),
    (
        re.compile(r"\d+([.,]\d+)?\s*([-\u2013]|to)\s*\d+([.,]\d+)?"),
        "write one number only, not a range",
    ),
    (re.compile(r"(\d+:)?\d?\d:\d\d([.,]\d+)?"), _DURATION_ADVICE),
)
# A score that a model explains.
_LABELED_SCORE = re.compile(
    r"\W*(rating|score|grade|verdict|overall)( is)?\W*\d+([.,]\d+)?\b", re.IGNORECASE
)
# Names of columns of durations; others may hold times of the day.
_DURATION_NAME = re.compile(r".*(time|duration|latency|elapsed|seconds|minutes|took).*")


def unread_reason(raw_table: RawTable, name: str) -> tuple[int, str] | None:
    """Find the first row of a score column that is not a number, and what to write instead."""
    cells = raw_table.columns[name]
    texts = {id_text(cell) for cell in cells if not isinstance(cell, list | tuple | dict)}
    texts.discard("")
    unreadable_texts = [text for text in texts if read_number(text) is None]
    units = {_NUMBER_PATTERN.sub("", text, count=1).strip() for text in unreadable_texts}
    if len(units) == 1 and len(unreadable_texts) < len(texts):
        unit = next(iter(units))
        is_frequent_unit = (
            0.2 * len(texts) <= len(unreadable_texts) <= 0.8 * len(texts) and unit.isalpha()
        )
        if (is_frequent_unit or unit == "%") and all(
            _NUMBER_PATTERN.match(text) for text in unreadable_texts
        ):
            first_row = next(
                row for row, cell in enumerate(cells) if id_text(cell) in unreadable_texts
            )
            return first_row, f"write the number only, without {unit!r}, on the scale of the others"
    is_labeled = sum(bool(_LABELED_SCORE.match(text)) for text in unreadable_texts)
    if unreadable_texts and is_labeled >= 0.9 * len(unreadable_texts):
        first_row = next(row for row, cell in enumerate(cells) if id_text(cell) in unreadable_texts)
        return first_row, "write the number only"
    # Scores repeat, except for those with decimals; names and sentences do not look like these.
    if (
        not unreadable_texts
        or len(unreadable_texts) < 0.5 * len(texts)
        or max(map(len, unreadable_texts)) > 40
    ):
        return None
    hint = "write numbers instead of words"
    if len(texts) > 10 or not all(
        _GRADE_WORDS.fullmatch(text.casefold()) for text in unreadable_texts
    ):
        # Names such as "3 apples" take many values; marks with words and units take few.
        has_few_values = len(texts) <= 11 or (
            len(units) <= 3 and all(unit.isalpha() for unit in units)
        )
        hint = _advice(unreadable_texts, has_few_values=has_few_values)
    # Times of the day are not all just after midnight.
    is_clock = hint == _DURATION_ADVICE and not (
        _DURATION_NAME.fullmatch(name.casefold())
        or all(text.startswith(("0:", "00:")) for text in unreadable_texts)
    )
    if not hint or is_clock:
        return None
    first_row = next(row for row, cell in enumerate(cells) if id_text(cell) in unreadable_texts)
    return first_row, hint


def _advice(texts: Sequence[str], *, has_few_values: bool) -> str:
    """Return what to write instead of cells of a common form; empty if they have none."""
    for pattern, advice in _CELL_FORMS:
        n_matching = sum(bool(pattern.fullmatch(text)) for text in texts)
        if n_matching >= 0.9 * len(texts) and (has_few_values or "number only" not in advice):
            return advice
    return ""


def advice_on(raw_table: RawTable, name: str) -> str:
    """Return what to write in the few cells of a column that are not numbers."""
    texts = {id_text(cell) for cell in raw_table.columns[name]} - {""}
    advice = _advice([text for text in texts if read_number(text) is None], has_few_values=True)
    return advice or "leave cells without a score empty"


def holds_grades(raw_table: RawTable, name: str) -> bool:
    """Return whether a column holds letters such as A to F, several times each."""
    texts = set(map(id_text, raw_table.columns[name])) - {""}
    are_letters = all(len(text.rstrip("+-")) == 1 and text.isupper() for text in texts)
    return are_letters and len(texts) > 2 and holds_repeated_names(raw_table, name)


def holds_repeated_names(raw_table: RawTable, name: str) -> bool:
    """Return whether a column holds few names, each of them in several rows."""
    cells = raw_table.columns[name]
    if any(isinstance(cell, list | tuple | dict) for cell in cells[:100]):
        return False
    texts = [id_text(cell) for cell in cells]
    distinct_texts = set(texts)
    are_short = all(text and len(text) <= 60 and "\n" not in text for text in distinct_texts)
    return are_short and 2 <= len(distinct_texts) <= len(texts) / 2


def holds_ids(raw_table: RawTable, name: str) -> bool:
    """Return whether a column has one name throughout, or a different id in every row."""
    texts = [cell if isinstance(cell, str) else "" for cell in raw_table.columns[name]]
    distinct_texts, max_length = set(texts), max(map(len, texts), default=0)
    are_short = min(map(len, texts), default=0) > 0 and max_length <= 60
    are_single_words = not any(character.isspace() for text in distinct_texts for character in text)
    return are_short and (
        len(distinct_texts) == 1 or (len(distinct_texts) == len(texts) and are_single_words)
    )


def likely_columns(raw_table: RawTable, part: str, names: Mapping[str, str]) -> list[str]:
    """Return the columns with a likely name of a part that look like it, the likeliest first."""
    matches = []
    for likely_name in LIKELY_NAMES[part]:
        for column, folded_name in names.items():
            may_be_id = part == "topic" and holds_ids(raw_table, column)
            if folded_name != likely_name or not (
                may_be_id or holds_repeated_names(raw_table, column)
            ):
                continue
            n_values = len(set(map(id_text, raw_table.columns[column])))
            is_numeric = None not in raw_table.numbers(column)
            has_few_values = n_values <= _MAX_SYSTEMS * 4 if part == "system" else True
            if has_few_values and not (
                is_numeric and folded_name in ("expert", "experiment", "condition", "person")
            ):
                matches.append(column)
    return matches


def likely_system_columns(raw_table: RawTable, unused_names: Sequence[str]) -> list[str]:
    """Return unused columns that may hold systems: their names occur equally often."""
    columns = []
    for name in unused_names:
        if not holds_repeated_names(raw_table, name) or None not in raw_table.numbers(name):
            continue
        counts: dict[str, int] = {}
        for cell in raw_table.columns[name]:
            text = id_text(cell)
            counts[text] = counts.get(text, 0) + 1
        occur_equally_often = max(counts.values()) - min(counts.values()) <= 0.05 * max(
            counts.values()
        )
        if occur_equally_often and len(counts) <= _MAX_SYSTEMS and min(counts.values()) >= 3:
            columns.append(name)
    return columns


def first_repeated_rows(raw_table: RawTable) -> tuple[Any, Any] | None:
    """Return the numbers of the first two rows that are the same in all columns."""
    first_rows: dict[str, int] = {}
    for row, cells in enumerate(zip(*raw_table.columns.values(), strict=True)):
        earlier_row = first_rows.setdefault(repr(cells), row)
        if earlier_row != row:
            return raw_table.row_numbers[earlier_row], raw_table.row_numbers[row]
    return None
