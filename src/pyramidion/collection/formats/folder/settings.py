"""``collection.toml``: name, tasks, scales, measures and categories of a collection."""

import json
import tomllib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, TypeVar, cast

from pyramidion.collection.aspects import Aspect, Category
from pyramidion.collection.collection import Collection, Task
from pyramidion.collection.files import read_text, write_text
from pyramidion.collection.measures import Measure, agreed_scales
from pyramidion.collection.records import Record
from pyramidion.collection.scales import Scale
from pyramidion.errors import FormatError, InputError, Where

__all__ = ["Settings", "read_settings", "write_settings"]

_VERSION = 1
_DOCUMENTS = ("base", "update", "all")

Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class Settings:
    """What stands in ``collection.toml`` (see `Collection` for the fields).

    Examples
    --------
    >>> Settings("mine").tasks
    ()
    """

    name: str
    description: str = ""
    notice: str = ""
    tasks: tuple[Task, ...] = ()
    scales: Mapping[str, Scale] = field(default_factory=dict)
    measures: Mapping[str, Measure] = field(default_factory=dict)
    categories: tuple[Category, ...] = ()


def read_settings(path: Path) -> Settings:
    """Read ``collection.toml``; an unknown key is refused, for it is most likely misspelt.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder) / "collection.toml"
    ...     write_settings(Collection("mine", tasks=(Task("A", word_limit=100),)), file)
    ...     read_settings(file).tasks[0].word_limit
    100
    """
    record = Record(_parsed(path), Where(path))
    version = record.data.get("format", _VERSION)
    record.take("format")
    if version != _VERSION:
        raise record.error(f"`format` is {version!r}", f"this release reads format {_VERSION}")
    scales, measures = _scales_and_measures(record)
    settings = Settings(
        name=record.text("name", "" if "name" in record.data else None),
        description=record.text("description", ""),
        notice=record.text("notice", ""),
        tasks=tuple(_each(record, "tasks", _task)),
        scales=scales,
        measures=measures,
        categories=tuple(_each(record, "categories", _category)),
    )
    _require_known(record)
    return settings


def write_settings(collection: Collection, path: Path) -> None:
    """Write a collection's settings as TOML.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_settings(Collection("mine"), Path(folder) / "collection.toml")
    """
    write_text(path, "\n".join(_toml(collection)) + "\n")


def _parsed(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(read_text(path))
    except (ValueError, RecursionError) as error:
        raise FormatError(
            f"this is not TOML ({error})", where=Where(path), hint="mend it"
        ) from None


def _scales_and_measures(record: Record) -> tuple[Mapping[str, Scale], Mapping[str, Measure]]:
    scales = list(_each(record, "scales", _scale))
    measures = {name: _checked(item, _measure) for name, item in record.named_records("measures")}
    scaled = [name for name, measure in measures.items() if measure.scale]
    names = Counter([*(name for name, _ in scales), *scaled])
    for name, count in names.items():
        if count > 1:
            raise record.error(f"measure `{name}` has two scales", "keep one")
    return agreed_scales(dict(scales), measures)


def _each(record: Record, name: str, read: Callable[[Record], Value]) -> Iterator[Value]:
    for item in record.records(name):
        yield _checked(item, read)


def _checked(item: Record, read: Callable[[Record], Value]) -> Value:
    try:
        value = read(item)
    except FormatError:
        raise
    except InputError as error:
        raise item.error(error.what, error.hint or "mend it") from None
    _require_known(item)
    return value


def _require_known(record: Record) -> None:
    unknown = sorted(record.rest())
    if unknown:
        raise record.error(f"unknown key `{unknown[0]}`", "check its spelling, or take it out")


def _task(record: Record) -> Task:
    documents = record.choice("documents", _DOCUMENTS, "all")
    limit = record.whole_number("word_limit") if "word_limit" in record.data else None
    return Task(
        id=record.identifier("id", ""),
        title=record.text("title", ""),
        documents=cast("Literal['base', 'update', 'all']", documents),
        word_limit=limit,
    )


def _scale(record: Record) -> tuple[str, Scale]:
    return record.text("measure"), _ends(record)


def _ends(record: Record) -> Scale:
    step = record.number("step") if "step" in record.data else 0.0
    return Scale(record.number("low"), record.number("high"), step)


def _measure(record: Record) -> Measure:
    has_scale = not {"low", "high", "step"}.isdisjoint(record.data)
    return Measure(
        lower_is_better=record.flag("lower_is_better"),
        scale=_ends(record) if has_scale else None,
        human=record.flag("human"),
    )


def _category(record: Record) -> Category:
    aspects = tuple(_each(record, "aspects", _aspect))
    return Category(record.identifier("id"), record.text("title", ""), aspects)


def _aspect(record: Record) -> Aspect:
    return Aspect(record.identifier("id"), record.text("name", ""), record.text("description", ""))


def _toml(collection: Collection) -> Iterator[str]:
    yield f"format = {_VERSION}"
    yield f"name = {_string(collection.name)}"
    for key in ("description", "notice"):
        if text := getattr(collection, key):
            yield f"{key} = {_string(text)}"
    for task in collection.tasks:
        yield "\n[[tasks]]"
        yield f"id = {_string(task.id)}"
        yield from _texts(title=task.title)
        yield f"documents = {_string(task.documents)}"
        if task.word_limit is not None:
            yield f"word_limit = {task.word_limit}"
    yield from _scales(collection)
    for category in collection.categories:
        yield "\n[[categories]]"
        yield f"id = {_string(category.id)}"
        yield from _texts(title=category.title)
        for aspect in category.aspects:
            yield "\n[[categories.aspects]]"
            yield f"id = {_string(aspect.id)}"
            yield from _texts(name=aspect.name, description=aspect.description)


def _scales(collection: Collection) -> Iterator[str]:
    for name, scale in collection.scales.items():
        if name not in collection.measures:
            yield "\n[[scales]]"
            yield f"measure = {_string(name)}"
            yield from _numbers(scale)
    for name, measure in collection.measures.items():
        yield f"\n[measures.{_string(name)}]"
        yield f"lower_is_better = {str(measure.lower_is_better).lower()}"
        yield f"human = {str(measure.human).lower()}"
        if measure.scale:
            yield from _numbers(measure.scale)


def _numbers(scale: Scale) -> Iterator[str]:
    yield from (f"{key} = {float(getattr(scale, key))!r}" for key in ("low", "high", "step"))


def _texts(**texts: str) -> Iterator[str]:
    for key, text in texts.items():
        if text:
            yield f"{key} = {_string(text)}"


def _string(text: str) -> str:
    """Write a TOML string: JSON's escapes are TOML's, but for the delete character."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
