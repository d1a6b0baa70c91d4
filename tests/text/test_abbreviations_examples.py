"""Small examples of `pyramidion.text._abbreviations`."""

from pyramidion.text._abbreviations import Kind, can_end, lexicon


def test_kind():
    assert repr(lexicon("en").abbreviations["Gov"]) == "<Kind.TITLE: 'Gov. Stroud'>"


def test_lexicon():
    assert "however" in lexicon("en").starters


def test_lexicon_is_common():
    english = lexicon("en")
    assert [english.is_common(word) for word in ("officers", "police", "rogers", "treasury")] == [
        True,
        True,
        False,
        False,
    ]


def test_lexicon_kind():
    assert repr(lexicon("en").kind("Halden", "Corp")) == "<Kind.COMPANY: 'Acme Inc.'>"


def test_lexicon_is_lead_in():
    assert [
        lexicon("en").is_lead_in(text) for text in ("At about 4 a.m", "At 40 he got his Ph.D")
    ] == [True, False]


def test_lexicon_again():
    assert (lexicon("de").has_ordinals, len(lexicon("hi").abbreviations)) == (True, 0)


def test_can_end():
    assert not (
        can_end(Kind.COMPANY, lexicon("en"), before="Acme", word="chairman", next_word="Ed")
    )
    assert can_end(Kind.COMPANY, lexicon("en"), before="Acme", word="shares", next_word="fell")
