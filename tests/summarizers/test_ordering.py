"""The order of reading."""

import pytest

from pyramidion.collection import Document
from pyramidion.errors import InputError
from pyramidion.summarizers import Limit, Source, parse_summarizer, reading_order
from pyramidion.summarizers.extract import assemble
from pyramidion.summarizers.ordering import by_date
from summarizers.inputs import ANY, documents


@pytest.mark.parametrize(
    ("dates", "order"),
    [
        (["2031-04-12", "2031-04-11"], [1, 0]),
        (["20310412 0930", "2031-04-12", "2031/04/11"], [2, 1, 0]),
        (["", "2031-04-12", "", "2031-04-11"], [0, 3, 1, 2]),
        (["", "", ""], [0, 1, 2]),
        (["tomorrow", "2031-04-12"], [0, 1]),
    ],
)
def test_documents_by_date(dates, order):
    assert by_date([Document(str(n), "", date=date) for n, date in enumerate(dates)]) == order


TEXTS = documents(
    ("2031-04-14", "Floods closed roads of Ardel. Goats were sold."),
    ("2031-04-12", "Rain fell all day. The market opened late."),
    ("2031-04-13", "Goat sellers had sold few goats. Ardel roads had floods."),
)


def ordered(numbers, order, limit=100):
    source = Source.of_documents(TEXTS, rules=ANY)
    chosen = assemble(source, numbers, [1.0] * len(numbers), Limit(limit, "truncate"))
    return [own.text for own in reading_order(source, chosen, order)]


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


def test_as_chosen():
    assert ordered([1, 2], "chosen") == ["Goats were sold.", "Rain fell all day."]


@pytest.mark.parametrize("order", ["source", "cohesive"])
def test_what_is_cut_off_comes_last(order):
    assert ordered([1, 2], order, limit=5) == ["Goats were sold.", "Rain fell"]


def test_another_order_is_refused():
    with pytest.raises(InputError, match="'random'; give source or cohesive or chosen"):
        parse_summarizer("sum-avr").summarize(Source.of_documents(TEXTS), order="random")
