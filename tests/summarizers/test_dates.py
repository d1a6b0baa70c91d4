"""Dates."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pyramidion.summarizers._dates import iso_date, read_date
from pyramidion.summarizers.articles import read_articles


@pytest.mark.parametrize(
    ("text", "date"),
    [
        ("1998-10-03", "1998-10-03"),
        ("19981003 0930", "1998-10-03 0930"),
        ("1998/10/3", "1998-10-03"),
        ("October 3, 1998", "1998-10-03"),
        ("Oct. 3, 1998", "1998-10-03"),
        ("OCT 3 1998", "1998-10-03"),
        ("October 3rd, 1998", "1998-10-03"),
        ("3 October 1998", "1998-10-03"),
        ("03-OCT-1998", "1998-10-03"),
        ("January 1, 1989, Sunday, Home Edition", "1989-01-01"),
        ("Sunday, January 1, 1989", "1989-01-01"),
        ("Sept. 9, 2001", "2001-09-09"),
        ("Sat, 03 Oct 1998 15:32:00 +0000", "1998-10-03 15:32:00"),
        ("May 12, 2031 12:05 a.m.", "2031-05-12 00:05"),
        ("May 12, 2031 3:05 PM", "2031-05-12 15:05"),
        ("13/4/2031", "2031-04-13"),
        ("4/13/2031", "2031-04-13"),
        ("31.12.1998", "1998-12-31"),
        ("5/5/2031", "2031-05-05"),
    ],
)
def test_dates_that_can_mean_one_day(text, date):
    assert iso_date(text) == date


@pytest.mark.parametrize(
    "text",
    [
        *("", "yesterday", "4/5/2031", "1998", "October 1998", "Octopus 3, 1998", "May 40, 2031"),
        *("3 Oct 98", "13/13/2031", "0/20/2031", "May 5, 20311", "tomorrow, May 5, 2031"),
    ],
)
def test_what_cannot_be_read_stays(text):
    assert read_date(text) is None
    assert iso_date(text) == text


@given(st.dates(), st.sampled_from(["%B %d, %Y", "%d %b %Y", "%A, %d %B %Y", "%Y-%m-%d"]))
def test_written_dates_are_read(date, form):
    year = f"{date.year:04}"
    text = date.strftime(form.replace("%Y", year))
    assert read_date(text) == (year, f"{date.month:02}", f"{date.day:02}", "")


@pytest.fixture
def article(tmp_path):
    def read(date, id="A1"):
        text = f"<DOC><DOCNO> {id} </DOCNO><DATE> {date} </DATE><TEXT> Rain. </TEXT></DOC>"
        (tmp_path / "a.sgml").write_text(text)
        return read_articles([tmp_path / "a.sgml"]).topics[0].documents[0]

    return read


def test_articles_in_sgml_have_the_year_first(article):
    document = article("<P>January 1, 1989, Sunday, Home Edition</P>", "LA010189-0001")
    assert document.date == "1989-01-01"
    assert document.extra == {"date_written": "January 1, 1989, Sunday, Home Edition"}
    # NIST's files are American.
    assert article("08/04/1998 15:32:00").date == "1998-08-04 15:32:00"
    assert article("19980804").date == "19980804"
    assert article("tomorrow").date == "tomorrow"
    assert article("tomorrow").extra == {}
