"""How long sentences are."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pyramidion.summarizers import Limit, Source, parse_summarizer
from pyramidion.summarizers.sentences import cut_after, length_of, word_counts
from pyramidion.text import count_words, truncate_words

CHINESE = (
    "昨天阿德尔市下了一场很大的雨。",
    "许多道路因为洪水而关闭了。",
    "学校也停课三天。",
    "市长说情况已经得到控制。",
    "农民的山羊被送到邻近的村庄。",
)
MIXED = "Ardel 市的 桥 被 洪水 冲毁 了。"
TEXTS = st.text(alphabet=" \n　abé1.,。東京カกำ฿ไ", max_size=20)


@pytest.mark.parametrize(
    ("text", "length"),
    [
        ("", 0),
        ("It reopened - after 14 months - in mid-2027.", 9),
        ("Шёл сильный дождь, по-моему.", 4),
        ("서울의 여름은 덥다.", 3),
        ("学校也停课三天。", 7),
        ("iPhone发布了。", 4),
        ("东京　夏天", 4),
        ("In 東京 it rained.", 5),
        (MIXED, 10),
        ("ฝนตกที่นี่", 6),
        ("฿ 500", 2),
    ],
)
def test_by_hand(text, length):
    assert length_of(text) == length


@given(st.text(alphabet=" \t\n\r\f\v\x1c\x85\xa0abé😀.,-", max_size=30))
def test_where_there_are_blanks_words_count_as_everywhere(text):
    assert length_of(text) == count_words(text)
    assert cut_after(text, 2) == truncate_words(text, 2)


@given(st.lists(TEXTS))
def test_many_at_a_time(texts):
    assert word_counts(texts).tolist() == [length_of(text) for text in texts]
    assert length_of("\n".join(texts)) == sum(map(length_of, texts))


@given(TEXTS, st.integers(0, 9))
def test_cuts_have_as_many_words_as_fit(text, limit):
    cut = cut_after(text, limit)
    assert text.startswith(cut)
    assert length_of(cut) == min(limit, length_of(text))


def test_sentences_without_blanks_are_candidates():
    source = Source.of_texts(["".join(CHINESE) + MIXED])
    assert source.texts == (*CHINESE, MIXED)
    assert source.candidates.all()
    assert source.left_out == ()
    assert Source.of_texts(["".join(CHINESE) + "下雨。"]).left_out == ("1 sentence under 5 words",)
    [_, note] = source.notes
    assert note.endswith("so each character counts as a word")
    name = Source.of_texts(["Heavy rain fell in Tokyo (東京). It was very cold there."])
    assert not any("few of them" in note for note in name.notes)


@pytest.mark.parametrize("name", ["sum-avr", "lexrank", "coverage", "lead"])
@pytest.mark.parametrize("fit", ["fill", "stop", "truncate"])
def test_a_limit_counts_characters(name, fit):
    source = Source.of_texts(["".join(CHINESE) + MIXED])
    extract = parse_summarizer(name).summarize(source, Limit(15, fit))
    assert 7 <= extract.words <= 15
    assert len(extract.text.replace("。", "").replace("\n", "")) <= 15 + MIXED.count(" ") + 4
    if fit == "truncate" and name != "coverage":
        assert extract.words == 15
