import pytest
from hypothesis import given
from hypothesis import strategies as st

from pyramidion.rewriting._articles import is_balanced
from pyramidion.rewriting._noun_phrases.phrases import maximum_phrases
from pyramidion.text import ParsedSentence
from pyramidion.text.parsing import ParsedWord, load_parser
from rewriting.titled_sentences import TITLED_SENTENCES
from rewriting.trees import tree


def texts(written):
    return [phrase.text for phrase in maximum_phrases(tree(written))]


def test_the_sentence_of_figure_4_4():
    # Nenkova (2006), Figure 4.4: police and Augusto Pinochet head the two maximum phrases.
    sentence = tree(
        "British:ADJ:2:modifier police:NOUN:3:subject arrested:VERB:0:root former:ADJ:6:modifier "
        "Chilean:ADJ:6:modifier dictator:NOUN:7:title Augusto:PROPN:3:object "
        "Pinochet:PROPN:7:name _.:PUNCT:3:punctuation"
    )
    phrases = maximum_phrases(sentence)
    assert [phrase.text for phrase in phrases] == [
        "British police",
        "former Chilean dictator Augusto Pinochet",
    ]
    assert [sentence.words[phrase.head].text for phrase in phrases] == ["police", "Augusto"]


@pytest.mark.parametrize("pipeline", ["light", ""])
@pytest.mark.parametrize(("sentence", "phrases"), TITLED_SENTENCES)
def test_a_person_with_a_title_is_one_phrase(pipeline, sentence, phrases):
    if not pipeline:
        pytest.importorskip("spacy", reason="the other parser is that of the extra nlp")
    [words] = load_parser(pipeline).parse([sentence])
    observed = maximum_phrases(ParsedSentence(sentence, tuple(words)))
    assert [phrase.text for phrase in observed] == phrases


def test_postmodifiers_belong_to_a_phrase_and_prepositions_before_it_do_not():
    sentence = tree(
        "In:ADP:3:case the:DET:3:determiner end:NOUN:10:modifier the:DET:5:determiner "
        "fire:NOUN:10:subject that:PRON:7:subject gutted:VERB:5:relative_clause "
        "the:DET:9:determiner ferry:NOUN:7:object died:VERB:0:root"
    )
    phrases = maximum_phrases(sentence)
    assert [phrase.text for phrase in phrases] == ["the end", "the fire that gutted the ferry"]
    assert phrases[1].sentence.between(phrases[1].first, phrases[1].core) == "the fire"


def test_both_sides_of_a_copula_have_a_phrase():
    sentence = (
        "The:DET:2:determiner ship:NOUN:6:subject is:AUX:6:copula an:DET:6:determiner "
        "old:ADJ:6:modifier ferry:NOUN:0:root _.:PUNCT:6:punctuation"
    )
    assert texts(sentence) == ["The ship", "an old ferry"]


def test_pronouns_have_no_phrase():
    assert texts("They:PRON:2:subject saw:VERB:0:root it:PRON:2:object") == []


def test_a_name_goes_on_after_a_noun():
    phrase = maximum_phrases(
        tree(
            "the:DET:2:determiner ferry:NOUN:5:subject Maren:PROPN:2:apposition "
            "Star:PROPN:3:name sank:VERB:0:root"
        )
    )[0]
    assert phrase.sentence.between(phrase.first, phrase.core).split() == [
        "the",
        "ferry",
        "Maren",
        "Star",
    ]


def test_brackets_and_marks_balance():
    assert is_balanced("He (or “she”) said [no] and 'yes'.")
    for text in ('He said "no.', "He (or she", "He) or (she", "“He", "[he)", "{he"):
        assert not is_balanced(text)


tags = st.sampled_from(["NOUN", "PROPN", "VERB", "DET", "ADP", "PUNCT", "CCONJ", "AUX", "PRON"])
relations = st.sampled_from(
    ["root", "subject", "object", "modifier", "name", "case", "copula", "apposition", "conjunct"]
)


@given(st.data(), st.integers(1, 12))
def test_any_tree_gives_phrases_within_its_sentence(data, size):
    # Parsers may be wrong in every way: circles, several roots, heads that are punctuation.
    words, text = [], ""
    for number in range(size):
        head = data.draw(st.integers(0, size - 1))
        words.append(
            ParsedWord(f"w{number}", "w", data.draw(tags), head, data.draw(relations), len(text))
        )
        text += f"w{number} "
    observed = maximum_phrases(ParsedSentence(text, tuple(words)))
    assert len({phrase.head for phrase in observed}) == len(observed)
    for phrase in observed:
        assert 0 <= phrase.first <= phrase.head <= phrase.core <= phrase.last < size
        assert phrase.text == text[phrase.start : phrase.end]
        assert words[phrase.head].tag in ("NOUN", "PROPN")
