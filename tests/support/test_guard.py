"""What a sentence says that its source does not."""

import math

import pytest

from pyramidion.support import SourceIndex, polarity, support_counts

STORY = (
    "PARIS — Prime Minister Ada Lee met the European Central Bank on Monday.\n"
    "The British company earned $12.4 million in the first quarter, up from 9, 800 dollars.\n"
    "“We did not pay the fine on time,” Lee said. Prices rose sharply after the vote.It rained.\n"
    "Between 10 and 12 million people voted in about 1,240 towns."
)


@pytest.fixture(scope="module")
def source() -> SourceIndex:
    return SourceIndex([STORY])


@pytest.mark.parametrize(
    "sentence",
    [
        "Lee met the ECB on Monday.",
        "President Lee spoke to the Bank.",  # titles need no support
        "A firm from Britain and the UK earned 12.4 million dollars in Q1.",
        "It had 9,800 dollars before.",
        "More than 12 million dollars were earned.",
        "About 11 million people voted in some 1,200 towns.",
        "Ten million people or more voted.",
        'Lee said "we did not pay the fine".',
        "prime minister ada lee met the bank.",
        "The fine was not paid on time.",
        "Prices rose.",
        "Prices rose",
    ],
)
def test_passes(source: SourceIndex, sentence: str):
    assert source.unsupported(sentence) == []


@pytest.mark.parametrize(
    ("sentence", "kind", "text"),
    [
        ("Lee met Maria Kovac on Monday.", "name", "Maria Kovac"),
        ("Lee met the FBI.", "name", "FBI"),
        ("Lee met the bank on Friday.", "number", "Friday"),
        ("The company earned $14.2 million.", "number", "14.2 million"),
        ("Twenty-five towns voted.", "number", "Twenty-five"),
        ("Less than 9 million dollars were earned.", "number", "9 million"),
        ('Lee said "we will never pay this fine".', "quotation", "we will never pay this fine"),
        ("Prices fell sharply after the vote.", "opposite", "fell"),
        ("Lee said we did pay the fine on time.", "negation", "pay"),
        ("Prices never rose sharply after the vote.", "negation", "rose"),
        ("People in towns voted not once.", "negation", "voted"),
    ],
)
def test_reports(source: SourceIndex, sentence: str, kind: str, text: str):
    (span,) = source.unsupported(sentence)
    assert (span.kind, span.text) == (kind, text)
    assert sentence[span.start : span.end] == text


def test_evidence_is_the_nearest_sentence(source: SourceIndex):
    (span,) = source.unsupported("Prices fell sharply after the vote.")
    assert span.evidence is not None
    assert (span.evidence.document, span.evidence.position) == (0, 3)
    assert span.evidence.text == "Prices rose sharply after the vote."


def test_cited_sentences_come_first(source: SourceIndex):
    (span,) = source.unsupported("Prices rose in Rome.", cited=[(0, 0)])
    assert span.evidence is not None
    assert span.evidence.position == 0


def test_adjectives_of_countries_are_names(source: SourceIndex):
    text = "Italian prices rose sharply after the vote, and in a Chinese city."
    assert [span.text for span in source.unsupported(text)][-1:] == ["Chinese"]
    known = SourceIndex(["Prices rose in a city of China."])
    assert known.unsupported("Prices rose in a Chinese city.") == []


def test_allowed_names_need_no_support(source: SourceIndex):
    assert source.unsupported("Lee of Norway met the bank in 2031.", allow=["Norway", "2031"]) == []


def test_documents_may_be_sentences():
    source = SourceIndex([["Rain fell. Snow fell."], ["Ada Lee left."]])
    assert [(s.document, s.position) for s in source.sentences] == [(0, 0), (1, 0)]


