"""What cannot stand alone in a summary, and what it may follow."""

import numpy as np
import pytest

from pyramidion.collection import Document
from pyramidion.summarizers import (
    CandidateRules,
    Limit,
    Source,
    all_summarizers,
    parse_summarizer,
    summarize,
)
from summarizers.inputs import preset

LEANING = {
    "person": [
        "He left the town on Monday.",
        "Their house burned down.",
        "In 2007 they were sent home.",
        "On Friday, she resigned as mayor.",
        "After resigning in 2003, he moved away.",
        '"We lost it all," he said.',
        '"She was a great swimmer," said Ada Ode.',
        "The fire was out by noon, she said.",
        "As he stood in the doorway, a door was closed.",
        "When they came to the road, Ada Ode nodded.",
        "In his cabin he lay awake, thinking of rain.",
        "Without hesitation she closed the road.",
        "Amazed, he looked at the flooded road.",
        "If confirmed by the council, she will be mayor.",
        "Did they know that the road was closed.",
        "Ada Ode: Well, he closed the road.",
        "Somehow he closed the road.",
        "The last thing she saw was the road.",
        "As a child, he closed the road.",
        "In New York on Monday he closed the road.",
        "Not until he came was the road closed.",
        "The last trace of rain was gone from his road.",
        "Police arrived and closed the road for him.",
        "Officials said she had closed the road.",
        'The engineer "is glad that the road is closed," she wrote.',
    ],
    "it": [
        "After only two weeks it broke.",
        "Whether it will help is unknown.",
        "Inside, though, it was dry.",
        "It closed the road.",
        "It is expected to open soon.",
        "Its owner has left.",
        "It is unclear whether the road will open.",
        "On Earth it closed the road.",
    ],
    "points": [
        "Project Manager: Um, that is a statement.",
        "Sadly that is not the case.",
        "This works better than a road.",
        "This was the end of the road.",
        "These people had left the town.",
        "This week the road was closed.",
    ],
    "connective": [
        "But the road was closed.",
        "Finally we had to close the road.",
        "However, the road was closed.",
        "As a result, the road was closed.",
        "Another man was hurt in the town.",
        "Two others were hurt in the town.",
        "After that, the road was closed.",
        "Both were taken to a hospital.",
        "Each was fined by the mayor.",
        "Half an hour later he closed the road.",
        "Three days later the road was closed.",
        "Police also closed the road.",
        "So far nobody was hurt.",
        "Still the road was closed.",
        "In it, the mayor blames the rain.",
    ],
}
STANDING = [
    "Police found Ada Ode and closed the road for her.",
    "Officials said the woman had closed her road.",
    "Police closed the road and their station.",
    "On May 3, it was reported that rain had fallen.",
    "Those who left the town came back.",
    "When Ada Ode arrived, she closed the road.",
    "When Ada Ode arrived, he closed the road.",
    "In her speech, Ada Ode closed the road.",
    "In their report, engineers closed the road.",
    "After he had closed the road, Ode left.",
    "Five days after she had closed the road, Ada Ode left.",
    "In an interview Ode said that he had left.",
    "As the storm passed, it closed the road.",
    "Seeing that the road was closed, Ada Ode left.",
    "No man was hurt in Ardel.",
    "This work is about rain.",
    "The engineer said he had closed the road.",
    "The mayor's lawyer denied that his client had left.",
    "Ardel hopes it will open the road.",
    "In Ardel and its hills rain fell.",
    "Both Ardel and Lisle were flooded.",
    "In addition to rain, snow fell on Ardel.",
    '"We lost it all," said Ada Ode.',
    "There were no deaths in Ardel.",
    "In this paper we look at rain.",
    "Her Majesty opened the road.",
    "Former mayor Ada Ode opened the road.",
    "The former mayor of Ardel opened the road.",
]


def standing(*texts):
    """Return where the last of some sentences of one document may appear."""
    rules = CandidateRules(headlines=True, quotations=True)
    places, candidates = np.arange(len(texts)), np.ones(len(texts), dtype=np.bool_)
    return rules.readability(texts, places, candidates).standing(len(texts) - 1)


@pytest.mark.parametrize(("why", "text"), [(why, t) for why in LEANING for t in LEANING[why]])
def test_what_only_the_sentence_before_explains_leans(why, text):
    assert standing("Ada Ode spoke to him and her on Monday.", text) == "leaning"
    nobody = "not" if why == "person" else "leaning"
    assert standing("rain fell on fields all day.", text) == nobody


