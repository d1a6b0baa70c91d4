import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from collection.refusals import refusal
from collection.strategies import any_text, json_values
from pyramidion.errors import FormatError, Where
from pyramidion.files.reading import Record, json_line, read_list, read_records

HERE = Where("a.jsonl", line=2)


def record(**data):
    return Record(data, HERE)


@pytest.fixture
def file(tmp_path):
    return tmp_path / "a.jsonl"


class TestFields:
    def test_text(self):
        assert record(a="x").text("a") == "x"
        assert record(a="").text("a", "") == ""
        assert record(a=None).text("a", "default") == "default"
        assert record().text("a", "default") == "default"

    @pytest.mark.parametrize(
        ("data", "message"),
        [
            ({}, "`a` is missing; add it as text"),
            ({"a": ""}, "`a` is empty; give `a` a value"),
            ({"a": None}, "`a` is null, not text; write it as text"),
            ({"a": 3}, "`a` is 3, not text; write it as text"),
            ({"a": float("nan")}, "`a` is nan, not text; write it as text"),
            ({"a": True}, "`a` is true or false, not text; write it as text"),
            ({"a": ["x"]}, "`a` is a list, not text; write it as text"),
            ({"a": {}}, "`a` is an object, not text; write it as text"),
        ],
    )
    def test_values_that_are_not_text(self, data, message):
        assert refusal(FormatError, record(**data).text, "a") == f"a.jsonl, line 2: {message}"

    def test_identifier_may_be_a_whole_number(self):
        assert record(a=17).identifier("a") == "17"
        assert record(a=0).identifier("a") == "0"
        assert record(a="017").identifier("a") == "017"
        assert record().identifier("a", "") == ""

    @pytest.mark.parametrize("value", [17.0, True])
    def test_other_numbers_are_no_identifiers(self, value):
        assert "`a` is" in refusal(FormatError, record(a=value).identifier, "a")

    def test_choice(self):
        assert record(a="x").choice("a", ("x", "y")) == "x"
        assert record().choice("a", ("x", "y"), "y") == "y"
        assert refusal(FormatError, record(a="z").choice, "a", ("x", "y"), "y") == (
            "a.jsonl, line 2: `a` is 'z'; write one of: x, y"
        )

    def test_number(self):
        assert record(a=3).number("a") == 3.0
        assert record(a=-0.5).number("a") == -0.5

    @pytest.mark.parametrize(
        ("value", "shown"),
        [
            (float("nan"), "nan"),
            (float("-inf"), "-inf"),
            (10**400, "too large"),
        ],
    )
    def test_number_is_finite(self, value, shown):
        assert refusal(FormatError, record(a=value).number, "a") == (
            f"a.jsonl, line 2: `a` is {shown}; leave out records without a value"
        )

    @pytest.mark.parametrize("value", ["3", None, True, [3]])
    def test_values_that_are_not_numbers(self, value):
        assert refusal(FormatError, record(a=value).number, "a").endswith("write it as a number")

    def test_whole_number(self):
        assert record(a=0).whole_number("a") == 0

    @pytest.mark.parametrize("value", [-1, 1.0, True, "1", None])
    def test_values_that_are_not_whole_numbers(self, value):
        message = refusal(FormatError, record(a=value).whole_number, "a")
        assert message.endswith("write it as a whole number")

    def test_texts(self):
        assert record(a=["x", ""]).texts("a") == ("x", "")
        assert record().texts("a") == ()

    @pytest.mark.parametrize("value", ["x", ["x", 1], {}])
    def test_what_are_no_texts(self, value):
        message = refusal(FormatError, record(a=value).texts, "a")
        assert message.endswith("write it as a list of texts")

    def test_records_know_where_they_are(self):
        inner = list(record(a=[{"b": 1}, {}]).records("a"))
        assert [str(item.where) for item in inner] == [
            "a.jsonl, line 2, a no. 1",
            "a.jsonl, line 2, a no. 2",
        ]
        assert list(record().records("a")) == []

    def test_what_are_no_records(self):
        assert refusal(FormatError, list, record(a={}).records("a")) == (
            "a.jsonl, line 2: `a` is an object, not a list of objects; "
            "write it as a list of objects"
        )
        assert refusal(FormatError, list, record(a=[1]).records("a")) == (
            "a.jsonl, line 2: `a` no. 1 is not an object; write {...}"
        )

    def test_rest_is_what_nobody_took(self):
        data = record(a=1, b="x", c=None)
        data.text("b")
        data.take("absent")
        assert data.rest() == {"a": 1, "c": None}


