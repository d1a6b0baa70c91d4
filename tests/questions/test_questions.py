"""Questions: their docstrings, signatures and arguments."""

import inspect
import os
import shutil
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Literal

import pytest

from pyramidion.errors import InputError
from pyramidion.questions import Options, Progress, argument, option, plugin_entries, question
from pyramidion.rouge import Rouge


@dataclass(frozen=True, slots=True)
class Walk(Options):
    """A walk."""

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
def walk(options: Walk) -> tuple[str, ...]:
    """Walk."""
    return (options.start, *options.stops)


def test_docstrings_name_defaults_that_can_be_typed():
    help_lines = {
        line.strip().split(".")[0]: line
        for line in (walk.__doc__ or "").splitlines()
        if line.startswith("    ")
    }
    with_default = {text for text, line in help_lines.items() if "by default" in line}
    assert with_default == {"Where one rests", "How far", "What is drawn", "In the rain"}
    assert "Where one rests. inn+lake by default." in help_lines["Where one rests"]
    assert "How far. 0 by default." in help_lines["How far"]
    assert len(help_lines) == 10
    assert [line for line in help_lines.values() if "One of" in line] == [
        "    How. One of: foot, boat."
    ]


@dataclass(frozen=True, slots=True)
class Wide(Options):
    """An option with much to say."""

    wide: str = option("", "x " * 100)


def test_docstrings_are_92_characters_wide_and_indented_by_four():
    @question
    def say(options: Wide) -> str:
        """Say."""
        return options.wide

    lines = [line for line in (say.__doc__ or "").splitlines() if "x x" in line]
    # Words of one letter and blanks: 91 characters, since 92 would end with a blank.
    assert [len(line) for line in lines[:2]] == [4 + 91, 4 + 91]


def test_signatures_have_the_types_that_callers_may_pass():
    assert str(inspect.signature(walk)) == (
        "(start: str, *, stops: str | Sequence[str] = ('inn', 'lake'), miles: int = 0,"
        f" map: str | Path = {Path('map.svg')!r}, alone: bool = False, wet: bool = True,"
        " night: str = '', by: Literal['foot', 'boat'] | None = None,"
        " greet: Callable[[str, int], None] | None = None,"
        " progress: Progress = Progress()) -> tuple[str, ...]"
    )


def test_text_is_split_at_commas():
    assert walk("home", stops="pub, hill") == ("home", "pub", "hill")
    assert walk("home", stops=r"pub\, inn,f(a,b)") == ("home", "pub, inn", "f(a,b)")


@dataclass(frozen=True, slots=True)
class Weather(Options):
    """Options that a package may add."""

    plugins: ClassVar[str] = "weather"


@dataclass(frozen=True, slots=True)
class Rain(Weather):
    """Options of one package."""

    hours: int = option(2, "How long it rains.")


def install(monkeypatch, folder, *names):
    """Install a package that declares classes of this module as entry points."""
    info = folder / "weather-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: weather\nVersion: 1\n")
    lines = (f"{name} = {__name__}:{name}\n" for name in names)
    (info / "entry_points.txt").write_text("".join(("[pyramidion.weather]\n", *lines)))
    if str(folder) not in sys.path:
        monkeypatch.syspath_prepend(folder)


def forecast(route: Walk, weather: Weather) -> str:
    """Forecast the weather."""
    return f"{route.start}: {getattr(weather, 'hours', 'no')} hours of rain"


def test_a_group_has_the_options_of_the_installed_package(monkeypatch, tmp_path):
    assert question(forecast)("home") == "home: no hours of rain"
    with pytest.raises(TypeError, match="hours"):
        question(forecast)("home", hours=3)
    install(monkeypatch, tmp_path, "Rain")
    assert question(forecast)("home", hours=3) == "home: 3 hours of rain"
    assert "How long it rains." in (question(forecast).__doc__ or "")
    assert Rain.installed() is Rain


def test_a_package_installed_while_the_program_runs_is_seen(monkeypatch, tmp_path):
    monkeypatch.syspath_prepend(tmp_path)
    assert plugin_entries("weather") == []
    os.utime(tmp_path, (0, 0))  # so that the folder changes even if the clock is coarse
    install(monkeypatch, tmp_path, "Rain")
    assert [entry.name for entry in plugin_entries("weather")] == ["Rain"]
    shutil.rmtree(tmp_path / "weather-1.dist-info")
    os.utime(tmp_path, (1, 1))
    assert plugin_entries("weather") == []


@pytest.mark.parametrize(
    ("names", "message"),
    [
        (["Walk"], "test_questions:Walk is not a subclass of Weather; fix or uninstall"),
        (["Rain", "Weather"], "test_questions:Weather cannot be combined; uninstall one"),
        (["Snow"], "Snow cannot be loaded"),
    ],
)
def test_packages_that_cannot_be_used_are_named(monkeypatch, tmp_path, names, message):
    install(monkeypatch, tmp_path, *names)
    with pytest.raises(InputError, match=message):
        question(forecast)


def test_functions_are_taken_only_where_they_are_declared():
    with pytest.raises(InputError, match="night is"):
        walk("home", night=len)
    assert Rouge(stem=str.upper).stem is str.upper
    with pytest.raises(InputError, match="tokenizer is 'letters'"):
        Rouge(tokenizer="letters")


def test_progress_of_a_part_counts_in_the_whole():
    """The second of three parts, half done: three of six halves."""
    seen = []
    whole = Progress(lambda done, total: seen.append((done, total)))
    whole.part(1, of=3).advance(1, 2)
    assert seen == [(3, 6)]


@dataclass(frozen=True, slots=True)
class Tour(Options):
    """Numbers with bounds."""

    share: float = option(0.5, "How much of the way.", between=(0, 1))
    days: int = option(3, "How long.", min=1, max=9)
    area: tuple[float, float] = option((0.0, 1.0), "From and to.")
    pets: tuple[str, ...] = option((), "Who comes along.")


@question
def tour(options: Tour) -> Tour:
    """Tour."""
    return options


def test_bounds_are_part_of_the_range_unless_it_is_open():
    assert [tour(days=days).days for days in (1, 9)] == [1, 9]
    for days in (0, 10):
        with pytest.raises(InputError, match="a whole number from 1 to 9"):
            tour(days=days)
    for share in (0, 1):
        with pytest.raises(InputError, match="a number between 0 and 1"):
            tour(share=share)


def test_a_pair_has_two_values():
    assert tour(area=(2.0, 5.0)).area == (2.0, 5.0)
    assert tour(area="2,5").area == (2.0, 5.0)
    with pytest.raises(InputError, match="area has 3 values; give 2"):
        tour(area=(1.0, 2.0, 3.0))


def test_brackets_close_in_any_depth():
    assert tour(pets="f(a,g(b,c)),d").pets == ("f(a,g(b,c))", "d")
    # What is not closed goes on to the end.
    assert tour(pets="f(a,b").pets == ("f(a,b",)
    assert tour(pets="a),b").pets == ("a),b",)
    with pytest.raises(InputError, match="pets is 5; give a text"):
        tour(pets=5)
