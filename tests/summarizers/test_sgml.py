from html import escape

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pyramidion.collection.summaries import Document
from pyramidion.errors import FormatError, Where
from pyramidion.summarizers.sgml import (
    collapse,
    decode_entities,
    looks_like_documents,
    parse_documents,
    parse_tags,
    split_paragraphs,
)

HERE = Where("a.sgml")

AQUAINT = """
<DOC>
<DOCNO> APW20310412.0031 </DOCNO>
<DOCTYPE> NEWS STORY </DOCTYPE>
<DATE_TIME> 04/12/2031 10:15:00 </DATE_TIME>
<BODY>
<SLUG> BC-Rain </SLUG>
<HEADLINE> Rain
  falls </HEADLINE>
<DATELINE> OSLO (AP) </DATELINE>
<TEXT>
<P>
Rain fell
on Oslo.
</P>
<P>
Roads <B>closed</B> &amp; opened.
</P>
</TEXT>
<TRAILER> end </TRAILER>
</BODY>
</DOC>
"""

WORDS = st.text(
    st.characters(exclude_categories=["Cs", "Cc", "Zs", "Zl", "Zp"]), min_size=1, max_size=8
)
LINES = st.lists(WORDS, min_size=1, max_size=6).map(" ".join)


def parsed(text):
    [document] = parse_documents(text, HERE)
    return document


def test_an_article_of_aquaint():
    assert parsed(AQUAINT) == Document(
        "APW20310412.0031",
        "Rain fell on Oslo.\n\nRoads closed & opened.",
        date="2031-04-12 10:15:00",
        source="APW",
        headline="Rain falls",
        extra={
            "doctype": "NEWS STORY",
            "slug": "BC-Rain",
            "dateline": "OSLO (AP)",
            "trailer": "end",
        },
    )


def test_an_article_of_gigaword_in_lower_case_with_open_paragraphs():
    text = """<doc id="NYT_ENG_20310413.0007" type="story" >
<headline>
Sun
</headline>
<text>
<p>
It shone.
<p>
All day.
</text>
</doc>"""
    article = parsed(text)
    assert (article.id, article.date, article.source) == (
        "NYT_ENG_20310413.0007",
        "2031-04-13",
        "NYT",
    )
    assert article.text == "It shone.\n\nAll day."
    assert article.extra == {"type": "story"}


def test_paragraphs_without_tags_are_recognized_by_empty_or_indented_lines():
    text = "<DOC><DOCNO>A1</DOCNO><TEXT>\n   Rain\nfell.\n   Roads\nclosed.\n\nOn.</TEXT></DOC>"
    assert parsed(text).text == "Rain fell.\n\nRoads closed.\n\nOn."


def test_lead_paragraphs_belong_to_the_text():
    text = "<DOC><DOCNO>W1</DOCNO><HL>Rain</HL><LP>First.</LP><TEXT>Second.</TEXT></DOC>"
    assert parsed(text).text == "First.\n\nSecond."
    assert parsed(text).headline == "Rain"


def test_several_articles_in_a_file():
    text = "<DOC><DOCNO>A1</DOCNO></DOC>\n<DOC><DOCNO>A2</DOCNO><DOC><DOCNO>A3</DOCNO></DOC>"
    assert [document.id for document in parse_documents(text, HERE)] == ["A1", "A2", "A3"]


@pytest.mark.parametrize(
    ("id", "source", "date"),
    [
        ("XIE19980304.0061", "XIE", "1998-03-04"),
        ("APW_ENG_20050412.0031", "APW", "2005-04-12"),
        ("AP880911-0016", "AP", "1988-09-11"),
        ("FT923-5797", "", ""),
        ("APW19981399.0001", "", ""),
    ],
)
def test_date_and_source_come_from_the_id(id, source, date):
    article = parsed(f"<DOC><DOCNO>{id}</DOCNO><TEXT>Rain.</TEXT></DOC>")
    assert (article.source, article.date) == (source, date)


def test_what_a_file_gives_goes_before_what_the_id_says():
    text = "<DOC><DOCNO>APW20310412.1</DOCNO><DATE>yesterday</DATE><SOURCE>me</SOURCE></DOC>"
    assert (parsed(text).date, parsed(text).source) == ("yesterday", "me")


def test_fields_named_like_a_documents_own_are_kept_under_another_name():
    text = "<DOC id='x'><DOCNO>A1</DOCNO><DATE_TIME>1</DATE_TIME><DATE>2</DATE></DOC>"
    assert parsed(text).extra == {"doc_id": "x", "doc_date": "2"}


