"""References to people rewritten: the thesis's example, guards, room, variation, bad input."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pyramidion.rewriting import Articles, PeopleRewriter
from pyramidion.summarizers import edited
from pyramidion.text import count_words
from pyramidion.text.parsing import load_parser
from rewriting.people.parsed import PARSERS, articles_of, sentences_of

both = pytest.mark.parametrize("parser", PARSERS)

# Sentences in the pattern of the thesis's Figure 5.1, about people who do not exist.
RACE = {
    "d1": [
        "Republican candidate Suzanne Marr Tilden met voters in Ardel on Monday.",
        "Tilden said she would cut taxes.",
    ],
    "d2": [
        "Democratic Sen. Mary Lockwood, who is seeking a second term, answered in Port Lisle.",
        "The Tilden campaign called the speech a sham.",
    ],
    "d3": [
        "Tilden had 56 percent of the island vote to 31 percent for Lockwood, while Lockwood had "
        "75 percent of the city vote to 10 percent for Tilden.",
        "A poll released this week shows the race between Democratic Sen. Mary Lockwood and her "
        "Republican challenger, Suzanne Marr Tilden, to be dead even.",
        "Voters go to the polls Saturday.",
    ],
    "d4": [
        "With the run-off election just four days away, Gov. Adela Prow led the campaign Tuesday "
        "for Republican candidate Suzanne Marr Tilden in what polls now suggest is a toss-up race "
        "against freshman Democratic Sen. Mary Lockwood."
    ],
}
SUMMARY = [("d3", 0), ("d3", 1), ("d3", 2), ("d4", 0)]


def rewritten(texts, places, parser="light", room=None, **options):
    articles = articles_of(texts, parser)
    rewriter = PeopleRewriter(articles, **options)
    return [
        sentence.text for sentence in rewriter.rewrite(sentences_of(articles, *places), room=room)
    ]


def balanced(text):
    return text.count('"') % 2 == 0 and text.count("(") == text.count(")")


def rewrite_one(texts, key, parser, **options):
    return rewritten(texts, [key], parser, **options)[0]


@both
def test_the_example_of_the_thesis(parser):
    """As Figure 5.10, but for lists, which neither give nor lose descriptions; see `test_printed`.

    Nothing has said what Tilden is when Prow speaks for her, so that description stays.
    """
    assert rewritten(RACE, SUMMARY, parser)[0] == (
        "Suzanne Marr Tilden had 56 percent of the island vote to 31 percent for Mary Lockwood, "
        "while Lockwood had 75 percent of the city vote to 10 percent for Tilden."
    )
    later = [RACE[d][i] for d, i in SUMMARY[1:]]
    later[-1] = later[-1].replace("freshman Democratic Sen. Mary Lockwood", "Lockwood")
    assert rewritten(RACE, SUMMARY, parser)[1:] == later


@both
def test_first_mentions_that_are_not_heads_stay(parser):
    assert rewrite_one(RACE, ("d2", 1), parser) == RACE["d2"][1]


@both
def test_every_change_has_a_reason_and_a_source(parser):
    articles = articles_of(RACE, parser)
    sentences = sentences_of(articles, *SUMMARY)
    for before, after in zip(sentences, PeopleRewriter(articles).rewrite(sentences), strict=True):
        assert edited(before.text, after.replacements) == after.text
        for change in after.replacements:
            assert change.kind == "person"
            assert change.before == before.text[change.start : change.end]
            assert change.reason.startswith("first mention") == (change.index is not None)
            if change.index is not None:
                (source,) = sentences_of(articles, (change.document, change.index))
                assert change.after.split()[-1] in source.text


@both
def test_room_goes_to_first_mentions_in_reading_order(parser):
    texts = {"d1": ["Sen. Mary Lockwood spoke.", "Actor Tom Tilden left.", "Tilden met Lockwood."]}
    keys = [("d1", 2)]
    assert rewritten(texts, keys, parser) == ["Actor Tom Tilden met Sen. Mary Lockwood."]
    assert rewritten(texts, keys, parser, room=3) == ["Actor Tom Tilden met Mary Lockwood."]
    assert rewritten(texts, keys, parser, room=1) == ["Tom Tilden met Lockwood."]
    assert rewritten(texts, keys, parser, room=0) == texts["d1"][2:]
    articles = articles_of(texts, parser)
    notes = PeopleRewriter(articles).summary(sentences_of(articles, *keys), room=0).notes
    assert notes == ("a first mention was not expanded: no room (4)",)


@both
def test_shortenings_make_room(parser):
    texts = {
        "d1": ["Ms. Ann Orr spoke.", "Ann Orr left.", "Orr said so.", "Tom Vale, 50, left."],
        "d2": ["Ms. Ann Orr left.", "Vale slept.", "Tom Vale, 50, sang."],
    }
    places = [("d1", 0), ("d1", 1), ("d2", 1)]
    assert rewritten(texts, places, parser, room=0) == [
        "Ms. Ann Orr spoke.",
        "Orr left.",
        "Tom Vale slept.",
    ]


PEOPLE = {
    "d1": [
        "Interior Minister Clara Wendt spoke on Monday.",
        "Wendt resigned on Tuesday.",
        "Wendt, who denied everything, resigned.",
        "Wendt's lawyer said nothing.",
        "The winner is Wendt.",
        '"Wendt is wrong," the mayor said.',
        "Mr. and Mrs. Wendt left.",
        "Wendt is the interior minister.",
        "Critics met Wendt and the mayor.",
    ],
    "d2": [
        "Nils Arbo, a teacher from Tamsin, was there.",
        "Arbo said so.",
        "The report was written by Arbo.",
        "Arbo and others left.",
        "A note was sent to his lawyer, Arbo, on Monday.",
    ],
    "d3": [
        "Outgoing Gov. Warrick Boyle Jr. lost.",
        "The voters ousted Boyle.",
        "The party blamed outgoing Gov. Warrick Boyle Jr.",
        "Boyle, 61, said he was tired.",
        "After meeting Boyle, 61, the crowd left.",
        "Former Gov. Warrick Boyle Jr., the owner of a large ferry and two farms, sued the bank.",
        "The late Warrick Boyle Jr. was honored.",
        "Boyle, a Democrat, resigned.",
        "Gov. Boyle said nothing.",
        "Warrick Boyle Jr. spoke.",
    ],
    "d4": ["Rail union leader Piet Halloran said so.", "The mayor thanked Halloran."],
    "d5": ["Queen Margrethe of Ardel arrived.", "Queen Margrethe spoke.", "Margrethe left."],
    "d6": ["Kim Jong-un arrived.", "Reporters saw Kim Jong-un again."],
    "d7": ["Dr. Susan Wong warned of it.", "Dr. Susan Wong said so again."],
}

FIRST = [
    (("d1", 1), "Interior Minister Clara Wendt resigned on Tuesday."),
    (("d1", 2), "Clara Wendt, who denied everything, resigned."),
    (("d1", 3), "Clara Wendt's lawyer said nothing."),
    (("d1", 5), '"Wendt is wrong," the mayor said.'),
    (("d1", 6), "Mr. and Mrs. Wendt left."),
    (("d1", 7), "Clara Wendt is the interior minister."),
    (("d1", 8), "Critics met Clara Wendt and the mayor."),
    (("d2", 0), "Nils Arbo, a teacher from Tamsin, was there."),
    (("d2", 1), "Nils Arbo, a teacher from Tamsin, said so."),
    (("d2", 2), "The report was written by Nils Arbo, a teacher from Tamsin."),
    (("d2", 3), "Nils Arbo and others left."),
    (("d2", 4), "A note was sent to his lawyer, Nils Arbo, on Monday."),
    (("d3", 1), "The voters ousted Warrick Boyle Jr."),
    (("d4", 1), "The mayor thanked Piet Halloran."),
    (("d5", 1), "Queen Margrethe spoke."),
]


@both
@pytest.mark.parametrize(("key", "text"), FIRST, ids=[text for _, text in FIRST])
def test_first_mentions(parser, key, text):
    assert rewrite_one(PEOPLE, key, parser) == text


LATER = [
    ([("d3", 0), ("d3", 2)], "The party blamed Boyle."),
    ([("d3", 0), ("d3", 3)], "Boyle, 61, said he was tired."),
    ([("d3", 0), ("d3", 4)], "After meeting Boyle, 61, the crowd left."),
    (
        [("d3", 0), ("d3", 5)],
        "Boyle, the owner of a large ferry and two farms, sued the bank.",
    ),
    ([("d3", 0), ("d3", 7)], "Boyle resigned."),
    ([("d3", 0), ("d3", 8)], "Boyle said nothing."),
    # Nothing has said yet who Boyle is.
    ([("d3", 9), ("d3", 2)], "The party blamed outgoing Gov. Warrick Boyle Jr."),
    ([("d3", 0), ("d3", 6)], "The late Warrick Boyle Jr. was honored."),
    ([("d5", 0), ("d5", 1)], "Queen Margrethe spoke."),
    ([("d6", 0), ("d6", 1)], "Reporters saw Kim Jong-un again."),
    ([("d7", 0), ("d7", 1)], "Dr. Susan Wong said so again."),
    ([("d1", 0), ("d1", 4)], "The winner is Wendt."),
]


@both
@pytest.mark.parametrize(("places", "text"), LATER, ids=[text for _, text in LATER])
def test_later_mentions(parser, places, text):
    assert rewritten(PEOPLE, places, parser)[-1] == text


@both
def test_namesakes_in_a_summary_keep_full_names(parser):
    texts = {
        "d1": ["Sen. Mary Clark won.", "Mary Clark was glad."],
        "d2": ["Gov. Tom Clark lost.", "Tom Clark was sad."],
    }
    places = [("d1", 0), ("d2", 0), ("d1", 1), ("d2", 1)]
    assert rewritten(texts, places, parser) == [texts[id][index] for id, index in places]


@both
def test_what_is_unsure_is_left_and_said(parser):
    texts = {
        "d1": ["Mary Clark spoke."],
        "d2": ["Tom Clark spoke."],
        "d3": ["Clark resigned on Monday."],
    }
    articles = articles_of(texts, parser)
    done = PeopleRewriter(articles).summary(sentences_of(articles, ("d3", 0)))
    assert [sentence.text for sentence in done.sentences] == texts["d3"]
    assert done.notes == ("Clark may be Mary Clark or Tom Clark: left unchanged",)


@both
def test_a_plural_title_stays(parser):
    texts = {
        "d1": [
            "Sen. Mary Lock spoke.",
            "Sen. Tom Vale spoke.",
            "Sens. Mary Lock and Tom Vale left.",
        ]
    }
    places = [("d1", 0), ("d1", 1), ("d1", 2)]
    assert rewritten(texts, places, parser)[-1] == texts["d1"][2]


@both
def test_a_title_in_two_parts_is_not_torn(parser):
    texts = {
        "d1": [
            "Health and Human Services Secretary Alan Ozer spoke.",
            "Health and Human Services Secretary Alan Ozer left.",
            "Ozer slept.",
        ]
    }
    assert rewritten(texts, [("d1", 0), ("d1", 1)], parser)[-1] == texts["d1"][1]
    assert rewrite_one(texts, ("d1", 2), parser) == "Alan Ozer slept."


@both
def test_somebody_elses_summary(parser):
    """Sentences that stand in no document are read with the documents' people."""
    texts = ["Wendt resigned.", "Clara Wendt will be missed."]
    summary = Articles.of_sentences([("", texts)], load_parser(parser))
    done = PeopleRewriter(articles_of(PEOPLE, parser)).rewrite(list(summary))
    assert [sentence.text for sentence in done] == [
        "Interior Minister Clara Wendt resigned.",
        "Wendt will be missed.",
    ]