@pytest.mark.parametrize("text", STANDING)
def test_what_explains_itself_stands(text):
    assert standing("Ada Ode spoke to him and her on Monday.", text) == "alone"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("Another day brought another storm.", ""),
        ("This week the road was closed.", ""),
        ("It is hard to say who will win.", ""),
        ("He came back on Monday.", "person"),
        ("But the road was closed.", "connective"),
        ("But Ode closed the road.", ""),
        ("This morning Ada Ode died.", ""),
        ("It was announced on Friday that the road is closed.", ""),
        ("However, the road was closed.", ""),
        ("Her death was announced in Ardel.", "person"),
    ],
)
def test_what_an_article_may_open_with(text, why):
    assert standing(text) == ("not" if why else "alone")
    headed = Source.of_texts([f"Rain in Ardel\n\nApril 12, 2031\n\n{text} Rain fell on Lisle."])
    assert headed.readability.place(2) == 0
    assert headed.readability.standing(2) == ("not" if why else "alone")


def test_a_sentence_may_end_with_a_name_that_a_dot_ends():
    text = "Mayor Ada Ode of Ardel met Henry Lee Jr."
    assert Source.of_texts([f"Heavy rain fell on Ardel all day.\n\n{text}"]).usable.all()


def standings(*texts, **options):
    observed = Source.of_texts([" ".join(texts)], **options).readability
    return [observed.standing(number) for number in range(len(texts))]


def test_a_chain_is_as_good_as_its_beginning():
    chain = ("But he knew that it would rain.", "So he went home early that day.")
    good = "Ada Ode met John Lee in the rain."
    assert standings(good, *chain) == ["alone", "leaning", "leaning"]
    assert standings("Heavy rain fell all day.", *chain) == ["alone", "leaning", "leaning"]
    assert standings("What did they know of rain?", *chain)[1:] == ["not", "not"]
    nobody = "Heavy rain fell on the road."
    assert standings(nobody, "He knew that it would rain.") == ["alone", "not"]


def test_what_stands_within_a_quotation_of_several_sentences_is_left_out():
    texts = (
        'Ada Ode said, "Rain fell all day.',
        "The road was closed at noon.",
        'Nobody could leave the town."',
        "The road was opened on Monday.",
    )
    assert standings(*texts) == ["not", "not", "not", "alone"]
    free = standings(*texts, rules=CandidateRules(quotations=True))
    assert free == ["alone"] * 4


@pytest.mark.parametrize(
    "line",
    [
        "Updated: November 11, 2031 20:09 IST",
        "May 2, 2031 1:35 pm.",
        "Navy foils attack off the coast",
        "Mayor Ada Ode Checks Out Of Ardel Hospital...",
        "Photo: the harbor road in Ardel.",
        "Advertisement: goats of the hills.",
        "Some of the demands are these:",
        "because nobody had told the mayor.",
        "Click here for more about the rain.",
        "Convicted Mayor of Ardel John Henry Ode Jr.",
        "The road in Ardel in 2031 Image: Ada Ode.",
        "Ada Ode: Uh, John Lee: Mm-hmm, yeah.",
        "A banner for the goat market.",
        "06/06/31 07:05 PM Heavy rain fell on the town.",
        "10:10 AM PDT 6/6/2031 Heavy rain fell on the town.",
        "JUNE 6, 2031 11: 34PM Heavy rain fell on the town.",
        "6.5 Rain in the Hills of Ardel.",
        "We use cookies to improve your visit.",
        "Sign in to read this article today.",
        "The stories planned for Monday are below.",
        "{{Rain}} is a template of the page.",
        "Write to the mayor at ode@example.org.",
        "The following is the second part of a series on the rain in Ardel.",
        "3. In the flood of June there were two goats of the mayor, and six others",
    ],
)
def test_lines_that_are_not_sentences_are_left_out(line):
    source = Source.of_texts([f"Heavy rain fell on Ardel all day.\n\n{line}\n\nRoads were closed."])
    number = source.texts.index(line)
    assert not source.usable[number]
    plain = Source.of_texts([line], rules=CandidateRules.nothing_left_out())
    assert plain.usable.all()


