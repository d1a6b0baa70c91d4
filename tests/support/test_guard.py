"""What a sentence says that its source does not."""

import pytest

from pyramidion.support import SourceIndex

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
        ("She came on Tues. and in Sept.", "She came on Tuesday and in September."),
        ("Two hundred and five men and a dozen women came.", "205 men and 12 women came."),
    ],
)
def test_forms_of_the_same_fact(text: str, sentence: str):
    assert SourceIndex([text]).unsupported(sentence) == []


def test_an_empty_source_supports_nothing():
    (span,) = SourceIndex([]).unsupported("Ada Lee left.")
    assert (span.text, span.evidence) == ("Ada Lee", None)


def test_no_extract_is_flagged(source: SourceIndex):
    assert not any(source.unsupported_in([sentence.text for sentence in source.sentences]))
