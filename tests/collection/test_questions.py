"""Questions: what their docstrings say, what they take."""

from dataclasses import dataclass
from pathlib import Path

from pyramidion.collection._options import argument, option
from pyramidion.collection._questions import Options, Progress, question


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
    progress: Progress = option(Progress(), "Who looks on.", typed=False)


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
    assert len(said) == 8


def test_texts_are_split_and_places_count():
    assert walk("home", stops="pub, hill") == ("home", "pub", "hill")


def test_choices_have_other_spellings():
    from pyramidion.evaluation._verdicts.agreement import VerdictOptions

    assert VerdictOptions(test="hybrid-bootstrap").test == "hb"
    assert VerdictOptions(test="monte-carlo").test == "mc"
