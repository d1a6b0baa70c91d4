import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from collection.refusals import refusal
from collection.strategies import any_text, spans
from pyramidion.collection.summaries import (
    TAC_CATEGORIES,
    AspectSpan,
    mark_aspects,
    parse_aspects,
)
from pyramidion.errors import FormatError, InputError, Where


class TestCategories:
    def test_five_with_their_aspects(self):
        # TAC 2011's guidelines, quoted in the dissertation's 2.4.3.
        assert [(c.id, len(c.aspects)) for c in TAC_CATEGORIES] == [
            ("1", 7),
            ("2", 8),
            ("3", 5),
            ("4", 4),
            ("5", 6),
        ]

    def test_aspects_are_numbered_within_their_category(self):
        for category in TAC_CATEGORIES:
            expected = [f"{category.id}.{n}" for n in range(1, len(category.aspects) + 1)]
            assert [aspect.id for aspect in category.aspects] == expected

    def test_names(self):
        # TAC 2011's guidelines, quoted in the dissertation's 2.4.3.
        names = {aspect.id: aspect.name for c in TAC_CATEGORIES for aspect in c.aspects}
        assert len(names) == 30
        assert [names[f"2.{n}"] for n in range(1, 9)] == [
            "WHAT", "WHEN", "WHERE", "PERPETRATORS", "WHY", "WHO_AFFECTED", "DAMAGES",
            "COUNTERMEASURES",
        ]  # fmt: skip
        assert [names[f"5.{n}"] for n in range(1, 7)] == [
            "WHO", "WHO_INV", "WHY", "CHARGES", "PLEAD", "SENTENCE",
        ]  # fmt: skip
        assert names["4.2"] == "IMPORTANCE"


class TestParsing:
    @pytest.mark.parametrize(
        ("marked", "text", "spans"),
        [
            ("Rain.", "Rain.", []),
            ("", "", []),
            ('<aid="4.1">Ice</aid="4.1"> melts', "Ice melts", [(0, 3, "4.1")]),
            (
                'The <aid="4.1">ice</aid="4.1"> <aid="4.3">melts</aid="4.3"> on '
                '<aid="4.1">Greenland</aid="4.1">.',
                "The ice melts on Greenland.",
                [(4, 7, "4.1"), (8, 13, "4.3"), (17, 26, "4.1")],
            ),
            (  # nested
                '<aid="4.3">Warm <aid="4.1">seas</aid="4.1"> rise</aid="4.3">',
                "Warm seas rise",
                [(0, 14, "4.3"), (5, 9, "4.1")],
            ),
            (  # nested in its own aspect
                '<aid="4.1">a<aid="4.1">b</aid="4.1">c</aid="4.1">',
                "abc",
                [(0, 3, "4.1"), (1, 2, "4.1")],
            ),
            (  # adjacent
                '<aid="4.1">a</aid="4.1"><aid="4.1">b</aid="4.1">',
                "ab",
                [(0, 1, "4.1"), (1, 2, "4.1")],
            ),
            (  # crossing
                '<aid="1.1">a<aid="1.2">b</aid="1.1">c</aid="1.2">',
                "abc",
                [(0, 2, "1.1"), (1, 3, "1.2")],
            ),
            ('<aid = "4.1" >a</aid= "4.1">', "a", [(0, 1, "4.1")]),
        ],
    )
    def test_marks_become_spans(self, marked, text, spans):
        assert parse_aspects(marked) == (text, tuple(AspectSpan(*span) for span in spans))

    @pytest.mark.parametrize(
        ("marked", "message"),
        [
            (
                '<aid="4.1">Ice melts',
                'aspect 4.1 is not closed; add </aid="4.1"> where it ends',
            ),
            (
                'Ice</aid="4.1"> melts',
                'aspect 4.1 is closed but not open; add <aid="4.1"> where it begins',
            ),
            (
                '<aid="4.1">Ice</aid="4.2">',
                'aspect 4.2 is closed but not open; add <aid="4.2"> where it begins',
            ),
            ('a<aid="4.1"></aid="4.1">b', "aspect 4.1 marks no text; remove both marks"),
            (
                "<aid=4.1>Ice</aid=4.1>",
                '\'<aid=4.1>\' is not an aspect\'s mark; write <aid="4.1">...</aid="4.1">',
            ),
            (
                'Ice</aid="',
                '\'</aid="\' is not an aspect\'s mark; write <aid="4.1">...</aid="4.1">',
            ),
        ],
    )
    def test_damaged_marks(self, marked, message):
        where = Where("a.txt", line=3)
        assert refusal(FormatError, parse_aspects, marked, where) == f"a.txt, line 3: {message}"


class TestMarking:
    def test_inner_marks_close_first(self):
        marked = mark_aspects(
            "abc", [AspectSpan(1, 3, "2"), AspectSpan(0, 3, "1"), AspectSpan(1, 3, "3")]
        )
        assert marked == '<aid="1">a<aid="2"><aid="3">bc</aid="3"></aid="2"></aid="1">'

    def test_adjacent_spans_close_before_they_open(self):
        marked = mark_aspects("ab", [AspectSpan(0, 1, "1"), AspectSpan(1, 2, "1")])
        assert marked == '<aid="1">a</aid="1"><aid="1">b</aid="1">'

    @given(st.data(), any_text.map(lambda text: "x" + text))
    def test_marks_are_read_back(self, data, text):
        assume("aid" not in text)
        drawn_spans = data.draw(st.lists(spans(len(text)), max_size=4))
        assume(not _crosses_its_own_aspect(drawn_spans))
        assert parse_aspects(mark_aspects(text, drawn_spans)) == (text, tuple(sorted(drawn_spans)))

    @pytest.mark.parametrize(
        ("text", "spans"),
        [
            ("abc", [AspectSpan(0, 4, "1")]),
            ("abc", [AspectSpan(1, 1, "1")]),
            ("abc", [AspectSpan(2, 1, "1")]),
            ("abc", [AspectSpan(-1, 1, "1")]),
            ("abc", [AspectSpan(0, 1, '"')]),
            ("abc", [AspectSpan(0, 1, "")]),
            ("abc", [AspectSpan(0, 2, "1"), AspectSpan(1, 3, "1")]),
            ('a<aid="1">b', []),
        ],
    )
    def test_what_marks_cannot_say(self, text, spans):
        assert refusal(InputError, mark_aspects, text, spans) == (
            f"the spans of {text!r} cannot be written as marks; spans must be inside the text, "
            "must not be empty, and must not cross another span of the same aspect"
        )


def _crosses_its_own_aspect(spans):
    return any(
        a.aspect == b.aspect and a.start < b.start < a.end < b.end for a in spans for b in spans
    )
