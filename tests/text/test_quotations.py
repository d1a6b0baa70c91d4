"""Quotations: their marks, and those that take several sentences."""

import re

import pytest

from pyramidion.text import ParsedSentence
from pyramidion.text.quotations import Quotations


def quoted(*sentences: str) -> list[list[str]]:
    """Return the marked words of each sentence that are quoted."""
    parsed = [ParsedSentence(text, (), "d1", index) for index, text in enumerate(sentences)]
    quotations = Quotations(parsed)
    return [
        [
            word.group()
            for word in re.finditer(r"\b[A-Z]{3}\b", sentence.text)
            if quotations.overlap(sentence, word.start(), word.end())
        ]
        for sentence in parsed
    ]


@pytest.mark.parametrize(
    "sentence",
    [
        '"Then ABE came," said BEA.',
        "“Then ABE came,” said BEA.",
        "``Then ABE came,'' said BEA.",
        "''Then ABE came,'' said BEA.",
        "<< Then ABE came >> , said BEA.",
        "«Then ABE came», said BEA.",
        "„Then ABE came“, said BEA.",
        "‘Then ABE came,’ said BEA.",
        "'Then ABE came,' said BEA.",
        "「Then ABE came」 said BEA.",
        "TV show \"Then ABE, '' has BEA.",
        '" Then ABE came , " said BEA.',
    ],
)
def test_marks(sentence):
    assert quoted(sentence) == [["ABE"]]


def test_a_quotation_goes_on_until_it_is_closed():
    texts = (
        'He said: "We won.',
        "Now ABE knows.",
        '"CAL knows.',
        'DAN knows," he said of EVA.',
        "FAY left.",
    )
    assert quoted(*texts) == [[], ["ABE"], ["CAL"], ["DAN"], []]


def test_a_mark_without_a_beginning_quotes_what_stands_before_it():
    assert quoted('ABE came," said BEA.') == [["ABE"]]


def test_apostrophes_quote_nothing():
    assert quoted("It's the boys' house, ABE said, of the '90s and rock 'n' roll.") == [[]]
    assert quoted("It’s the boys’ house, ABE said, in ’90.") == [[]]


def test_another_document_begins_anew():
    first = ParsedSentence('"We won.', (), "d1", 0)
    second = ParsedSentence("ABE came.", (), "d2", 0)
    assert not Quotations([first, second]).overlap(second, 0, 3)