@both
def test_whether_to_describe_can_be_decided_elsewhere(parser):
    text = rewrite_one(PEOPLE, ("d1", 1), parser, describe=lambda person: False)
    assert text == "Clara Wendt resigned on Tuesday."


def test_forms_can_be_drawn():
    texts = {"d1": ["Sen. Mary Lock spoke.", "Lock left."] + ["Critics praised Mary Lock."] * 40}
    places = [("d1", 0), *(("d1", number) for number in range(2, 42))]
    sampled = rewritten(texts, places, variation="sampled", seed=1)[1:]
    shares = {text: sampled.count(text) / 40 for text in set(sampled)}
    assert set(shares) <= {"Critics praised Lock.", "Critics praised Mary Lock."}
    assert shares["Critics praised Lock."] == pytest.approx(0.8646, abs=0.15)
    assert sampled == rewritten(texts, places, variation="sampled", seed=1)[1:]
    always = {"full": 1.0, "last": 0.0, "nickname": 0.0}
    assert rewritten(texts, places, variation="sampled", limiting=always)[1:] == texts["d1"][2:]


BAD = [
    ("Rain fell on all roads.", ()),
    (
        'Wendt said "nobody is safe.',
        ("a sentence was left unchanged: quotation marks or brackets are not balanced",),
    ),
    (
        "INTERIOR MINISTER WENDT RESIGNED ON TUESDAY.",
        ("a sentence was left unchanged: all in capitals",),
    ),
    (
        "Wendt said " + "that it rained and " * 170 + "left.",
        ("a sentence was left unchanged: more than 400 words",),
    ),
    ("", ()),
    ("Minister Clara Wendt on Monday", ("a sentence was left unchanged: it has no verb",)),
]


