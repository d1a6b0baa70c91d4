"""What is trimmed off sentences, and what must stay."""

import pytest

from pyramidion.summarizers import summarize

SAFE = ("ages", "adverbials", "relatives", "gerunds")
ALL_KINDS = (*SAFE, "attributions")

#: What goes, why, and what is left.
TRIMMED = [
    ("Ada Ode, 45, closed the harbor road on Monday.", "ages",
     "Ada Ode closed the harbor road on Monday."),
    ("The mayor praised Ada Ode, 45, and John Lee, 36, for their work.", "ages",
     "The mayor praised Ada Ode, and John Lee, for their work."),
    ("On Friday, the mayor of Ardel closed the harbor road.", "adverbials",
     "The mayor of Ardel closed the harbor road."),
    ("Unfortunately, the mayor of Ardel closed the harbor road.", "adverbials",
     "The mayor of Ardel closed the harbor road."),
    ("Ada Ode, who was born in Lisle, closed the harbor road.", "relatives",
     "Ada Ode closed the harbor road."),
    ("The mayor closed the harbor road, which had been flooded.", "relatives",
     "The mayor closed the harbor road."),
    ("The storm destroyed a bridge in Ardel, killing four people.", "gerunds",
     "The storm destroyed a bridge in Ardel."),
    ("The death of Ada Ode, 45, on Monday closed the harbor road.", "ages",
     "The death of Ada Ode on Monday closed the harbor road."),
    ("Ode, 45, closed the harbor road on Monday.", "ages",
     "Ode closed the harbor road on Monday."),
]  # fmt: skip

#: A condition, a hedge, a restriction, a claim, a part of a quotation, or no sentence without it.
KEPT = [
    "If it rains on Friday, the mayor will close the harbor road.",
    "Reportedly, the mayor of Ardel closed the harbor road.",
    "According to Ada Ode, the mayor closed the harbor road.",
    "The road that had been flooded was closed by the mayor.",
    "The mayor will close the harbor road, barring a sudden change.",
    'Ada Ode said, "The mayor, who was ill, closed the harbor road."',
    "The mayor closed the harbor road in Ardel, police said.",
    "Without a permit, nobody may use the harbor road in Ardel.",
    "In 2003, the mayor of Ardel was a member of the guard.",
    "The mayor, Ada Ode, who was ill, closed the harbor road.",
]


def of(text, kinds=SAFE):
    """Summarize a text without a limit, with these parts trimmed."""
    return summarize(text, words=999, method="first", trim=kinds)


@pytest.mark.parametrize(("text", "kind", "left"), TRIMMED)
def test_what_can_go_goes_and_is_reported(text, kind, left):
    before = "Rain fell on the harbor all day."
    extract = of(f"{before} {text}")
    assert [sentence.text for sentence in extract.sentences] == [before, left]
    assert {change.reason for change in extract.sentences[1].replacements} == {kind}
    others = [other for other in SAFE if other != kind]
    assert of(f"{before} {text}", others).text == f"{before}\n{text}"


@pytest.mark.parametrize("text", KEPT)
def test_what_a_statement_depends_on_stays(text):
    assert of(text).text == text


def test_attributions_go_only_where_they_are_asked_for_and_it_is_reported():
    extract = summarize(KEPT[6], trim=("attributions",))
    assert extract.text == "The mayor closed the harbor road in Ardel."
    assert "attributions are trimmed, so claims may read as facts" in extract.notes
    assert "parts trimmed: 1, in 1 of 1 sentences" in extract.notes
    assert (
        of("The mayor left Ardel on Monday, Radio Lisle reported.", ALL_KINDS).sentences[0].before
    )


@pytest.mark.parametrize("marks", ['""', "“”", "‘’", "«»"])
def test_a_quotation_keeps_its_speaker(marks):
    text = f"{marks[0]}The harbor road is open and it will stay open{marks[1]}, the mayor said."
    assert of(text, ALL_KINDS).text == text


def test_a_summary_has_both_wordings_and_what_went():
    [own] = summarize([TRIMMED[4][0]], trim=("relatives",)).sentences
    assert (own.text, own.before) == (TRIMMED[4][2], TRIMMED[4][0])
    assert own.rewritten
    assert [(one.kind, one.before) for one in own.replacements] == [
        ("trim", ", who was born in Lisle,")
    ]


def test_other_languages_are_left_as_they_are_and_it_is_reported():
    text = "Ada Ode, 45, hat die Straße am Montag gesperrt."
    extract = summarize(text, trim=SAFE, language="de")
    assert extract.text == text
    assert "sentences are not trimmed: trimming supports English only" in extract.notes