def test_a_headline_inside_the_text_does_not_end_it():
    text = "<DOC><DOCNO>A1</DOCNO><TEXT>One. <HEADLINE>Rain</HEADLINE> Two.</TEXT></DOC>"
    assert (parsed(text).text, parsed(text).headline) == ("One. Two.", "Rain")


def test_the_file_name_stands_in_for_a_missing_docno():
    [document] = parse_documents("<DOC><TEXT>Rain.</TEXT></DOC>", HERE, default_id="A1")
    assert document.id == "A1"
    with pytest.raises(FormatError, match=r"a\.sgml, line 2: a document has no DOCNO; add"):
        parse_documents("\n<DOC><TEXT>Rain.</TEXT></DOC>", HERE)


def test_a_file_that_is_cut_off_is_refused():
    with pytest.raises(FormatError, match=r"a\.sgml, line 2: the last document is not closed"):
        parse_documents(AQUAINT[:200], HERE)


def test_entity_definitions_are_refused_and_a_plain_dtd_is_not():
    text = '<!DOCTYPE DOC [\n<!ENTITY x SYSTEM "file:///etc/passwd">]><DOC><DOCNO>&x;</DOCNO></DOC>'
    with pytest.raises(FormatError, match=r"a\.sgml, line 2: the file defines entities"):
        parse_documents(text, HERE)
    plain = "<!DOCTYPE DOC [\n<!ELEMENT DOC (#PCDATA)>]><DOC><DOCNO>A1</DOCNO></DOC>"
    assert parsed(plain).id == "A1"


def test_entities():
    assert decode_entities("&lt;&GT;&quot;&#233;&#xE9;") == '<>"éé'
    assert decode_entities("(&UR; AP &LR;) &QL;&HT;") == "( AP ) "
    strange = "&nosuchthing; R&D; AT&T & &; &notin"
    assert decode_entities(strange) == strange
    assert decode_entities("&amp;lt;") == "&lt;"
    assert decode_entities("&#1114112;") == "\ufffd"


def test_signs_that_are_not_tags_are_text():
    article = parsed("<DOC><DOCNO>A1</DOCNO><TEXT>3 < 4 > 2, a<3, <-, <>, x<</TEXT></DOC>")
    assert article.text == "3 < 4 > 2, a<3, <-, <>, x<"


def test_comments_are_passed_over_and_lines_stay_in_count():
    tags = list(parse_tags("<A><!-- <B>\n\n --><C>text<!-- open <D>", HERE))
    assert [(tag.name, tag.line, tag.text) for tag in tags] == [("a", 1, "\n\n"), ("c", 3, "text")]


def test_attributes():
    [tag] = parse_tags("""<topic id = "D1" Category='2' n=3 / x = "a &amp; b">""", HERE)
    assert tag.attributes == {"id": "D1", "category": "2", "n": "3", "x": "a & b"}
    assert tag.attribute("nothing") == ""


@pytest.mark.parametrize(
    "piece", ["<", "<a", "<a ", "<a b", "<a b='", "&", "&a", "<!--", "<P>", "a=", "<a =", "\n "]
)
def test_much_of_the_same_is_read_in_no_time(piece):
    text = f"<DOC><DOCNO>A1</DOCNO><TEXT>{piece * 60_000}"
    tail = "--></TEXT></DOC>" if piece == "<!--" else ">'\"></TEXT></DOC>"
    assert parsed(text + tail).id == "A1"


def test_what_looks_like_articles():
    assert looks_like_documents(b'\n<?xml version="1.0"?>\n<!DOCTYPE DOC>\n<doc id="A1">')
    assert not looks_like_documents(b"<DOCUMENT>")
    assert not looks_like_documents(b"")


@given(st.text())
def test_escaping_is_undone_by_decoding(text):
    assert decode_entities(escape(text)) == text


@given(st.lists(LINES, min_size=1).map("\n\n".join))
def test_plain_paragraphs_stay_as_they_are(text):
    assert split_paragraphs(escape(text)) == text
    assert collapse(escape(text)).split() == text.split()


@given(st.text())
def test_no_text_breaks_the_parser(text):
    try:
        documents = parse_documents(f"<DOC><DOCNO>A1</DOCNO><TEXT>{text}</TEXT></DOC>", HERE)
    except FormatError:
        return
    assert documents
