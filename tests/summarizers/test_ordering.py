"""The order of reading."""

import pytest

from pyramidion.collection import Document
from pyramidion.errors import InputError
from pyramidion.summarizers import Limit, Source, parse_summarizer
from summarizers.inputs import ANY, documents, preset


@pytest.mark.parametrize(
    ("dates", "order"),
    [
        (["2031-04-12", "2031-04-11"], [1, 0]),
        (["20310412 0930", "2031-04-12", "2031/04/11"], [2, 1, 0]),
        (["", "2031-04-12", "", "2031-04-11"], [0, 3, 1, 2]),
        (["", "", ""], [0, 1, 2]),
        (["tomorrow", "2031-04-12"], [0, 1]),
        (["October 3, 1998", "1998-10-02", "4 Oct. 1998"], [1, 0, 2]),
    ],
)
def test_documents_by_date(dates, order):
    texts = [f"Rain fell on town{k}." for k in range(len(dates))]
    articles = [Document(str(k), text, date=dates[k]) for k, text in enumerate(texts)]
    source = Source.of_documents(articles, rules=ANY)
    extract = preset(range(len(dates))).summarize(source)
    assert [int(sentence.document) for sentence in extract.sentences] == order


@pytest.mark.parametrize(
    ("dates", "note"),
    [
        (["2031-04-12", "", "April 13, 2031"], ()),
        (
            ["2031-04-12", "tomorrow"],
            ("1 date could not be read ('tomorrow'): its document keeps its position",),
        ),
        (
            ["4/5/2031", "2031-04-12", "3/5/2031"],
            (
                "2 dates could not be read (such as '3/5/2031'): their documents keep their "
                "positions",
            ),
        ),
    ],
)
def test_dates_that_are_not_understood_are_reported(dates, note):
    texts = ("Rain fell.", "Goats were sold.", "Mud came.")
    articles = documents(*zip(dates, texts, strict=False))
    source = Source.of_documents(articles, rules=ANY)
    assert parse_summarizer("first").summarize(source).notes == note


def test_the_latest_article_is_found_by_a_date_with_its_months_name():
    articles = documents(
        ("October 3, 1998", "Rain fell on Ardel."), ("1 Oct 1998", "Goats were sold.")
    )
    source = Source.of_documents(articles, rules=ANY)
    assert parse_summarizer("lead").summarize(source, Limit(4)).text == "Rain fell on Ardel."


TEXTS = documents(
    ("2031-04-14", "Floods closed roads of Ardel. Goats were sold."),
    ("2031-04-12", "Rain fell all day. The market opened late."),
    ("2031-04-13", "Goat sellers had sold few goats. Ardel roads had floods."),
)


def ordered(numbers, order, limit=100):
    source = Source.of_documents(TEXTS, rules=ANY)
    return preset(numbers).summarize(source, Limit(limit, "truncate"), order=order).text.split("\n")


def test_sentences_by_date_and_place():
    assert ordered([1, 4, 0, 2], "source") == [
        "Rain fell all day.",
        "Goat sellers had sold few goats.",
        "Floods closed roads of Ardel.",
        "Goats were sold.",
    ]


def test_related_sentences_stay_together():
    assert ordered([0, 1, 2, 4, 5], "cohesive") == [
        "Rain fell all day.",
        "Goat sellers had sold few goats.",
        "Goats were sold.",
        "Ardel roads had floods.",
        "Floods closed roads of Ardel.",
    ]


@pytest.mark.parametrize(
    ("shared", "others", "together"),
    [
        (1, 3, True),  # 1 of 4 words: 0.25
        (2, 3, True),  # 2 of 5 words: 0.4
        (1, 5, False),  # 1 of 6 words: 0.17
        (1, 9, False),  # 1 of 10 words: 0.1
    ],
)
def test_a_fifth_of_the_words_makes_sentences_related(shared, others, together):
    same = [f"goat{k}q" for k in range(shared)]
    first, last = ([*same, *(f"{name}{k}q" for k in range(others))] for name in ("rain", "mud"))
    texts = [" ".join(words).capitalize() + "." for words in (first, ["bridgeq"], last)]
    source = Source.of_texts(texts, rules=ANY)
    extract = preset((0, 1, 2)).summarize(source, Limit(100), order="cohesive")
    places = [int(sentence.document) for sentence in extract.sentences]
    assert places == ([1, 3, 2] if together else [1, 2, 3])


def test_as_chosen():
    assert ordered([1, 2], "chosen") == ["Goats were sold.", "Rain fell all day."]


@pytest.mark.parametrize("order", ["source", "cohesive"])
def test_what_is_cut_off_comes_last(order):
    assert ordered([1, 2], order, limit=5) == ["Goats were sold.", "Rain fell"]


def test_another_order_is_refused():
    with pytest.raises(InputError, match="'random'; use source or cohesive or chosen"):
        parse_summarizer("sum-avr").summarize(Source.of_documents(TEXTS), order="random")
