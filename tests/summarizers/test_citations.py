"""What articles say about a summary: pages, footnotes, counts, other numbers, other opinions."""

import re

import pytest

from pyramidion.cli import runtime
from pyramidion.collection import Collection, Document, Topic
from pyramidion.errors import InputError
from pyramidion.summarizers import summarize_collection
from pyramidion.support import conflicting_counts, polarity

QUAKES = (
    "A strong earthquake in Ardel killed four people and damaged the old harbor on Sunday night.",
    "The strong earthquake damaged the harbor of Ardel and killed six people on Sunday night.",
    "The museum of Ardel has bought a painting of the harbor for three million crowns.",
)
REVIEWS = (
    "The battery of this phone is great and lasts two days.",
    "I love the battery of this phone.",
    "The battery of this phone is terrible.",
    "It came in a red box on Monday.",
)


def summarized(texts, **options):
    documents = tuple(Document(f"d{k}", text) for k, text in enumerate(texts, start=1))
    collection = Collection("pile", topics=(Topic("T", documents=documents),))
    return summarize_collection(collection, method="lexrank", **options)


def evidence(texts, sentence, **options):
    """Return what the texts say about a sentence of the summary of all of them."""
    summary = summarized(texts, citations=True, words=100, **options)[0]
    sentences = summary.record()["sentences"]
    return next(s["evidence"] for s in sentences if s["text"] == sentence)


def long(texts):
    """Add sentences of no interest, so that texts are as long as articles."""
    filler = " ".join(f"Word{k} goes on." for k in range(25))
    return [f"{text} {filler.replace('Word', f'W{n}x')}" for n, text in enumerate(texts)]


def test_articles_that_report_a_sentence_and_their_numbers():
    quake = evidence(long(QUAKES), QUAKES[0], all_sentences=True)
    assert quake["articles"] == 3
    assert quake["reported"] == [{"document": f"d{k}", "index": 0} for k in (1, 2)]
    other = {"number": "four people", "other": "six people", "document": "d2", "index": 0}
    assert quake["disagree"] == [other]
    museum = evidence(long(QUAKES), QUAKES[2], all_sentences=True)
    assert (museum["reported"], museum["disagree"]) == ([{"document": "d3", "index": 0}], [])


def test_reviews_agree_or_say_the_opposite():
    battery = evidence(REVIEWS, REVIEWS[0], all_sentences=True)
    assert {place["document"] for place in battery["reported"]} == {"d1", "d2"}
    assert battery["opposite"] == [{"document": "d3", "index": 0}]
    assert "Reported by 2 of 3 articles." in summarized(QUAKES, words=40).to_markdown()


def test_a_page_links_each_sentence_to_its_source(tmp_path, capsys):
    for k, text in enumerate(long(QUAKES), start=1):
        (tmp_path / f"d{k}.txt").write_text(text.replace("old harbor", "<b>old</b> harbor"))
    page = tmp_path / "out.html"
    arguments = ["summarize", str(tmp_path), "--words", "40", "-o", str(page)]
    assert runtime.run(arguments) == 0
    assert "wrote" in capsys.readouterr().err
    text = page.read_text(encoding="utf-8")
    targets = re.findall(r'href="#(t\d+d\d+s\d+)"', text)
    assert targets
    assert all(f'id="{target}"' in text for target in targets)
    assert "reported by 2 of 3 articles" in text
    assert "Articles disagree: “" in text
    assert "<b>old" not in text


def test_markdown_has_footnotes_that_quote_the_articles():
    markdown = summarized(long(QUAKES), words=40).render("markdown")
    assert f"{QUAKES[2]}[^" in markdown
    quoted = f"d3, sentence 1: “{QUAKES[2]}”. Reported by 1 of 3 articles."
    assert re.search(rf"^\[\^\d\]: {re.escape(quoted)}$", markdown, re.M)


def test_summaries_without_articles_have_no_page(tmp_path):
    (tmp_path / "parts").mkdir()
    with pytest.raises(InputError, match="does not exist"):
        summarized(QUAKES).save("summaries", tmp_path / "no" / "page.html")


@pytest.mark.parametrize(
    ("text", "other", "expected"),
    [
        ("It killed five men.", "It killed three men.", [("five men", "three men")]),
        ("The quake killed five people.", "It injured three people.", []),
        ("The quake killed five people.", "It killed at least three people.", []),
        ("The quake killed five people.", "It killed 5 people.", []),
        ("The quake killed five people.", "It killed 500 people.", []),
        ("In 2004, a quake killed five people.", "A quake killed three people.", []),
        ("It killed five people in Ardel.", "It killed three people in Skov.", []),
        ("Police arrested two men.", "Two women and five men were arrested.", []),
        ("They destroyed two dozen houses.", "They destroyed 20 houses.", []),
        ("After five years, people died.", "After three years, people died.", []),
    ],
)  # fmt: skip
def test_counts_that_differ(text, other, expected):
    assert list(conflicting_counts(text, other)) == expected


@pytest.mark.parametrize(
    ("text", "sign"),
    [
        ("A great phone.", 1),
        ("Not a good phone.", -1),
        ("It isn't bad.", 1),
        ("It is a phone.", 0),
        ("Great screen, terrible battery.", 0),
    ],
)
def test_praise_and_complaint(text, sign):
    assert polarity(text) == sign


def test_lines_of_markdown_are_paragraphs():
    texts = (
        "- The battery of this phone is great and\nlasts two days.",
        "1. The camera of the phone came from Ardel.",
        "3.5 million people have bought the phone.",
    )
    lines = summarized(texts, all_sentences=True).to_markdown().splitlines()
    openings = ("\\- The battery", "1\\. The camera", "3.5 million")
    assert [any(line.startswith(text) for line in lines) for text in openings] == [True] * 3
    assert any(line.endswith("“- The battery of this phone is great and lasts two days.”. "
                             "Reported by 1 of 3 articles.") for line in lines)  # fmt: skip


def test_pages_and_json_have_the_same_evidence():
    texts = long(QUAKES)
    cited = summarized(texts, citations=True, tokenizer="unicode")
    plain = summarized(texts, tokenizer="unicode")
    assert [s[2] for _, s in plain.sourced()] == [summary.evidence for summary in cited]