class TestLines:
    def read(self, file, text):
        file.write_text(text, encoding="utf-8")
        return list(read_records(file))

    def test_blank_lines_are_passed_over_but_counted(self, file):
        records = self.read(file, '\n{"a": 1}\r\n  \n{"a": 2}\n\n')
        assert [(item.where.line, item.data["a"]) for item in records] == [(2, 1), (4, 2)]

    def test_records_of_a_list_are_numbered_like_lines(self, file):
        file.write_text('[{"a": 1},\n\n {"a": 2}]', encoding="utf-8")
        assert [(item.where.line, item.data["a"]) for item in read_list(file)] == [(1, 1), (2, 2)]

    @pytest.mark.parametrize("text", ["", "\n \n", "\ufeff"])
    def test_empty_file(self, file, text):
        assert refusal(FormatError, self.read, file, text) == (
            f"{file}: the file is empty; one JSON object per line"
        )

    @pytest.mark.parametrize(
        ("line", "message"),
        [
            (
                '{"a": "cut o',
                "this is not JSON (Unterminated string starting at at column 7); "
                "one JSON object per line; the file may be cut off",
            ),
            (
                '{"a": 1} {"a": 2}',
                "this is not JSON (Extra data at column 10); "
                "one JSON object per line; the file may be cut off",
            ),
            ("[1]", "this is not a JSON object; write {...}"),
            ('"text"', "this is not a JSON object; write {...}"),
            ('{"a": 1, "b": 2, "a": 3}', "`a` occurs twice; keep one"),
            ('{"b": [{"c": 1, "c": 1}]}', "`c` occurs twice; keep one"),
            (
                '{"a": "\\ud83d!"}',
                "half of a surrogate pair is not valid text; remove the \\u...",
            ),
            (
                '{"\\uD83D": 1}',
                "half of a surrogate pair is not valid text; remove the \\u...",
            ),
            (
                '{"a": ' + "9" * 5000 + "}",
                "the JSON is nested too deeply or has too long a number; fix it",
            ),
            (
                '{"a": ' + "[" * 100_000 + "]" * 100_000 + "}",
                "the JSON is nested too deeply or has too long a number; fix it",
            ),
        ],
    )
    def test_line_that_is_not_an_object(self, file, line, message):
        text = f'{{"a": 1}}\n{line}\n'
        assert refusal(FormatError, self.read, file, text) == f"{file}, line 2: {message}"

    def test_whole_surrogate_pair_is_text(self, file):
        assert self.read(file, '{"a": "\\ud83d\\ude42"}')[0].text("a") == "🙂"

    def test_records_before_the_wrong_one_are_given(self, file):
        file.write_text('{"a": 1}\n{"a":')
        records = read_records(file)
        assert next(records).data == {"a": 1}
        with pytest.raises(FormatError, match="line 2"):
            next(records)


class TestWriting:
    def test_empty_fields_are_left_out(self):
        fields = [("a", ""), ("b", None), ("c", ()), ("d", []), ("e", 0), ("f", "ü")]
        assert json_line(fields, {}) == '{"e": 0, "f": "ü"}\n'

    def test_kept_fields_may_be_empty(self):
        assert json_line([("a", "x")], {"text": "", "note": None}) == (
            '{"a": "x", "text": "", "note": null}\n'
        )

    @given(st.dictionaries(any_text, json_values))
    def test_one_line_that_reads_back(self, data):
        line = json_line([], data)
        assert line.count("\n") == 1
        assert json.loads(line) == data
