"""Tokens for grammar, parts of speech and base forms."""

import gzip
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from models import learned_lemmatizer, lemma_header, packed, rounded, write_model
from pyramidion.errors import InputError
from pyramidion.text._tagging import (
    HashedWeights,
    Lemmatizer,
    Tagger,
    content_only,
    grammar_tokens,
    load_tagger,
    read_model,
)
from support import shared_file

# As the guidelines of Universal Dependencies for English cut words.
CUTS = {
    "They don't, can't and cannot.": "They do n't , ca n't and can not .",
    "It’s Ada’s; we’ll see": "It ’s Ada ’s ; we ’ll see",
    "the students' goats": "the students ' goats",
    "a 15-year-old co-founder": "a 15 - year - old co-founder",
    "Sen. O'Connor (R-Maine) met Mr. J. Lee": "Sen. O'Connor ( R - Maine ) met Mr. J. Lee",
    "$2.5 million, 3% of US$9.": "$ 2.5 million , 3 % of US$ 9 .",
    "Gen. Park Sung-ho, a Taiwan-based man": "Gen. Park Sung-ho , a Taiwan - based man",
    "in the U.S. at 5 p.m. on Sept. 11": "in the U.S. at 5 p.m. on Sept. 11",
    "on 9/11, at 7:30pm, in the 1980s": "on 9/11 , at 7:30 pm , in the 1980s",
    "Well... no!!! (See http://a.org/b.)": "Well ... no !!! ( See http://a.org/b . )",
    "and/or me@b.com -- gonna": "and / or me@b.com -- gon na",
    '"Rain," he said.': '" Rain , " he said .',
}


@pytest.mark.parametrize("sentence", CUTS)
def test_tokens(sentence):
    assert [token.text for token in grammar_tokens(sentence)] == CUTS[sentence].split()


@given(st.text())
def test_tokens_hold_every_character_but_blanks(text):
    tokens = grammar_tokens(text)
    assert all(text[token.start : token.end] == token.text for token in tokens)
    assert all(left.end <= right.start for left, right in pairwise(tokens))
    assert "".join(token.text for token in tokens) == "".join(text.split())


def tags(sentence):
    words = [token.text for token in grammar_tokens(sentence)]
    return [f"{pair.fine}/{pair.tag}" for pair in load_tagger().tag([words])[0]]


# Told by hand.
TAGGED = {
    "The mayor said that rain had flooded the roads.": (
        "DT/DET NN/NOUN VBD/VERB IN/SCONJ NN/NOUN VBD/AUX VBN/VERB DT/DET NNS/NOUN ./PUNCT"
    ),
    "She is old and has three goats in Paris.": (
        "PRP/PRON VBZ/AUX JJ/ADJ CC/CCONJ VBZ/VERB CD/NUM NNS/NOUN IN/ADP NNP/PROPN ./PUNCT"
    ),
    "Do you want to go?": "VBP/AUX PRP/PRON VB/VERB TO/PART VB/VERB ./PUNCT",
    "Her plans can't work.": "PRP$/PRON NNS/NOUN MD/AUX RB/PART VB/VERB ./PUNCT",
}


@pytest.mark.parametrize("sentence", TAGGED)
def test_tags(sentence):
    assert tags(sentence) == TAGGED[sentence].split()


def test_capitals_do_not_make_names():
    assert tags("THE TEACHER SAID THAT RAIN HAD FLOODED THE ROADS.") == tags(
        "The teacher said that rain had flooded the roads."
    )
    assert tags("Rain fell.")[0] == "NN/NOUN"


def test_a_sentence_is_tagged_alike_alone_and_among_others():
    sentences = [sentence.split() for sentence in CUTS.values()] + [[], ["Rain"]]
    tagger = load_tagger()
    assert tagger.tag(sentences) == [tagger.tag([sentence])[0] for sentence in sentences]
    assert tagger.tag([]) == []


@given(st.lists(st.lists(st.text(min_size=1)), max_size=5))
def test_anything_gets_tags(sentences):
    assert [len(pairs) for pairs in load_tagger().tag(sentences)] == list(map(len, sentences))


