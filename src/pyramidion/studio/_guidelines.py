"""Guidelines for assessors: default texts, versions and rendering.

A guideline belongs to a measure, or to ``categories``, ``pyramid`` or ``annotation``.
"""

from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from markdown_it import MarkdownIt
from markupsafe import Markup
from sqlalchemy import select
from sqlalchemy.orm import Session

from pyramidion.collection import TAC_CATEGORIES, Category, Collection
from pyramidion.errors import InputError
from pyramidion.studio._store import Account, Evaluation, Guideline

if TYPE_CHECKING:
    from pyramidion.studio._scales import JudgedMeasure

#: Guidelines that every evaluation has, in addition to those of its measures.
FOR_PYRAMIDS = ("pyramid", "annotation")

#: Maximum length of a guideline in characters.
MAX_LENGTH = 20_000

_FOLDER = Path(__file__).with_name("guidelines")
_MARKS = ("very poor", "poor", "barely acceptable", "good", "very good")


@cache
def _shipped_guideline(name: str) -> str | None:
    # Names come from imported data, so they are compared and never joined to a path.
    path = next((path for path in _FOLDER.glob("*.md") if path.stem == name), None)
    return path.read_text(encoding="utf-8") if path else None


def _anchors(measure: "JudgedMeasure") -> str:
    """Describe the marks of a scale; on a scale of ten, two marks share a description."""
    low, high = measure.low, measure.high
    if measure.labels:
        labels = zip(measure.points, measure.labels, strict=True)
        return "\n".join(f"- **{point}** {label}" for point, label in labels)
    if low != 1 or high not in (5, 10) or measure.step != 1:
        return f"- **{low}** the worst\n- **{high}** the best"
    width = int(high) // 5
    marks = enumerate(_MARKS)
    ranges = ((f"{n * width + 1}-{(n + 1) * width}" if width > 1 else n + 1, m) for n, m in marks)
    return "\n".join(f"- **{scores}** {mark}" for scores, mark in ranges)


def default_text(measure: "JudgedMeasure") -> str:
    """Return the default guideline of a measure, with its scale."""
    text = _shipped_guideline(measure.name) or _shipped_guideline("own") or ""
    return text.replace("{title}", measure.title).replace("{scale}", _anchors(measure))


def _categories(collection: Collection) -> str:
    """List the categories of the topics with their aspects."""
    categories = {category.id: category for category in (*TAC_CATEGORIES, *collection.categories)}
    category_ids = dict.fromkeys(topic.category for topic in collection.topics)
    parts = [_aspects(categories[id]) for id in sorted(category_ids) if id in categories]
    return "\n".join([_shipped_guideline("categories") or "", *parts]) if parts else ""


def _aspects(category: Category) -> str:
    lines = (f"- **{a.name}** {a.description or ''}".rstrip() for a in category.aspects)
    return "\n".join([f"## {category.title or category.id}", *lines, ""])


def add_defaults(
    session: Session,
    evaluation: Evaluation,
    measures: Iterable["JudgedMeasure"],
    collection: Collection,
) -> None:
    """Add missing guidelines and update default ones; edited texts stay."""
    current_guidelines = guidelines_of(session, evaluation)
    for measure in measures:
        current_version, text = current_guidelines.get(measure.name), default_text(measure)
        if current_version is None or (
            current_version.account_id is None and current_version.text != text
        ):
            session.add(_next(evaluation, measure.name, text, current_version))
    texts = {name: _shipped_guideline(name) or "" for name in FOR_PYRAMIDS}
    for name, text in {"categories": _categories(collection), **texts}.items():
        if name not in current_guidelines and text:
            session.add(_next(evaluation, name, text))
    session.flush()


def guidelines_of(session: Session, evaluation: Evaluation) -> dict[str, Guideline]:
    """Return the current guidelines by measure."""
    query = select(Guideline).where(Guideline.evaluation_id == evaluation.id)
    rows = session.scalars(query.order_by(Guideline.version))
    return {row.measure: row for row in rows}


def versions_of(session: Session, evaluation: Evaluation, measure: str) -> list[Guideline]:
    """Return all versions of a guideline, latest first."""
    query = select(Guideline).where(
        Guideline.evaluation_id == evaluation.id, Guideline.measure == measure
    )
    return list(session.scalars(query.order_by(Guideline.version.desc())))


def revise(
    session: Session,
    evaluation: Evaluation,
    measure: str,
    text: str,
    *,
    author: Account,
    seen_version: int,
) -> Guideline:
    """Add a version of a guideline, unless there is a newer one than `seen`."""
    current_version = guidelines_of(session, evaluation)[measure]
    text = text.replace("\r\n", "\n").replace("\0", "").strip() + "\n"
    if len(text) > MAX_LENGTH:
        raise InputError(f"a guideline has at most {MAX_LENGTH:,} characters", hint="shorten it")
    if not text.strip():
        raise InputError("a guideline needs a text", hint="describe what assessors should look at")
    if current_version.version != seen_version:
        message = f"somebody else has written version {current_version.version} in the meantime"
        raise InputError(message, hint="read it, then edit again")
    if text == current_version.text:
        return current_version
    new_version = _next(evaluation, measure, text, current_version, author=author)
    session.add(new_version)
    session.flush()
    return new_version


def _next(
    evaluation: Evaluation,
    measure: str,
    text: str,
    current_version: Guideline | None = None,
    *,
    author: Account | None = None,
) -> Guideline:
    return Guideline(
        evaluation_id=evaluation.id, measure=measure, text=text, account_id=author and author.id,
        version=current_version.version + 1 if current_version else 1,
    )  # fmt: skip


@cache
def _markdown_parser() -> MarkdownIt:
    """Return a parser without HTML, links and images."""
    return MarkdownIt("zero").enable(["heading", "list", "emphasis", "backticks"])


def rendered(text: str) -> Markup:
    """Render headings, paragraphs, lists, bold, italic and code as HTML."""
    parser = _markdown_parser()
    tokens = parser.parse(text)
    for token in tokens:
        if token.type in ("heading_open", "heading_close"):
            # One level lower, because the page has its own heading.
            token.tag = f"h{min(int(token.tag[1:]) + 1, 6)}"
    html = parser.renderer.render(tokens, parser.options, {})
    return Markup(html)  # noqa: S704 - the parser escapes everything but its own tags
