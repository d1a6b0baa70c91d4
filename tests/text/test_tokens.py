"""The two tokenizers."""

import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pyramidion.errors import InputError, NotFoundError
from pyramidion.text import TOKENIZERS, tokenize

# One sentence or phrase a script, written for this test, with the words a reader would count.
SCRIPTS = {
    "Latin with accents": ("Où l'été à Besançon?", ["où", "l", "été", "à", "besançon"]),
    "Vietnamese": ("Hà Nội, Việt Nam", ["hà", "nội", "việt", "nam"]),
    "Greek": ("Ο ΔΡΟΜΟΣ, ο δρόμος", ["ο", "δρομοσ", "ο", "δρόμοσ"]),
    "Cyrillic": ("Мост открыли в 2027-м.", ["мост", "открыли", "в", "2027", "м"]),
    "Armenian": ("Կամուրջը բաց է։", ["կամուրջը", "բաց", "է"]),
    "Georgian": ("ხიდი გაიხსნა.", ["ხიდი", "გაიხსნა"]),
    "Hebrew with points": ("שָׁלוֹם, עוֹלָם", ["שָׁלוֹם", "עוֹלָם"]),
    "Arabic with points": ("فُتِحَ الجِسرُ، عام ٢٠٢٧", ["فُتِحَ", "الجِسرُ", "عام", "2027"]),
    "Persian with joiners": ("می‌رود به خانه", ["میرود", "به", "خانه"]),
    "Devanagari": ("पुल फिर खुला।", ["पुल", "फिर", "खुला"]),
    "Bengali": ("সেতুটি খুলেছে।", ["সেতুটি", "খুলেছে"]),
    "Tamil": ("பாலம் திறந்தது.", ["பாலம்", "திறந்தது"]),
    "Telugu": ("వంతెన తెరిచారు", ["వంతెన", "తెరిచారు"]),
    "Sinhala": ("පාලම විවෘත විය", ["පාලම", "විවෘත", "විය"]),
    "Tibetan": ("ཟམ་པ་", ["ཟམ", "པ"]),
    "Ethiopic": ("ድልድይ፡ተከፈተ።", ["ድልድይ", "ተከፈተ"]),
    "Hangul": ("다리가 다시 열렸다.", ["다리가", "다시", "열렸다"]),
    "Han": ("大橋2027年重開。", ["大", "橋", "2027", "年", "重", "開"]),
    "Kana": ("橋がひらくバス", ["橋", "が", "ひ", "ら", "く", "バ", "ス"]),
    "Thai": ("สะพานเปิด", ["ส", "ะ", "พ", "า", "น", "เ", "ปิ", "ด"]),
    "Lao": ("ຂົວ", ["ຂົ", "ວ"]),
    "Khmer": ("ស្ពាន", ["ស្", "ពា", "ន"]),
    "Myanmar": ("တံတား", ["တံ", "တား"]),
    "beyond the first plane": ("𐐔𐐯𐑅 𠀋𠮷", ["𐐼𐐯𐑅", "𠀋", "𠮷"]),
}


@pytest.mark.parametrize("script", SCRIPTS)
def test_words_of_any_script(script):
    text, expected = SCRIPTS[script]
    assert tokenize(text, "unicode") == [unicodedata.normalize("NFC", word) for word in expected]
    assert tokenize(text.encode(), "unicode") == tokenize(text, "unicode")


