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


@pytest.mark.parametrize(
    ("articles", "sentence", "text"),
    [
        # 1 (a) i: the longest premodifier of any article, unless the article's own first mention
        # has one.
        (
            ["Ann Orr won in Monroe. Orr was glad.", "Former state senator Ann Orr won."],
            "Orr was glad.",
            "Former state senator Ann Orr was glad.",
        ),
        (
            ["Sen. Ann Orr won in Monroe. Orr was glad.", "Former state senator Ann Orr won."],
            "Orr was glad.",
            "Sen. Ann Orr was glad.",
        ),
        # 1 (a) ii: without premodifiers, the longest apposition of a first mention.
        (
            ["Ann Orr, a teacher, won. Orr was glad.", "Ann Orr, a teacher from Monroe, won."],
            "Orr was glad.",
            "Ann Orr, a teacher from Monroe, was glad.",
        ),
        # Other postmodifiers are blockers; only the name is completed.
        (
            ["Sen. Ann Orr won in Monroe. Orr, who is a lawyer, was glad."],
            "Orr, who is a lawyer, was glad.",
            "Ann Orr, who is a lawyer, was glad.",
        ),
        # 1 (b): not the head of the phrase, as in the thesis's *Mendeleev's periodic table*.
        (["Sen. Ann Orr won. Orr's plan failed."], "Orr's plan failed.", "Orr's plan failed."),
        # A first mention by full name stays.
        (["Sen. Ann Orr won. Ann Orr left."], "Ann Orr left.", "Ann Orr left."),
    ],
)
def test_first_mentions(articles, sentence, text):
    assert rewritten(articles, [sentence])[0].text == text


@pytest.mark.parametrize(
    ("sentence", "text"),
    [
        ("Former Sen. Ann Orr, a teacher from Monroe, won.", "Orr won."),
        ("Voters met the teacher Ann Orr.", "Voters met Orr."),
        ("When he beat Ann Orr, a teacher, the crowd left.", "When he beat Orr, the crowd left."),
        ("Ann Orr, who teaches, won.", "Orr, who teaches, won."),
        ("Sen. Ann Orr's plan failed.", "Orr's plan failed."),
        ("They gave Ann Orr, 28, an eight-year deal.", "They gave Orr an eight-year deal."),
        ("He met Ann Orr, and the teacher, Ed, left.", "He met Orr, and the teacher, Ed, left."),
        ("He beat Ann Orr, stopping the champion.", "He beat Orr, stopping the champion."),
        # Words that cannot be told from a longer title stay.
        ("Voters met lawyer and senator Ann Orr.", "Voters met lawyer and senator Orr."),
        ("Voters fear sitting Gov. Ann Orr.", "Voters fear sitting Gov. Orr."),
        ("Relatively unknown actor Ann Orr won.", "Relatively unknown actor Orr won."),
        (
            "Voters fear the state of emergency Texas Gov. Ann Orr declared.",
            "Voters fear the state of emergency Texas Gov. Orr declared.",
        ),
    ],
)
def test_later_mentions_are_last_names_without_premodifiers_and_appositions(sentence, text):
    articles = [f"Ann Orr spoke in Monroe. Orr left. {sentence}"]
    assert rewritten(articles, ["Ann Orr spoke in Monroe.", sentence])[1].text == text


def test_names_in_a_deleted_apposition_are_not_first_mentions():
    articles = [
        "Ann Orr spoke in Monroe. Ann Orr, a rival of Sen. Mary Vale, won. Vale left.",
        "Sen. Mary Vale left.",
    ]
    summary = ["Ann Orr spoke in Monroe.", "Ann Orr, a rival of Sen. Mary Vale, won.", "Vale left."]
    texts = [sentence.text for sentence in rewritten(articles, summary)]
    assert texts[1:] == ["Orr won.", "Sen. Mary Vale left."]


def test_two_people_with_one_last_name_are_left_alone():
    articles = ["Ann Orr won. Bob Orr lost.", "Orr was glad."]
    assert rewritten(articles, ["Orr was glad."])[0].text == "Orr was glad."


def test_people_makes_the_changes_of_the_example_that_are_certain():
    """Names in lists and names that explain a noun stay."""
    assert changes(rewritten(ARTICLES, SUMMARY, "people")) == [*FIGURE[:2], *FIGURE[4:]]


def test_only_one_way_of_rewriting_people_can_be_chosen():
    with pytest.raises(InputError, match="cannot be combined; give one of them"):
        RewriteOptions(("people", "people-as-printed"))


def test_a_last_name_that_two_people_share_stays():
    articles = [
        "Dr. Linnea Castellan won the vote on Sunday. Her father Jonas Castellan voted early.",
        "Dr. Linnea Castellan faces a hostile Assembly. Gov. Warrick Boyle lost. Boyle left.",
    ]
    summary = [
        "Dr. Linnea Castellan won the vote on Sunday.",
        "Her father Jonas Castellan voted early.",
        "Dr. Linnea Castellan faces a hostile Assembly.",
        "Gov. Warrick Boyle lost.",
    ]
    assert changes(rewritten(articles, summary)) == []
    alone = [text.replace("Jonas Castellan", "Jonas Orr") for text in articles]
    sentences = rewritten(alone, [summary[0], summary[2]])
    assert changes(sentences) == [("Dr. Linnea Castellan", "Castellan")]
