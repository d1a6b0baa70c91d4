"""Inputs in other languages than English: sentences, words, and what is said about them."""

import tomllib
from pathlib import Path

import numpy as np
import pytest

from pyramidion.summarizers import Source, summarize
from pyramidion.summarizers.sentences import sentences_of
from pyramidion.text import languages as _languages
from pyramidion.text.encoding import encode
from pyramidion.text.languages import detect_language, stop_list, units_of
from pyramidion.text.tokens import tokenize

# Source: written for this project, with the numbers of sentences.
ARTICLES = tomllib.loads((Path(__file__).parent / "languages.toml").read_text("utf-8"))
#: The words that the three articles are about, as any reader of them would say.
ABOUT = {
    "de": {"erlbach", "dammbruch", "altstadt"},
    "fr": {"digue", "erlbois", "rupture"},
    "es": {"dique", "valdearroyo", "lópez"},
    "ar": {"السد", "وادي", "النور"},
    "zh": {"大坝", "清河", "居民"},
    "ja": {"堤防", "清川", "決壊"},
}


def words_about(code):
    sources = (Source.of_texts([word], language=code) for word in ABOUT[code])
    return {word for source in sources for word in source.words}


@pytest.mark.parametrize("code", ARTICLES)
def test_articles_are_read_in_their_language(code):
    articles = ARTICLES[code]["articles"]
    assert [detect_language([text]) for text in articles] == [code] * len(articles)
    assert [len(sentences_of(text, code)) for text in articles] == ARTICLES[code]["sentences"]
    source = Source.of_texts(articles)
    most = np.argsort(-source.counts, kind="stable")[:7]
    assert {source.words[k] for k in most} >= words_about(code)
    stems = "are not stemmed" if code in ("ja", "zh") else "are stemmed"
    assert source.notes[0].endswith(f"({code}): its stop words are ignored, and words {stems}")


@pytest.mark.parametrize("code", ARTICLES)
def test_summaries_have_whole_sentences_about_the_event(code):
    articles = ARTICLES[code]["articles"]
    extract = summarize(articles, words=80 if code in ("ja", "zh") else 45)
    sentences = {own for text in articles for own in sentences_of(text, code)}
    assert {sentence.text for sentence in extract.sentences} <= sentences
    assert words_about(code) & set(Source.of_texts([extract.text], language=code).words)


def test_words_with_accents_are_whole_in_english_and_stemmed():
    source = Source.of_texts(["Inés López said that López would stay. The rest of them left."])
    assert source.reading.language == "en"
    assert set(source.words) == {"iné", "lópez", "stai", "rest", "leave"}


def test_plain_sentences_are_read_as_the_others_are():
    sentences = ["It rained.", "“It rained” – again…", "López met Peña.", "", "Goats: 3.5%."]
    texts = [sentences, "One\nÉté\ntwo", []]
    observed = encode(texts, tokenizer="unicode")
    words = [
        [observed.words[k] for k in sentence]
        for n in range(3)
        for sentence in observed.sentences_of(n)
    ]
    lines = [*sentences, "One", "Été", "two"]
    assert words[: len(lines)] == [tokenize(own, "unicode") for own in lines]
    assert observed.lengths.tolist() == [sum(map(len, words[:5])), 3, 0]


def test_pairs_of_characters():
    words = tokenize("大坝的裂缝 in 2031", "unicode")
    assert units_of(words, frozenset()) == ["大坝", "裂缝", "in", "2031"]
    assert units_of(["大", "在", "上"], frozenset("在上")) == ["大在"]


@pytest.fixture
def fresh_lists():
    """Read what depends on installed packages anew, in the test and after it."""
    caches = [f for f in vars(_languages).values() if hasattr(f, "cache_clear")]
    for function in caches:
        function.cache_clear()
    yield
    for function in caches:
        function.cache_clear()


@pytest.mark.usefixtures("fresh_lists")
def test_what_is_not_supported_is_said(monkeypatch):
    notes = Source.of_texts(["ฝนตกหนักในเมือง\nถนนถูกปิดทั้งวัน"]).notes
    assert "Thai is not supported, since it does not mark sentences or words" in notes[1]
    _languages.has_stop_lists.cache_clear()
    stop_list.cache_clear()
    monkeypatch.setattr(_languages, "find_spec", lambda name: None)
    note = Source.of_texts(["Es regnete."], language="de").notes[0]
    assert note.endswith("are stemmed (lists of other languages come with pyramidion[nlp])")
    assert detect_language(ARTICLES["de"]["articles"]) == "de"