def test_offsets_are_those_of_the_original():
    sentence = "“Rain” fell in  Oslo , said Dr. Kovač ’s aide ."
    spans = SourceIndex(["Rain fell in Bergen."]).unsupported(sentence)
    assert [sentence[span.start : span.end] for span in spans] == ["Oslo", "Kovač"]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("Sales grew in fiscal '26 and FY27.", "Sales grew in 2026 and 2027."),
        ("It cost GBP738 thousand.", "It cost 738,000 pounds."),
        ("Sales grew year over year.", "Sales were up YoY."),
        ("Sales fell due to COVID.", "Sales fell due to COVID-19."),
        ("It fell by half.", "It fell by 50%."),
        ("A quarter of them left.", "25% of them left."),
        ("They left at 98. 7 degrees.", "They left at 98.7 degrees."),
        ("J. K. Rowling did n't go.", "J.K. Rowling didn't go."),
        ("The U. S. Marshal Service came.", "The U.\nS.\nMarshal Service came."),
        ("She came on Tues. and in Sept.", "She came on Tuesday and in September."),
        ("It opened on Thu., Feb. 5.", "It opened on Thursday, February 5."),
        ("Two hundred and five men and a dozen women came.", "205 men and 12 women came."),
    ],
)
def test_forms_of_the_same_fact(text: str, sentence: str):
    assert SourceIndex([text]).unsupported(sentence) == []


@pytest.mark.parametrize(
    ("text", "name", "is_supported"),
    [
        ("It rained in Paris.", "Parisian", True),  # the first five of eight letters
        ("It rained in Paris.", "Parisiana", False),  # six of nine
        ("A Japanese firm won.", "Japan", True),
        ("An Icelandic firm won.", "Ic", False),
        ("The Federal Bureau of Investigation came.", "FBI", True),
        ("The United Nations Educational, Scientific and Cultural Organization came.", "UNESCO",
         True),
        ("The ECB came.", "European Central Bank", True),
        ("The ECB came.", "European Bank", False),
    ],
)  # fmt: skip
def test_forms_of_the_same_name(text: str, name: str, is_supported: bool):
    spans = SourceIndex([text]).unsupported(f"People from the {name} left.")
    assert (spans == []) == is_supported


@pytest.mark.parametrize(
    ("text", "supported", "unsupported"),
    [
        # Only round numbers from 100 on may be a little off: 6%, by the summary's number.
        ("It has 105 towns.", "It has 100 towns.", "It has 120 towns."),
        ("It has 110 towns.", "It has 110 towns.", "It has 100 towns."),
        ("It has 1,240 towns.", "It has 1,200 towns.", "It has 1,230 towns."),
        ("It has 99 towns.", "It has 99 towns.", "It has 95 towns."),
        ("From 10 to 12 million voted.", "10 million voted.", "11 million voted."),
        ("10 and 12 thousand voted.", "10 thousand voted.", "10 million voted."),
        ("Ten men and 12 million birds came.", "12 million came.", "10 million came."),
        ("Twenty three men came.", "23 men came.", "Twenty men came."),
        ("Two three-man crews came.", "2 crews of 3 came.", "Five men came."),
        ("Nineteen five-man crews came.", "19 crews of 5 came.", "24 men came."),
        ("A thousand and one nights passed.", "1,001 nights passed.", "1,002 nights passed."),
        ("It took 200 and 5 days.", "It took 5 days.", "It took 205 days."),
        ("It cost half a million.", "It cost 500,000.", "It cost 2 million."),
        ("The first half ended.", "The first half was over.", "It ended after 50 minutes."),
        ("She left at 10:30.", "She left at 10.5.", "She left at 10.3."),
        ("It is 5m long and cost 7m.", "It is 5 meters, for 7 million.", "It is 6 meters long."),
        ("Version 1.2.3 came.", "It has version 3.", "It has version 4."),
        ("She left on May 5.", "She left in May and may return.", "She left in March."),
        ("He came in March.", "They may march in March.", "He came in May."),
        ("More than 9 came.", "Almost 10 came.", "Almost 20 came."),
    ],
)
def test_numbers_say_what_the_source_says(text: str, supported: str, unsupported: str):
    source = SourceIndex([text])
    assert source.unsupported(supported) == []
    assert [span.kind for span in source.unsupported(unsupported)] == ["number"]


