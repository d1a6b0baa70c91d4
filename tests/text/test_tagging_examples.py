"""Small examples of `pyramidion.text._tagging`."""

import numpy as np

from models import learned_lemmatizer, rounded
from pyramidion.text._tagging import (
    TagPair,
    Templates,
    Token,
    WordTable,
    batch_of,
    content_only,
    grammar_tokens,
    hash_numbers,
    hash_text,
    is_all_capitals,
    load_tagger,
)


def test_hash_text():
    assert hash_text("rain") == hash_text("rain") != hash_text("mud")


def test_hash_numbers():
    assert len(set(hash_numbers(range(50)).tolist())) == 50


def test_templates():
    templates = Templates([(0,), (1,), (0, 1)])
    seen = np.array([[1, 2], [1, 3], [1, 2]], np.uint32)
    hashed = templates.hashed(seen)
    assert (
        hashed.shape,
        bool((hashed[0] == hashed[2]).all()),
        (hashed[0] == hashed[1]).tolist(),
    ) == ((3, 3), True, [True, False, False])


def test_hashed_weights():
    weights = rounded(np.array([[0.0, 0.0], [1.0, -2.0]]), np.array([5]), 8, step=0.5)
    assert weights.score(np.array([[5, 3], [5, 5]])).tolist() == [[2, -4], [4, -8]]


def test_lemmatizer():
    pairs = [("Rains", "VBZ", "rain"), ("sings", "VBZ", "sing"), ("goes", "VBZ", "go")]
    lemmatizer = learned_lemmatizer(pairs)
    assert [lemmatizer.lemma(word, "VBZ") for word in ("floods", "GOES", "s")] == [
        "flood",
        "go",
        "s",
    ]


def test_token():
    assert Token("rain", 4).end == 8


def test_grammar_tokens():
    assert [
        token.text for token in grammar_tokens("Sen. Snowe's 2-year plan didn't cost $2.5m.")
    ] == [
        "Sen.",
        "Snowe",
        "'s",
        "2",
        "-",
        "year",
        "plan",
        "did",
        "n't",
        "cost",
        "$",
        "2.5",
        "m",
        ".",
    ]
    assert (
        repr(grammar_tokens("U.S. rain"))
        == "[Token(text='U.S.', start=0), Token(text='rain', start=5)]"
    )


def test_word_table():
    table = WordTable({"rain": "NN VB"})
    assert (table.numbers(["Rain", "fell", "fell"]), table.numbers(["RAIN", "FELL"])) == (
        [2, 1, 1],
        [3, 4],
    )


def test_is_all_capitals():
    assert (is_all_capitals(["RAIN", "IN", "ARDEL", "."]), is_all_capitals(["NATO", "met"])) == (
        True,
        False,
    )
    assert is_all_capitals(["RAIN", "FELL", "3rd"]), "what begins with a digit says nothing"


def test_batch_of():
    batch = batch_of([["Rain", "fell"], ["Mud"]], WordTable({}))
    assert (batch.properties.shape, batch.starts.tolist(), batch.word_rows.tolist()) == (
        (9, 9),
        [2, 6],
        [2, 3, 6],
    )


def test_tag_pair():
    assert TagPair("VBD", "AUX").tag == "AUX"


def test_tagger():
    tagger = load_tagger()
    assert [pair.fine for pair in tagger.tag([["Rain", "has", "flooded", "roads", "."]])[0]] == [
        "NN",
        "VBZ",
        "VBN",
        "NNS",
        ".",
    ]


def test_tagger_is_common():
    assert (load_tagger().is_common("winter"), load_tagger().is_common("arafat")) == (True, False)


def test_load_tagger():
    assert load_tagger().lemma("Went", "VBD") == "go"


def test_content_only():
    assert content_only(
        ["They have seen that 12 wet goats could not swim.", "They have goats."]
    ) == ["seen 12 wet goats swim", "have goats"]
