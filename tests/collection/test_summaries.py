import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from collection.refusals import refusal
from collection.strategies import summaries
from pyramidion.collection.summaries import AspectSpan, Summary, default_role, parse_aspects
from pyramidion.errors import FormatError, InputError, Where
from pyramidion.files.reading import Record

HERE = Where("summaries.jsonl", line=3)


def read(data):
    return Summary.from_record(Record(data, HERE))


def read_with(**data):
    return read({"topic": "T1", "system": "17", "text": "Rain."} | data)


class TestAddressAndRole:
    def test_address(self):
        summary = Summary("T1", "17", "Rain.", task="A")
        assert summary.key == ("A", "T1", "17")
        assert summary.name == "the summary of topic T1, task A by 17"
        assert Summary("T1", "17", "").name == "the summary of topic T1 by 17"

    @pytest.mark.parametrize(
        ("kind", "role", "is_peer", "is_reference"),
        [
            ("human", "both", True, True),
            ("machine", "peer", True, False),
        ],
    )
    def test_role_goes_with_the_kind(self, kind, role, is_peer, is_reference):
        summary = Summary("T1", "x", "", kind=kind)
        assert summary.role == role == default_role(kind)
        assert (summary.is_peer, summary.is_reference) == (is_peer, is_reference)

    def test_given_role_holds(self):
        student = Summary("T1", "x", "", kind="human", role="peer")
        assert (student.is_peer, student.is_reference) == (True, False)
        reference = Summary("T1", "x", "", kind="machine", role="reference")
        assert (reference.is_peer, reference.is_reference) == (False, True)

    def test_sentences_are_a_tuple(self):
        summary = Summary("T1", "17", ["Rain fell.", "Roads closed."])
        assert summary == Summary("T1", "17", ("Rain fell.", "Roads closed."))
        assert summary.plain == "Rain fell. Roads closed."

    def test_words_stand_between_blanks(self):
        assert Summary("T1", "17", " The U.S. - paid\n$3.5  million. ").words == 6
        assert Summary("T1", "17", ("Rain fell.", "", "Roads closed.")).words == 4
        assert Summary("T1", "17", "").words == 0

    @pytest.mark.parametrize(
        ("fields", "message"),
        [
            (
                {"topic": ""},
                "the summary of topic by 17 has no topic or no system; "
                "give it a topic and a system",
            ),
            (
                {"system": ""},
                "the summary of topic T1 by has no topic or no system; "
                "give it a topic and a system",
            ),
            (
                {"kind": "Human"},
                "the kind of the summary of topic T1 by 17 is 'Human'; use one of: human, machine",
            ),
            (
                {"role": "model"},
                "the role of the summary of topic T1 by 17 is 'model'; "
                "use one of: peer, reference, both",
            ),
        ],
    )
    def test_unsound(self, fields, message):
        assert (
            refusal(InputError, Summary, **({"topic": "T1", "system": "17", "text": ""} | fields))
            == message
        )


class TestTruncation:
    def test_100_space_delimited_words(self):
        words = [f"w{number}" for number in range(150)]
        cut = Summary("T1", "17", " ".join(words)).truncated()
        assert cut.text == " ".join(words[:100])
        assert cut.words == 100

    def test_punctuation_between_blanks_is_a_word(self):
        assert Summary("T1", "17", "a - b , c").truncated(3).text == "a - b"

    def test_what_fits_is_left_as_it_is(self):
        summary = Summary("T1", "17", "  a  b\n", aspects=(AspectSpan(2, 6, "1.1"),))
        assert summary.truncated(2) == summary
        assert summary.truncated(100) == summary

    def test_last_sentence_may_be_cut(self):
        summary = Summary("T1", "17", ("Rain fell.", "Roads closed in Oslo.", "So?"))
        assert summary.truncated(3).text == ("Rain fell.", "Roads")
        assert summary.truncated(2).text == ("Rain fell.",)
        assert summary.truncated(0).text == ()

    def test_spans_are_cut(self):
        text, spans = parse_aspects(
            '<aid="1.1">Rain fell</aid="1.1"> '
            '<aid="1.3">on <aid="1.2">old Oslo</aid="1.2"></aid="1.3">'
        )
        cut = Summary("T1", "17", text, aspects=spans).truncated(4)
        assert cut.text == "Rain fell on old"
        assert cut.aspects == (
            AspectSpan(0, 9, "1.1"),
            AspectSpan(10, 16, "1.3"),
            AspectSpan(13, 16, "1.2"),
        )
        assert cut.truncated(2).aspects == (AspectSpan(0, 9, "1.1"),)
        assert cut.truncated(0).aspects == ()

    @given(summaries(), st.integers(0, 12))
    def test_cut_is_a_beginning_with_the_spans_of_it(self, summary, limit):
        cut = summary.truncated(limit)
        assert summary.plain.startswith(cut.plain)
        assert cut.words == min(summary.words, limit)
        for span in cut.aspects:
            assert 0 <= span.start < span.end <= len(cut.plain)
        inside = [span for span in summary.aspects if span.start < len(cut.plain)]
        assert [span.aspect for span in cut.aspects] == [span.aspect for span in inside]
        assert cut.truncated(limit) == cut
        assert (cut.key, cut.kind, cut.role) == (summary.key, summary.kind, summary.role)