@pytest.mark.parametrize(
    ("line", "is_out"),
    [
        ("Audio is read by an automated voice.", True),
        ("Tell us where you live.", True),
        ("Delivered by a network of reporters.", True),
        ("Thank you, your answer has been recorded.", True),
        ("Goats were seen on a hill.", False),
        ("The roads are still closed.", False),
        ("Repairs will cost a few crowns.", False),
        ("No one immediately claimed responsibility.", False),
        ('"You must leave," said a firefighter.', False),
    ],
)
def test_what_a_page_says_about_itself_shares_no_words_with_its_report(line, is_out):
    report = "Heavy rain flooded Ardel all day. The roads were closed. Goats of Ardel had drowned."
    report += " The mayor said that the roads were muddy. Goats had been sold. Ardel was flooded."
    source = Source.of_texts([f"{report}\n\n{line}"])
    assert bool(source.usable[-1]) is not is_out
    assert source.may_join(len(source) - 1, ()) is not is_out
    advice = "Heavy rain floods Ardel. You close the roads. The goats drown. The roads are muddy."
    for other in (advice, report.partition(" Goats")[0]):
        assert Source.of_texts([f"{other}\n\n{line}"]).usable[-1]


REPORT = (
    "Heavy rain flooded Ardel on Monday, the mayor said.\n\nThe roads of Ardel were closed. Goats "
    "of Ardel had drowned, farmers said.\n\nThe mayor said that the flooded roads were muddy."
)


@pytest.mark.parametrize(
    ("page", "notice"),
    [
        (
            "{report}\n\nEnjoying these pictures? The archive holds a thousand others.",
            "The archive",
        ),
        (
            "Ada Ode and Bob Lee\n\n{report}\n\nAda Ode won a prize in 2027.\n\nComments (3)",
            "Ada Ode won",
        ),
        ("{report}\n\nComments (3)\n\nNobody listened to Bob.\n\nReply Like", "Nobody"),
        ("Menu Shop\n\nCoffee was cheaper once.\n\nFlood in Ardel\n\n{report}", "Coffee"),
        ("{report}\n\nPublished by Harbor Press.", "Published"),
    ],
)
def test_what_surrounds_a_paragraph_shows_that_it_is_no_part_of_the_report(page, notice):
    source = Source.of_texts([page.format(report=REPORT)])
    usable = [
        text for text, is_usable in zip(source.texts, source.usable, strict=True) if is_usable
    ]
    assert not any(text.startswith(notice) for text in usable)
    assert len([text for text in usable if "Ardel" in text or "roads" in text]) == 4


def test_what_other_documents_report_in_the_present_tense_is_no_aside():
    line = "A man climbs a crane near the harbor bank."
    texts = [f"{REPORT}\n\n{line}", f"{REPORT}\n\nNear the harbor bank a man climbs a red crane."]
    source = Source.of_texts(texts)
    assert source.usable[source.texts.index(line)]
    assert not Source.of_texts(texts[:1]).usable[-1]


def test_a_sentence_that_leans_on_an_aside_is_left_out_with_it():
    page = (
        f"{REPORT}\n\nBecome a friend of our paper. But it was said that the mayor flooded roads."
    )
    source = Source.of_texts([page])
    assert source.leaning[-1] or not source.readability.leaning[-1]
    assert not source.usable[-1]


def test_a_long_sentence_above_an_article_that_no_mark_ends_is_kept():
    line = "Just six weeks before the mayor takes office, the council of Ardel issued revised rules"
    line += " on Thursday to reduce the number of goats in the town and to block the road of the"
    line += " harbor in the autumn"
    below = "Heavy rain fell on Ardel all day. Roads were closed. Goats were sold."
    assert Source.of_texts([f"{line}\n\n{below}"]).usable[0]


def test_a_long_line_above_an_article_that_no_mark_ends_is_left_out():
    line = "Video of the flood of Ardel is played at the trial of two men who left the gates open"
    below = "Heavy rain fell on Ardel all day. Roads were closed. Goats were sold."
    assert not Source.of_texts([f"{line}\n\n{below}"]).usable[0]
    assert Source.of_texts([f"{below}\n\n{line}"]).usable[-1]


def test_where_no_mark_ends_sentences_marks_say_nothing():
    source = Source.of_texts(
        ["rain fell on the road\n\nsnow fell on the road\n\nRoads were closed."]
    )
    assert source.usable[:2].all()


TEXTS = [
    "Ada Ode closed the flooded harbor road in Ardel on Monday. She said that the flooded harbor "
    "road in Ardel was a danger. But the harbor road in Ardel was opened again.",
    "He opened the flooded harbor road in Ardel. It was the flooded harbor road of Ardel.",
    "Goats of the hills were sold in Lisle. They were cheap goats of the hills in Lisle.",
]
NAMES = [name for kind in all_summarizers() for name in kind.names() if name != "llm"]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("words", [12, 30, 60])
def test_no_method_takes_what_leans_without_what_it_leans_on(name, words):
    source = Source.of_texts(TEXTS, references=["The harbor road in Ardel was opened again."])
    extract = parse_summarizer(name).summarize(source, Limit(words))
    places = [(sentence.document, sentence.index) for sentence in extract.sentences]
    for own, before in zip(places, [None, *places], strict=False):
        if own in {("1", 1), ("1", 2), ("3", 1)}:
            assert before == (own[0], own[1] - 1)
        assert own[0] != "2"