@pytest.mark.parametrize(
    ("text", "sentence", "verb"),
    [
        ("He pleaded guilty on Monday in Rome.", "He pleaded not guilty on Monday in Rome.",
         "pleaded"),
        ("Lee paid the large fine on Monday.", "Lee paid no large fine on Monday.", "paid"),
        ("Lee paid the large fine on Monday.", "Neither Lee nor he paid the large fine on Monday.",
         "paid"),
        ("Lee could not pay the large fine.", "Lee could pay the large fine.", "pay"),
        ("Lee paid the large fine on Monday.", "Lee was unable to pay the large fine on Monday.",
         "pay"),
        ("Lee paid the large fine on Monday.", "Lee refused to pay the large fine on Monday.",
         "pay"),
        ("Lee never paid the large fine.", "It was the large fine that Lee paid.", "paid"),
        ("Lee paid the large fine on Monday.", "Lee did no longer pay the large fine on Monday.",
         "pay"),
    ],
)  # fmt: skip
def test_a_negation_is_found_wherever_it_is_put(text: str, sentence: str, verb: str):
    for source, checked in ((text, sentence), (sentence, text)):
        spans = SourceIndex([source]).unsupported(checked)
        assert [span.kind for span in spans if span.text in (verb, "paid", "pay")] == ["negation"]


def test_a_negation_of_one_verb_is_none_of_the_next():
    source = SourceIndex(["Lee wanted to pay the large fine on Monday."])
    spans = source.unsupported("Lee did not want to pay the large fine on Monday.")
    assert "pay" not in [span.text for span in spans]


def test_a_sentence_in_lower_case_has_the_same_names():
    source = SourceIndex(["It was Ada Lee who left. She was ill in Oslo."])
    assert support_counts(source, "ada lee left oslo.").names == 2
    assert support_counts(source, "She was ill.").support == 1.0


@pytest.mark.parametrize(
    ("quotation", "is_supported"),
    [("we did not flee home today", True), ("we did not flee home again today", False)],
)
def test_half_of_a_quotation_must_be_in_the_source(
    source: SourceIndex, quotation: str, is_supported: bool
):
    """Three words in a row are; they are half of six, and less than half of seven."""
    kinds = [span.kind for span in source.unsupported(f'Lee said "{quotation}".')]
    assert ("quotation" not in kinds) == is_supported


def test_evidence_covers_the_weight_of_content_words():
    source = SourceIndex(["Rain fell.", "Snow melted."])
    share, sentences = source.evidence("Rain fell and snow melted and ice cracked.")
    # Words of one of two sentences weigh log(3 / 1.5), those of none log(3 / 0.5).
    known, unknown = 4 * math.log(2), 2 * math.log(6)
    assert share == pytest.approx(known / (known + unknown))
    assert [sentence.text for sentence in sentences] == ["Rain fell.", "Snow melted."]
    assert source.evidence("It was.") == (0.0, ())


def test_an_empty_source_supports_nothing():
    (span,) = SourceIndex([]).unsupported("Ada Lee left.")
    assert (span.text, span.evidence) == ("Ada Lee", None)


def test_no_extract_is_flagged(source: SourceIndex):
    assert not any(source.unsupported_in([sentence.text for sentence in source.sentences]))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The phone.", 0),
        ("It is a great phone.", 1),
        ("Great", 1),
        ("It is not a very great phone.", -1),
        ("Not great.", -1),
        ("It is a great and bad phone.", 0),
        ("It is great, really great, but bad.", 1),
        ("It is great, but bad, really bad.", -1),
    ],
)
def test_a_sentence_praises_or_complains_by_most_of_its_words(text, expected):
    assert polarity(text) == expected