def test_scripts_without_spaces_end_where_their_blocks_end():
    """The first and last letters of the blocks of Unicode, and letters of the blocks beside."""
    inside = (
        "\u0e01\u0edf\u1000\u1780\u1950\u19c0\u1a20\u1aa7\u3005\u3007\u3021\u312f\u31a0\u31ff"
        "\u3400\u4dbf\u4e00\u9fff\ua9e0\ua9fe\uaa60\uaadd\uf900\ufad9"
    )
    outside = "\u0dc6\u10a0\u1100\u1820\u1b05\u3131\ua000\ua4d0\ua984\uaa00\uaae0\uac00\ufb00"
    numbers = [[len(tokenize(f"a{c}b", "unicode")) for c in text] for text in (inside, outside)]
    assert numbers == [[3] * len(inside), [1] * len(outside)]


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("Straße", "STRASSE"),
        ("İstanbul", "istanbul"),
        ("I\u0307stanbul", "istanbul"),
        ("m’yach mʼyach", "m'yach m'yach"),
        ("ＮＨＫ１２", "nhk12"),
        ("ﾊﾞｽ", "バス"),
        ("ﻛﺘﺎﺏ", "كتاب"),
        ("كتـــاب", "كتاب"),
        ("co\u00adoperate", "cooperate"),
        ("ﬁle", "file"),
        ("か\u3099", "が"),
        ("漢\ufe00字", "漢字"),
        ("\u200fשלום\u200e", "שלום"),
        ("๒๕๗๐", "2570"),
    ],
)
def test_forms_of_one_word_are_equal(left, right):
    assert tokenize(left, "unicode") == tokenize(right, "unicode") != []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Korea's O’Donnell", ["korea", "s", "o", "donnell"]),
        ("naïve_café", ["naïve", "café"]),
        ("ŉ dag", ["n", "dag"]),
        ("é3.75%", ["é3", "75"]),
        ("ok 👍🏽 été", ["ok", "été"]),
        ("a\u200bé", ["a", "é"]),
        ("\u0301 é \u0301", ["é"]),
        ("ไทยabc日本x", ["ไ", "ท", "ย", "abc", "日", "本", "x"]),
        ("日\ud800本", ["日", "本"]),
        ("…", []),
    ],
)
def test_what_separates(text, expected):
    assert tokenize(text, "unicode") == expected


@given(st.text(st.characters(max_codepoint=127)))
def test_the_tokenizers_agree_on_ascii(text):
    assert tokenize(text, "unicode") == tokenize(text, "rouge")
    # A letter beyond ASCII sends the same text down the long way.
    assert tokenize(f"{text} é", "unicode") == [*tokenize(text, "rouge"), "é"]


@given(st.text())
def test_composed_and_decomposed_text_have_the_same_words(text):
    decomposed = unicodedata.normalize("NFD", text)
    assert tokenize(decomposed, "unicode") == tokenize(text, "unicode")


@given(st.text())
def test_words_are_words_and_stay_what_they_are(text):
    words = tokenize(text, "unicode")
    assert all(word[0].isalnum() and not re.search(r"[\s_]", word) for word in words)
    assert tokenize(" ".join(words), "unicode") == words


@given(st.text(), st.text())
def test_a_blank_separates(left, right):
    assert tokenize(f"{left} {right}", "unicode") == [
        *tokenize(left, "unicode"),
        *tokenize(right, "unicode"),
    ]


def test_rouge_takes_any_bytes():
    assert tokenize(b"caf\xe9 \xff noir") == ["caf", "noir"]
    assert tokenize("Café noir") == ["caf", "noir"]


def test_unicode_refuses_bytes_that_are_not_utf8():
    with pytest.raises(InputError, match=r"not UTF-8: byte 0xe9 at position 3; decode it first"):
        tokenize(b"caf\xe9", "unicode")


@pytest.mark.parametrize("wrong", [None, float("nan"), ["a"]])
@pytest.mark.parametrize("tokenizer", TOKENIZERS)
def test_what_is_not_text_is_refused(wrong, tokenizer):
    with pytest.raises(InputError, match=f"a text is {type(wrong).__name__} instead of str"):
        tokenize(wrong, tokenizer)


@pytest.mark.parametrize("name", ["Rouge", "", None, []])
def test_an_unknown_tokenizer_lists_the_known_ones(name):
    with pytest.raises(NotFoundError, match=re.escape(f"`{name}`; use rouge or unicode")):
        tokenize("text", name)


def test_the_tokenizers_are_these():
    assert list(TOKENIZERS) == ["rouge", "unicode"]
