"""Questions: what their docstrings say, what they take."""

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import ClassVar, Literal

import pytest

from pyramidion.errors import InputError
from pyramidion.questions import Options, Progress, _plugins, argument, option, question


@dataclass(frozen=True, slots=True)
class Walk(Options):
    """How far one walks."""

    start: str = argument("Where it begins.")
    stops: tuple[str, ...] = option(("inn", "lake"), "Where one rests.")
    miles: int = option(0, "How far.")
    map: Path = option(Path("map.svg"), "What is drawn.")
    alone: bool = option(False, "With nobody.")
    wet: bool = option(True, "In the rain.")
    night: str = option("", "Where one sleeps.")
    by: Literal["foot", "boat"] | None = option(None, "How.")
    greet: Callable[[str, int], None] | None = option(None, "What to say.", on_command_line=False)
    progress: Progress = option(Progress(), "Who looks on.", on_command_line=False)


@question
def walk(asked: Walk) -> tuple[str, ...]:
    """Walk."""
    return (asked.start, *asked.stops)


def test_docstrings_tell_defaults_that_can_be_told():
    said = {
        line.strip().split(".")[0]: line
        for line in (walk.__doc__ or "").splitlines()
        if line.startswith("    ")
    }
    told = {text for text, line in said.items() if "by default" in line}
    assert told == {"Where one rests", "How far", "What is drawn", "In the rain"}
    assert "Where one rests. inn+lake by default." in said["Where one rests"]
    assert "How far. 0 by default." in said["How far"]
    assert len(said) == 10


def test_signatures_have_the_types_that_callers_may_give():
    assert str(inspect.signature(walk)) == (
        "(start: str, *, stops: str | Sequence[str] = ('inn', 'lake'), miles: int = 0,"
        f" map: str | Path = {Path('map.svg')!r}, alone: bool = False, wet: bool = True,"
        " night: str = '', by: Literal['foot', 'boat'] | None = None,"
        " greet: Callable[[str, int], None] | None = None,"
        " progress: Progress = Progress()) -> tuple[str, ...]"
    )


def test_texts_are_split_and_places_count():
    assert walk("home", stops="pub, hill") == ("home", "pub", "hill")


@dataclass(frozen=True, slots=True)
class Weather(Options):
    """What a package may say about the weather."""

    plugins: ClassVar[str] = "weather"


@dataclass(frozen=True, slots=True)
class Rain(Weather):
    """What one package says."""

    hours: int = option(2, "How long it rains.")


def declare(monkeypatch, *names):
    entries = [EntryPoint(name, f"{__name__}:{name}", "weather") for name in names]
    monkeypatch.setattr(_plugins, "entry_points", lambda group: entries)


def forecast(place: Walk, weather: Weather) -> str:
    """Say what weather it will be."""
    return f"{place.start}: {getattr(weather, 'hours', 'no')} hours of rain"


def test_a_group_has_the_options_of_the_installed_package(monkeypatch):
    declare(monkeypatch)
    assert question(forecast)("home") == "home: no hours of rain"
    with pytest.raises(TypeError, match="hours"):
        question(forecast)("home", hours=3)
    declare(monkeypatch, "Rain")
    assert question(forecast)("home", hours=3) == "home: 3 hours of rain"
    assert "How long it rains." in (question(forecast).__doc__ or "")
    assert Rain.installed() is Rain


@pytest.mark.parametrize(
    ("names", "message"),
    [
        (["Walk"], "test_questions:Walk is not a subclass of Weather; fix or uninstall"),
        (["Rain", "Weather"], "test_questions:Weather exclude each other; uninstall one"),
        (["Snow"], "Snow cannot be loaded"),
    ],
)
def test_packages_that_cannot_be_used_are_named(monkeypatch, names, message):
    declare(monkeypatch, *names)
    with pytest.raises(InputError, match=message):
        question(forecast)