def test_long_and_many(monkeypatch):
    tagger = load_tagger()
    monkeypatch.setattr("pyramidion.text._tagging._PORTION_WORDS", 50)
    sentences = [["Rain", "fell", "."] * 300, ["Goats", "ran"]] * 3
    tagged = tagger.tag(sentences)
    assert list(map(len, tagged)) == [900, 2] * 3
    assert tagged[0] == tagged[2] == tagged[4]


@pytest.mark.parametrize(
    ("word", "fine", "lemma"),
    [
        *(("Went", "VBD", "go"), ("children", "NNS", "child"), ("better", "JJR", "good")),
        *(("was", "VBD", "be"), ("n't", "RB", "not"), ("cities", "NNS", "city")),
        # Not in the treebanks.
        *(("flimflammed", "VBD", "flimflam"), ("gribbles", "NNS", "gribble"), ("", "NN", "")),
    ],
)
def test_base_forms(word, fine, lemma):
    assert load_tagger().lemma(word, fine) == lemma


def test_base_forms_are_learned():
    examples = [("walked", "VBD", "walk"), ("talked", "VBD", "talk"), ("ate", "VBD", "eat")]
    learned = learned_lemmatizer(examples)
    assert [learned.lemma(word, fine) for word, fine, _ in examples] == ["walk", "talk", "eat"]
    assert learned.lemma("stalked", "VBD") == "stalk"
    assert Lemmatizer.from_header(lemma_header(learned)).words == learned.words


def accuracy(part):
    right = total = 0
    words, gold = [[]], []
    with gzip.open(
        shared_file(f"data/treebanks/{part}.conllu.gz"), "rt", encoding="utf-8"
    ) as lines:
        for line in lines:
            fields = line.split("\t")
            if len(fields) > 4 and fields[0].isdigit():
                words[-1].append(fields[1])
                gold.append(fields[4])
            elif words[-1] and not line.strip():
                words.append([])
    predicted = [pair.fine for pairs in load_tagger().tag(words) for pair in pairs]
    right = sum(tag == two for tag, two in zip(predicted, gold, strict=True))
    total = len(gold)
    return right / total


@pytest.mark.parametrize("part", ["ewt-dev", "gum-open-dev"])
def test_accuracy_on_the_treebanks_development_parts(part):
    # The bar of the tagger: 93.5 % of the Penn Treebank's tags.
    assert accuracy(part) >= 0.935


def test_content_words():
    assert content_only([]) == []
    assert content_only(["It must have been done.", "2 big RAINS, Ada!"]) == [
        "done",
        "2 big RAINS Ada",
    ]


@given(st.data())
def test_weights_are_read_as_they_were_written(data):
    values = data.draw(st.lists(st.lists(st.integers(-200, 200), min_size=3, max_size=3)))
    keys = np.array(sorted(data.draw(st.sets(st.integers(0, 999), max_size=len(values)))), int)
    matrix = np.array([[0, 0, 0], *values[: len(keys)]], float)
    weights = rounded(matrix, keys, 1000, step=2)
    again = HashedWeights.unpack(*packed(weights))
    assert np.array_equal(again.matrix, weights.matrix)
    assert np.array_equal(again.rows, weights.rows)
    expected = np.rint(matrix / 2).clip(-127, 127)[1:]
    assert np.array_equal(again.score(keys[:, None]), expected)


def test_a_model_that_is_none_is_refused(tmp_path):
    path = tmp_path / "x.model"
    with pytest.raises(InputError, match=r"x.model: a model cannot be read \(No such file"):
        read_model(path)
    for data in (b"", b"rain", b"pyramidion model 1\nrain"):
        path.write_bytes(data)
        with pytest.raises(InputError, match="it is not a model"):
            Tagger.read(path)
    weights = rounded(np.zeros((1, 2)), np.zeros(0, int), 8, step=1)
    write_model(path, {"name": "é"}, weights)
    assert read_model(path)[0]["name"] == "é"