class TestAspects:
    def test_spans_count_in_the_joined_sentences(self):
        sentences = ("Ice melts.", "Seas rise.")
        Summary("T1", "17", sentences, aspects=(AspectSpan(11, 21, "4.2"),))
        assert refusal(
            InputError, Summary, "T1", "17", sentences, aspects=(AspectSpan(11, 22, "4.2"),)
        ) == (
            "aspect 4.2 of the summary of topic T1 by 17 spans 11 to 22; "
            "the summary has 21 characters"
        )

    @pytest.mark.parametrize("span", [(-1, 2), (2, 2), (3, 2), (0, 6)])
    def test_spans_outside_the_text(self, span):
        with pytest.raises(InputError, match=r"aspect 4\.1 of the summary of topic T1 by 17 spans"):
            Summary("T1", "17", "Rain.", aspects=(AspectSpan(*span, "4.1"),))  # type: ignore[call-arg]


class TestRecords:
    @given(summaries())
    def test_line_reads_back(self, summary):
        line = summary.to_line()
        assert line.count("\n") == 1
        assert read(json.loads(line)) == summary

    def test_text_comes_last(self):
        line = Summary("T1", "17", "Rain.", task="A", extra={"note": 1}).to_line()
        assert line == (
            '{"task": "A", "topic": "T1", "system": "17", "kind": "machine", "role": "peer", '
            '"text": "Rain.", "note": 1}\n'
        )

    @pytest.mark.parametrize(
        ("fields", "kind", "role"),
        [
            ({}, "machine", "peer"),
            ({"kind": "machine"}, "machine", "peer"),
            ({"kind": "human"}, "human", "both"),
            ({"role": "reference"}, "human", "reference"),
            ({"role": "peer"}, "machine", "peer"),
            ({"kind": "human", "role": "peer"}, "human", "peer"),
            ({"kind": "machine", "role": "reference"}, "machine", "reference"),
            ({"role": None, "kind": None}, "machine", "peer"),
        ],
    )
    def test_defaults(self, fields, kind, role):
        summary = read_with(**fields)
        assert (summary.kind, summary.role) == (kind, role)

    def test_ids_may_be_numbers(self):
        assert read_with(topic=901, system=17, task=1).key == ("1", "901", "17")

    def test_sentences(self):
        assert read_with(text=["Rain.", ""]).text == ("Rain.", "")
        assert read_with(text=[]).text == ()

    def test_empty_text_is_allowed(self):
        assert read_with(text="").text == ""

    def test_unknown_fields_are_kept(self):
        summary = read_with(note={"by": "me"}, length=2)
        assert summary.extra == {"note": {"by": "me"}, "length": 2}
        assert json.loads(summary.to_line())["note"] == {"by": "me"}

    def test_spans_are_kept(self):
        spans = [{"aspect": "4.1", "start": 0, "end": 4}, {"aspect": 4, "start": 1, "end": 2}]
        summary = read_with(aspects=spans)
        assert summary.aspects == (AspectSpan(0, 4, "4.1"), AspectSpan(1, 2, "4"))
        assert read(json.loads(summary.to_line())) == summary

    @pytest.mark.parametrize(
        ("fields", "message"),
        [
            ({"text": None}, "`text` is null, not text; write it as text"),
            ({"text": float("nan")}, "`text` is nan, not text; write it as text"),
            ({"text": 3}, "`text` is 3, not text; write it as text"),
            ({"text": {}}, "`text` is an object, not text; write it as text"),
            (
                {"text": ["a", None]},
                "`text` is a list, not a list of texts; write it as a list of texts",
            ),
            ({"topic": ""}, "`topic` is empty; give `topic` a value"),
            ({"topic": None}, "`topic` is null, not text; write it as text"),
            ({"system": 1.5}, "`system` is 1.5, not text; write it as text"),
            ({"system": True}, "`system` is true or false, not text; write it as text"),
            ({"kind": "robot"}, "`kind` is 'robot'; write one of: human, machine"),
            ({"kind": "Human"}, "`kind` is 'Human'; write one of: human, machine"),
            ({"role": "model"}, "`role` is 'model'; write one of: peer, reference, both"),
        ],
    )
    def test_bad_fields(self, fields, message):
        assert refusal(FormatError, read_with, **fields) == f"summaries.jsonl, line 3: {message}"

    @pytest.mark.parametrize("name", ["topic", "system", "text"])
    def test_missing_fields(self, name):
        data = {"topic": "T1", "system": "17", "text": "Rain."}
        del data[name]
        assert refusal(FormatError, read, data) == (
            f"summaries.jsonl, line 3: `{name}` is missing; add it as text"
        )

    def test_bad_span_names_its_place(self):
        spans = [{"aspect": "4.1", "start": 0}]
        assert refusal(FormatError, read_with, aspects=spans) == (
            "summaries.jsonl, line 3, aspects no. 1: `end` is missing; add it as a whole number"
        )
