"""Guidelines: default texts, versions, and safe rendering of Markdown."""

import html
import io
import re
import zipfile
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pyramidion.collection.measures import QUALITY_QUESTIONS
from pyramidion.demo import load_demo
from pyramidion.studio._guidelines import default_text, rendered
from pyramidion.studio._scales import JudgedMeasure

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


@pytest.fixture
def home(studio):
    """The address of an evaluation of the demo, without its scores."""
    demo = load_demo()
    return f"/evaluations/{studio.evaluation(replace(demo, scores=demo.scores.rows(slice(0, 0))))}"


def guidelines(studio, home):
    """The exported guidelines by measure and version."""
    content = studio.export(home.rpartition("/")[2], "guidelines.zip")
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        names = [name.removesuffix(".md") for name in archive.namelist()]
        return {name: archive.read(f"{name}.md").decode() for name in names}


def revise(studio, home, text, seen):
    path = f"{home}/guidelines/readability"
    return studio.organizer.post(path, data={"text": text, "seen": str(seen)})


def test_an_evaluation_has_guidelines_for_all_its_work(studio, home):
    texts = guidelines(studio, home)
    assert set(texts) == {
        "responsiveness-1", "readability-1", "categories-1", "pyramid-1", "annotation-1"
    }  # fmt: skip
    assert "- **WHO_AFFECTED** casualties and others affected" in texts["categories-1"]


def test_editing_adds_a_version(studio, home):
    assert revise(studio, home, "Read it aloud.\r\n", 1).status_code == 303
    # The same text again is not a new version.
    assert revise(studio, home, "Read it aloud.", 2).status_code == 303
    late = revise(studio, home, "Mine.", 1)
    assert (
        late.status_code,
        "Somebody else has written version 2 in the meantime" in late.text,
    ) == (422, True)
    assert revise(studio, home, " \n", 2).status_code == 422
    assert revise(studio, home, "x" * 20_001, 2).status_code == 422
    texts = guidelines(studio, home)
    assert texts["readability-2"] == "Read it aloud.\n"
    assert "readability-3" not in texts


def test_another_scale_changes_only_default_texts(studio, home):
    assert revise(studio, home, "Mine.", 1).status_code == 303
    studio.organizer.post(
        f"{home}/settings", data={"scale-responsiveness": "1-10", "scale-readability": "1-10"}
    )
    texts = guidelines(studio, home)
    assert "**9-10** very good" in texts["responsiveness-2"]
    assert texts["readability-2"] == "Mine.\n"
    assert "readability-3" not in texts


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
    rendered_html = str(rendered(text))
    assert "<" not in TAGS.sub("", rendered_html)
    # Nothing that was written is lost.
    plain, marks = html.unescape(TAGS.sub("", rendered_html)), "#*`+-.)0123456789"
    written = [c for c in text if not c.isspace() and c not in marks]
    assert [c for c in plain if not c.isspace() and c not in marks] == written
