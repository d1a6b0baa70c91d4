"""Guidelines: what comes with the package, versions, and Markdown that is safe to show."""

import html
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pyramidion.collection.measures import QUALITY_QUESTIONS
from pyramidion.demo import load_demo
from pyramidion.errors import InputError
from pyramidion.studio._accounts import add_account
from pyramidion.studio._evaluations import JudgedMeasure, add_evaluation
from pyramidion.studio._guidelines import (
    add_defaults,
    default_text,
    guidelines_of,
    rendered,
    revise,
    versions_of,
)

TAGS = re.compile(r"</?(?:h[2-6]|p|ul|ol|li|strong|em|code)>|<ol start=\"\d+\">")


@pytest.mark.parametrize("name", ["responsiveness", "readability", *QUALITY_QUESTIONS])
def test_each_usual_measure_has_a_guideline_for_both_scales(name):
    five, ten = (default_text(JudgedMeasure(name, 1, high)) for high in (5, 10))
    assert "- **5** very good" in five
    assert "- **9-10** very good" in ten
    assert "- **1-2** very poor" in ten
    assert "{" not in five + ten
    assert rendered(five).startswith("<h2>")


def test_a_measure_of_ones_own_has_a_beginning():
    assert default_text(JudgedMeasure("my-measure", 0, 3)).startswith("# My measure\n\n- **0** the")


def test_an_evaluation_has_guidelines_for_all_its_work(studio):
    with studio.store.write() as session:
        found = guidelines_of(session, add_evaluation(session, load_demo()))
    assert set(found) == {"responsiveness", "readability", "categories", "pyramid", "annotation"}
    assert {one.version for one in found.values()} == {1}
    assert "- **WHO_AFFECTED** casualties and others affected" in found["categories"].text


def test_editing_makes_a_version_and_keeps_the_old_one(studio):
    with studio.store.write() as session:
        evaluation = add_evaluation(session, load_demo())
        olga = add_account(session, "Olga", "organizer")
        first = guidelines_of(session, evaluation)["readability"].text
        revise(session, evaluation, "readability", "Read it aloud.\r\n", by=olga, seen=1)
        # The same text again is no new version.
        revise(session, evaluation, "readability", "Read it aloud.", by=olga, seen=2)
        with pytest.raises(InputError, match="somebody wrote version 2 meanwhile"):
            revise(session, evaluation, "readability", "Mine.", by=olga, seen=1)
        versions = versions_of(session, evaluation, "readability")
    assert [(one.version, one.text) for one in versions] == [(2, "Read it aloud.\n"), (1, first)]


def test_another_scale_brings_its_text_unless_somebody_wrote_one(studio):
    with studio.store.write() as session:
        evaluation = add_evaluation(session, load_demo())
        olga = add_account(session, "Olga", "organizer")
        revise(session, evaluation, "readability", "Mine.", by=olga, seen=1)
        tens = [JudgedMeasure(name, 1, 10) for name in ("responsiveness", "readability")]
        add_defaults(session, evaluation, tens, load_demo())
        found = guidelines_of(session, evaluation)
    assert found["readability"].text == "Mine.\n"
    assert "**9-10** very good" in found["responsiveness"].text
    assert found["responsiveness"].version == 2


def test_markdown_becomes_html():
    text = "# Top\nOne\ntwo **bold**.\n\n- a\n  b\n- *c* `d*`\n1. e\n\n*not closed"
    assert re.sub(r"(>)\n|\n(<)", r"\1\2", str(rendered(text))).replace("\n", " ") == (
        "<h2>Top</h2><p>One two <strong>bold</strong>.</p>"
        "<ul><li>a b</li><li><em>c</em> <code>d*</code></li></ul><ol><li>e</li></ol>"
        "<p>*not closed</p>"
    )


@pytest.mark.parametrize(
    "text",
    ["[a](javascript:alert(1))", "![a](https://example.org/x.png)", "<b>a</b>", "<https://a.org>"],
)
def test_links_images_and_html_stay_text(text):
    assert rendered(text) == f"<p>{html.escape(text)}</p>\n"


# The studio removes NUL before it stores a guideline.
@given(st.text("#*`-1. <>&\"'a\n\r\u2028") | st.text(st.characters(exclude_characters="\0")))
def test_nothing_but_our_own_tags_comes_out(text):
    made = str(rendered(text))
    assert "<" not in TAGS.sub("", made)
    # Nothing that was written is lost.
    plain, marks = html.unescape(TAGS.sub("", made)), "#*`+-.)0123456789"
    kept = [c for c in text if not c.isspace() and c not in marks]
    assert [c for c in plain if not c.isspace() and c not in marks] == kept