@both
@pytest.mark.parametrize(("text", "notes"), BAD, ids=[text[:20] for text, _ in BAD])
def test_bad_input_gives_the_plain_sentence_and_a_note(parser, text, notes):
    summary = Articles.of_sentences([("", [text])], load_parser(parser))
    done = PeopleRewriter(articles_of(PEOPLE, parser)).summary(list(summary))
    assert [sentence.text for sentence in done.sentences] == [text]
    assert done.notes == notes


@both
def test_documents_without_people_are_said_to_have_none(parser):
    texts = {"d1": ["Rain fell.", "MINISTER CLARA WENDT RESIGNED ON TUESDAY."]}
    articles = articles_of(texts, parser)
    done = PeopleRewriter(articles).summary(sentences_of(articles, ("d1", 0)))
    assert [sentence.text for sentence in done.sentences] == ["Rain fell."]
    assert done.notes == (
        "sentences in capitals were not searched for people (1)",
        "the documents name no people",
    )


ALL = [
    (id, number)
    for id, sentences in (RACE | PEOPLE | {"d1": PEOPLE["d1"]}).items()
    for number in range(len(sentences))
]


@given(
    st.lists(st.sampled_from(ALL), max_size=8),
    st.one_of(st.none(), st.integers(0, 12)),
    st.sampled_from(["rules", "sampled"]),
    st.integers(0, 5),
)
def test_sentences_stay_sound(places, room, variation, seed):
    texts = RACE | PEOPLE | {"d1": PEOPLE["d1"]}
    after = rewritten(texts, places, room=room, variation=variation, seed=seed)
    before = [texts[id][number] for id, number in places]
    assert len(after) == len(before)
    for old, new in zip(before, after, strict=True):
        assert balanced(new) or not balanced(old)
        assert not [odd for odd in (",,", "  ", ", ,", "..", ",.") if odd in new]
        assert new[:1] == new[:1].upper()
        assert new[-1:] == old[-1:]
    if room is not None:
        assert sum(map(count_words, after)) - sum(map(count_words, before)) <= room


@given(
    st.lists(
        st.sampled_from(
            [
                "Wendt",
                "Clara",
                '"Boyle",',
                "Jr.",
                "(",
                ")",
                "said,",
                "and",
                "Gov.",
                "Minister",
                "the",
                "of",
                "a",
                "54",
                "-",
                ".",
            ]
        ),
        max_size=14,
    )
)
def test_no_text_breaks_it(words):
    text = " ".join(words)
    summary = Articles.of_sentences([("", [text])], load_parser("light"))
    (done,) = PeopleRewriter(articles_of(PEOPLE, "light")).rewrite(list(summary))
    assert edited(text, done.replacements) == done.text
    assert np.sum([character == '"' for character in done.text]) == text.count('"')
