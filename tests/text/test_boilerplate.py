"""What agencies print around a story."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pyramidion.text.sentences import strip_boilerplate

DATELINES = [
    "PORT LISLE, April 12 (HNS) - ",
    "Port Lisle, April 12 (HNS) - ",
    "ST. LOUIS (Reuters) -- ",
    "ST. LOUIS (Reuters) --\n",
    "WASHINGTON _ ",
    "ELM GROVE _ ",
    "NEW YORK /Meridian/ - ",
    "DALLAS, May 3 /Newswire/ -- ",
    "FRESNO, Calif. -- ",
    "WASHINGTON, D.C. - ",
    "KABUL, Afghanistan - ",
    "LONDON - ",
    "LONDON — ",
    "ATLANTA, Jan. 5 -- ",
    "LISBON, 12 April (Harbor News Service) - ",
    "McLEAN, Va. (AP) — ",
    "FT. WAYNE, Ind. (AP) - ",
    "WASHINGTON/LONDON (Reuters) - ",
    "RIO DE JANEIRO, Brazil (AP) _ ",
    "SÃO PAULO, Brazil, Sept. 9, 2004 (Meridian) – ",
    "(CNN) -- ",
    "(CNN) ",
    "TAMSIN (Northgate Dispatch), March 25 -- ",
    "CRAY HAVEN -- ",
    "By INES FALK\n\nCRAY HAVEN -- ",
    "LISBON (HNS) - MADRID (HNS) - ",
    "Berlin (dpa) - ",
    "Frankfurt/Main (dpa/lhe) – ",
    "Madrid, 12 abr (EFE).- ",
    "القاهرة (رويترز) - ",
    "القاهرة - أ ف ب - ",
    "新华社北京4月12日电 ",
    "【新华社北京4月12日电】",
]
LINES = [
    "By INES FALK",
    "By Ines Falk",
    "By INES FALK and OMAR REYES",
    "By Ines Falk, Omar Reyes and Lu Wen\nMeridian Staff Writers",
    "By J. P. ODUYA\nAssociated Press Writer",
    "(MORE)",
    "MORE",
    "-- end --",
    "--more--",
    "ENDS",
    "###",
    "-30-",
    "nn",
    "(STORY CAN END HERE. OPTIONAL MATERIAL FOLLOWS.)",
    "(BEGIN OPTIONAL TRIM)",
    "(Eds: Updates with quotation\nin the third paragraph.)",
    "[Editor's note: names were changed.]",
    "Eds: A photo is available.",
    "(Recasts, adds details)",
    "(Reporting by Ines Falk; Editing by Omar Reyes)",
    "Contact: Ines Falk, 555-0100",
    "For more information, contact the press office.",
    "Ines Falk can be reached at falk@example.org.",
    "E-mail: falk@example.org",
    "On the Net: http://www.example.org",
    "Copyright 2004 Meridian. All rights reserved.",
]
ONLY_ALIKE = [
    "NATO - The alliance met.",
    "IBM -- The company grew.",
    "NATO -- The alliance met.",
    "CRAY HAVEN - The town slept.",
    "IBM, Intel -- The rivals met.",
    "NASA (the space agency) -- The launch failed.",
    "ACME (NYSE) - The firm grew.",
    "NEW YORK is cold - very cold.",
    "BREAKING NEWS - Rain fell.",
    "VITAMIN C - The facts.",
    "PARIS -- which never sleeps -- slept.",
    "WASHINGTON - the general, not the city - won.",
    "The U.S. (AP) - said so.",
    "The city - The capital - fell.",
    "By Monday Evening\nthe storm had passed.",
    "By INES FALK's account, it rained.",
    "By the Numbers",
    "By John Smith.",
    "MORE people came.",
    "It ends. The war ENDS",
    "He asked for more.",
    "## A heading",
    "Editors were told. (Editors often are.)",
    "Contact with the ship was lost.",
    "Copyright is a right.",
    "The call can be reached at last.",
    "He can (more or less) swim.",
]


@pytest.mark.parametrize("dateline", DATELINES)
@pytest.mark.parametrize("rest", ["Rain fell.", '"It rains," he said.', "12 people left."])
def test_datelines_go(dateline, rest):
    assert strip_boilerplate(dateline + rest).lstrip() == rest


def test_capitals_before_a_dash_are_a_place_only_where_a_story_begins():
    text = "Rain fell.\n\nCRAY HAVEN -- Snow fell."
    assert strip_boilerplate(text) == text
    assert strip_boilerplate(text.replace("\n\n", "\n###\n")) == "Rain fell.\n\nSnow fell."


def test_datelines_go_at_each_story_of_a_text():
    text = "LISBON (HNS) - Rain fell.\n\nMADRID (HNS) - Snow fell. LISBON (HNS) - stayed."
    assert strip_boilerplate(text) == "Rain fell.\n\nSnow fell. LISBON (HNS) - stayed."


@pytest.mark.parametrize("line", LINES)
def test_lines_go_and_paragraphs_stay_apart(line):
    assert strip_boilerplate(f"{line}\n\nRain fell.\n").strip() == "Rain fell."
    assert strip_boilerplate(f"Rain fell.\n{line}").strip() == "Rain fell."
    lines = strip_boilerplate(f"Rain fell\n{line}\nSnow fell").split("\n")
    assert [lines[0], set(lines[1:-1]), lines[-1]] == ["Rain fell", {""}, "Snow fell"]


@pytest.mark.parametrize(
    "cue", ["(MORE)", "(END)", "ENDS", "###", "-- end --", "-30-", "(Eds: photo.)", "[EDS: photo.]"]
)
def test_cues_go_after_the_last_sentence(cue):
    assert strip_boilerplate(f"Rain fell. {cue}") == "Rain fell."


def test_notes_go_inside_a_sentence():
    assert strip_boilerplate("Rain (Eds: correct) fell.") == "Rain fell."


@pytest.mark.parametrize("text", ONLY_ALIKE)
def test_what_is_only_alike_stays(text):
    assert strip_boilerplate(text) == text
    assert strip_boilerplate(f"Rain fell.\n\n{text}\n") == f"Rain fell.\n\n{text}\n"


@given(
    st.lists(st.sampled_from([*DATELINES, *LINES, *ONLY_ALIKE, "\n", " ", "(", "Eds:"])).map(
        "".join
    )
    | st.text()
)
def test_nothing_is_added(text):
    stripped = strip_boilerplate(text)
    assert len(stripped) <= len(text)
    remaining = iter(text)
    assert all(character in remaining for character in stripped if not character.isspace())


@pytest.mark.parametrize(
    "piece", ["LONDON (AP) - ", "(Eds: ", "(", "A ", "By A B, ", "\n", " ", "Aa"]
)
def test_long_odd_lines_take_proportionate_time(piece):
    # Anything worse than linear would take minutes or hours here.
    text = piece * (300_000 // len(piece))
    assert len(strip_boilerplate(text)) <= len(text)


@pytest.mark.parametrize(
    "stamp", ["April 28, 2031 ", "Tuesday, May 5, 2031 ", "PORT LISLE, June 6, 2031 "]
)
def test_dates_of_publication_before_a_story_are_removed(stamp):
    story = "Mayor Ada Ode announced that the harbor road will be closed until the autumn."
    assert strip_boilerplate(stamp + story) == story
    for text in (f"{stamp}was a day of rain on which the harbor road was closed.", f"{stamp}Rain."):
        assert strip_boilerplate(text) == text
