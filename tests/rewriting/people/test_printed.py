"""Rules 1 and 2 of section 5.1.3 of Nenkova's thesis, to the letter."""

import pytest

from pyramidion.errors import InputError
from pyramidion.rewriting import RewriteOptions, SummaryRewriter
from pyramidion.summarizers import Source

# Names and descriptions are those of Figures 5.1 and 5.10; the sentences are our own.
ARTICLES = [
    "Republican candidate Suzanne Haik Terrell is level with Democratic Sen. Mary Landrieu in a "
    "new survey. Terrell had most white votes against Landrieu, while Landrieu had most black "
    "votes against Terrell.",
    "The survey sees no gap between Democratic Sen. Mary Landrieu and her Republican challenger, "
    "Suzanne Haik Terrell, this week.",
    "President Bush praised tax cuts. President Bush then spoke on behalf of Republican candidate "
    "Suzanne Haik Terrell in her contest against freshman Democratic Sen. Mary Landrieu.",
]
SUMMARY = [
    "Terrell had most white votes against Landrieu, while Landrieu had most black votes against "
    "Terrell.",
    "The survey sees no gap between Democratic Sen. Mary Landrieu and her Republican challenger, "
    "Suzanne Haik Terrell, this week.",
    "President Bush praised tax cuts.",
    "President Bush then spoke on behalf of Republican candidate Suzanne Haik Terrell in her "
    "contest against freshman Democratic Sen. Mary Landrieu.",
]
FIGURE = [
    ("Terrell", "Republican candidate Suzanne Haik Terrell"),
    ("Landrieu", "Democratic Sen. Mary Landrieu"),
    ("Democratic Sen. Mary Landrieu", "Landrieu"),
    ("Suzanne Haik Terrell", "Terrell"),
    ("Republican candidate Suzanne Haik Terrell", "Terrell"),
    ("freshman Democratic Sen. Mary Landrieu", "Landrieu"),
]


def rewritten(articles, summary, kind="people-as-printed", pipeline="light", **options):
    rewriter = SummaryRewriter(
        Source.of_texts(articles), RewriteOptions((kind,), pipeline=pipeline, **options)
    )
    return rewriter.rewrite(summary).sentences


def changes(sentences):
    return [(new.before, new.after) for sentence in sentences for new in sentence.replacements]


@pytest.mark.parametrize("pipeline", ["light", ""])
def test_all_changes_of_the_thesis_example_are_made(pipeline):
    sentences = rewritten(ARTICLES, SUMMARY, pipeline=pipeline)
    found = changes(sentences)
    assert [change for change in found if "Bush" not in change[1]] == FIGURE
    # Figure 5.10 also shortens the second mention of the president, whose first stays.
    assert [change for change in found if "Bush" in change[1]] == [("President Bush", "Bush")]
    assert sentences[1].text == (
        "The survey sees no gap between Landrieu and her Republican challenger, Terrell, this week."
    )