def test_a_leaning_sentence_comes_with_its_own_where_that_covers_more():
    """Both sentences of the first text cover what no other does."""
    texts = [
        "Snow fell on Ardel. It closed the harbor road and the old bridge of Ardel.",
        "Snow fell on Ardel. It closed the harbor road and the old bridge of Ardel today.",
        "The snow that fell stopped the goat market.",
    ]
    extract = summarize(texts, words=20, rules=CandidateRules(3))
    assert [sentence.index for sentence in extract.sentences][:2] == [0, 1]


def test_nothing_but_leaning_sentences_are_taken_and_it_is_reported():
    extract = summarize("She went home on Monday. They were happy about it then.", words=20)
    assert len(extract.sentences) == 2
    assert "no sentence can stand alone, so such sentences are used" in extract.notes


def test_sentences_that_say_nearly_the_same_come_once():
    texts = [
        "Heavy rain flooded the harbor road in Ardel on Monday.",
        "Heavy rain flooded the harbor road in Ardel late on Monday.",
    ]
    for name in ("first", "sum-avr(context=off)", "coverage"):
        assert len(summarize(texts, method=name).sentences) == 1
        both = summarize(texts, method=name, rules=CandidateRules(repeats=True)).sentences
        assert len(both) == 2 or name == "coverage"


def test_what_was_passed_over_is_reported():
    source = Source.of_texts(TEXTS)
    assert source.passed_over == (
        "2 sentences that cannot stand alone",
        "3 sentences unless the previous one is included with them",
    )
    assert np.array_equal(source.usable, source.candidates & ~source.readability.unfit)
    free = Source.of_texts(TEXTS, rules=CandidateRules(dangling=True))
    assert free.passed_over == ()


def test_a_number_that_goes_on_from_the_line_before_begins_no_sentence():
    """*Magnitude 4.* and *5 people*: the line just before it, not an earlier one."""
    cut, rain = "The quake had a magnitude of 4.", "Heavy rain fell on Ardel all day."
    line = "5 people on Monday closed the road of Ardel."
    assert not Source.of_texts([f"{rain}\n\n{cut}\n\n{line}"]).usable[2]
    assert Source.of_texts([f"{cut}\n\n{rain}\n\n{line}"]).usable[2]


def test_a_sentence_of_several_articles_needs_other_words_for_it():
    notice = "Goats may enter the pages at the risk of owners."
    wire = "Heavy rain flooded the harbor road in Ardel on Monday."
    texts = [
        f"{wire} {notice} The mayor left the town.",
        f"{wire} {notice} Schools stayed open all week.",
        f"The harbor road in Ardel was flooded by rain. {notice} Nobody was hurt by the mud.",
    ]
    source = Source.of_texts(texts)
    usable = {
        text for text, is_usable in zip(source.texts, source.usable, strict=True) if is_usable
    }
    assert wire in usable
    assert notice not in usable
    # What is repeated counts once, and copies of an article are no notices.
    assert source.counts[source.words.index("harbor")] == 2
    assert Source.of_texts([f"{wire} It was late."] * 2).usable[0]


def test_a_summary_opens_like_an_article():
    old = "Rain fell in the hills. The company closed the road. Ode said so. Goats ran. Hay burned."
    new = "Ada Ode died in Ardel on Monday. The road was closed. Goats left. Mud came. Snow fell."
    articles = [Document("1", old, date="2031-04-11"), Document("2", new, date="2031-04-12")]
    source = Source.of_documents(articles, rules=CandidateRules(2))
    assert preset((1, 5)).summarize(source).text.startswith("Ada Ode died")
    assert preset((1, 2, 8)).summarize(source).text.startswith("Mud came")
    assert preset((0, 5)).summarize(source).text.startswith("Rain fell")
    free = Source.of_documents(articles, rules=CandidateRules.nothing_left_out())
    assert preset((1, 2, 8)).summarize(free).text.startswith("The company")
    # One first sentence is included even if others cover more.
    late = " Goats of the hills were sold in Lisle."
    several = Source.of_texts([f"{'Rain fell. ' * k}{new}{late}" for k in (0, 1)])
    extract = parse_summarizer("auto").summarize(several, Limit(16))
    assert extract.sentences[0].index <= 1
