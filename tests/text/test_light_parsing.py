"""The light parser."""

import json
import random
import time
from importlib.util import find_spec

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pyramidion.text import split_sentences
from pyramidion.text._light.name_model import LABELS, best_labels, cases_of, spans_of
from pyramidion.text._light.name_words import name_words
from pyramidion.text._light.names import LightName, Roles
from pyramidion.text._light.parsing import LightParser, repair, with_main_verb
from pyramidion.text._light.trees import (
    LEFT_MOVE,
    RIGHT_MOVE,
    SHIFT_MOVE,
    LightTree,
    States,
    rows_of,
)
from pyramidion.text._tagging import TagPair, Token, grammar_tokens, load_tagger
from pyramidion.text.parsing import RELATIONS, load_parser
from support import shared_file
from text.light_scoring import people_gold, score, written

PARSER = LightParser()
PIECES = (
    *("Ada", "Lee", "Sen.", "mayor", "of", "Ardel", ",", "who", "whose", "that", "left", "told"),
    *(
        "said",
        "the",
        "old",
        "goats",
        ".",
        "-",
        "and",
        "'s",
        "was",
        "41",
        '"',
        "to",
        "rain",
        "(",
        "\0",
    ),
)


def is_tree(heads):
    """Whether there is one root and every word leads to it."""
    above = list(heads)
    for _ in heads:
        above = [heads[index] for index in above]
    roots = {index for index, head in enumerate(heads) if head == index}
    return not heads or (len(roots) == 1 and set(above) == roots)


def relations(sentence):
    words = PARSER.parse([sentence])[0]
    return {(words[word.head].text, word.text): word.relation for word in words}


def names(*sentences):
    return [
        [(word.text, word.entity) for word in words if word.entity]
        for words in PARSER.parse(sentences)
    ]


def test_sentences_in_the_manner_of_news():
    counts, missed = score(PARSER, written())
    assert counts["name"] == counts["name", "all"], missed
    assert counts["title"] == counts["title", "all"], missed
    assert counts["apposition"] == counts["apposition", "all"], missed
    assert counts["relative"] == counts["relative", "all"], missed
    # 106 of 116 when this was written: a floor, lest a change of the rules costs some.
    assert counts["relation"] >= 104, missed


def test_the_projects_gold():
    gold = people_gold(json.loads(shared_file("gold/people.json").read_text())["news"])
    counts, missed = score(PARSER, gold)
    # Bars of the light path: 9 of 11 names; the pure-Python trial of spec/nlp.md had 52 of 62.
    assert counts["name"] >= 9, missed
    assert counts["relation"] >= 52, missed


@pytest.mark.parametrize(
    ("sentence", "verb", "fine"),
    [
        # What the tagger takes for a participle is the only verb of the sentence.
        ("Protesters pelted city officials with eggs.", "pelted", "VBD"),
        ("Banks raised interest rates.", "raised", "VBD"),
        ("Local officials blamed heavy rain.", "blamed", "VBD"),
        ("Police detained former soldiers.", "detained", "VBD"),
        # It has another one, or no object.
        ("Children abandoned by smugglers were found.", "abandoned", "VBN"),
        ("Reports published on Monday blamed the pilot.", "published", "VBN"),
        ("Officials arrested on Monday.", "arrested", "VBN"),
    ],
)
def test_a_sentence_has_a_main_verb(sentence, verb, fine):
    [word] = [word for word in PARSER.parse([sentence])[0] if word.text == verb]
    assert word.fine == fine
    assert fine == "VBN" or (word.relation == "root" and word.tag == "VERB")


def test_tags_stay_where_nothing_speaks_against_them():
    tokens = grammar_tokens("Goods shipped last year sank.")
    tags = [TagPair(*pair) for pair in (("NNS", "NOUN"), ("VBN", "VERB"), ("JJ", "ADJ"))]
    pairs = [*tags, TagPair("NN", "NOUN"), TagPair("VBD", "VERB"), TagPair(".", "PUNCT")]
    assert with_main_verb(tokens, pairs) is pairs
    assert with_main_verb([], []) == []
    single = [TagPair("NNS", "NOUN")]
    assert with_main_verb(tokens[:1], single) is single


def test_a_name_after_a_possessive_and_a_noun():
    words = PARSER.parse(["His brother Karl Ames left."])[0]
    assert [(word.head, word.relation) for word in words[1:3]] == [
        (4, "subject"),
        (1, "apposition"),
    ]


def test_words_have_all_their_fields():
    words = load_parser("light").parse(["Sen. Olympia Snowe opposed the president's tax plans."])[0]
    assert load_parser("light").name == "light"
    assert [word.text for word in words[:3]] == ["Sen.", "Olympia", "Snowe"]
    plans = words[-2]
    assert (plans.lemma, plans.tag, plans.fine, plans.relation) == ("plan", "NOUN", "NNS", "object")
    assert words[plans.head].text == "opposed"
    assert (plans.start, plans.end) == (47, 52)
    assert [word.relation for word in words[:4]] == ["title", "subject", "name", "root"]
    assert [word.opens for word in words[:3]] == [False, True, False]


@pytest.mark.parametrize(
    ("sentence", "head", "word", "relation"),
    [
        ("Goats and sheep ran.", "Goats", "sheep", "conjunct"),
        ("Goats and sheep ran.", "sheep", "and", "coordinator"),
        ("She is old.", "old", "is", "copula"),
        ("Roads were flooded.", "flooded", "Roads", "object"),
        ("Roads were flooded.", "flooded", "were", "auxiliary"),
        ("He said that it fell.", "fell", "that", "marker"),
        ("He said that it fell.", "said", "fell", "clause"),
        ("The goats of Ardel ran.", "goats", "Ardel", "modifier"),
        ("The goats of Ardel ran.", "Ardel", "of", "case"),
        ("The goats of Ardel ran.", "goats", "The", "determiner"),
        ("The goats ran.", "ran", ".", "punctuation"),
    ],
)
def test_relations(sentence, head, word, relation):
    assert relations(sentence)[head, word] == relation


def test_relations_are_those_of_the_vocabulary():
    texts = [entry[0] for entry in written()]
    used = {word.relation for words in PARSER.parse(texts) for word in words}
    assert used <= {
        *RELATIONS.values(),
        "root",
        "fixed",
        "expl",
        "vocative",
        "list",
        "orphan",
        "dep",
    }
    assert not used & set(RELATIONS) - set(RELATIONS.values())


@pytest.mark.parametrize(
    ("sentence", "kind"),
    [
        ("The University of Ardel praised Microsoft Corp.", "organization"),
        ("Rain fell in Nairobi.", "place"),
        ("He lives near San Felipe.", "place"),
        ("The firm moved to New Jersey.", "place"),
        ("NATO met.", "organization"),
        ("General Motors cut jobs.", "organization"),
        ("Qeltik, Inc. cut jobs.", "organization"),
        ("Anton Qeltik, Jr. smiled.", "person"),
        ("Zorvan Qeltik smiled.", "person"),
        ("Mr. Qeltik smiled.", "person"),
        ("Qeltik, who was tired, left.", "person"),
        ("George Washington slept here.", "person"),
        ("Secretary of State Ada Lee left.", "person"),
        ("It fell on Friday in March.", None),
        ("Mr. President, it is late.", None),
    ],
)
def test_kinds_of_names(sentence, kind):
    kinds = {found_kind for _, found_kind in names(sentence)[0]}
    assert kinds == ({kind} if kind else set())


@pytest.mark.parametrize("last", ["of", "the", "and", "-"])
def test_no_name_ends_with_a_joint(last):
    text = [(["He", "left", "Church", last, "Ardel", "."], ["PRP", "VBD", "NNP", "IN", "NNP", "."])]
    cases = cases_of(text)
    logs = np.full((len(cases.is_joint), len(LABELS)), -9.0)
    organization = LABELS.index("Borganization")
    # Alone, the joint fits into the name best, and the last word does not.
    for case, label in enumerate((0, organization, organization + 1, 0)[-len(logs) :]):
        logs[case, label] = 0.0
    found = spans_of(1, cases, best_labels(cases, logs))
    assert found == [[(2, 2, "organization")]]
    logs[-1, organization + 1] = -0.5
    assert spans_of(1, cases, best_labels(cases, logs)) == [[(2, 4, "organization")]]


def test_names_are_consistent_within_a_call():
    alone, _ = names("Qeltik lost.", "Goats ran.")
    assert ("Qeltik", "person") not in alone
    first, then = names("Zorvan Qeltik won.", "Qeltik lost.")
    assert first == [("Zorvan", "person"), ("Qeltik", "person")]
    assert then == [("Qeltik", "person")]


def test_hyphens_and_particles_are_of_names():
    assert names("Jean-Luc de la Tour and Park Sung-ho left.")[0] == [
        *((part, "person") for part in ("Jean", "-", "Luc", "de", "la", "Tour")),
        *(("Park", "person"), ("Sung-ho", "person")),
    ]


BAD = {
    "nothing": "",
    "blanks": " \t ",
    "marks": "... ,,, !!!",
    "nul": "\0",
    "nul inside": "Rain\0fell.",
    "emoji": "😀 rain 😀😀",
    "quotes": '"Rain fell, “he said',
    "capitals": "SEN. ADA LEE SAID RAIN HAD FLOODED ROADS.",
    "long": "Rain fell on the old roads and " * 100,
    "names": "Ada Lee, mayor of Ardel, who left, " * 80,
    "titles": "Mr. Sen. President of Secretary of State",
    "who": "who whose that which who",
    "half a character": "\ud800 rain",
    # The verb that a clause was put below was its own.
    "told that": "whom mayor goats police which the Sen. Sen. that police reporters told rain",
    "that informed": "in Ardel which Sen. that informed 's left the",
    "rain that told": "of rain that police and which - in rain that told ( , Rosa",
    "Russian": "Шёл дождь.",
}


@pytest.mark.parametrize("name", BAD)
def test_anything_is_parsed(name):
    sentence = BAD[name]
    words = PARSER.parse([sentence])[0]
    assert "".join(word.text for word in words) == "".join(sentence.split())
    assert all(sentence[word.start : word.end] == word.text for word in words)
    assert is_tree([word.head for word in words])
    assert [word.relation == "root" for word in words] == [
        word.head == index for index, word in enumerate(words)
    ]


@given(st.lists(st.lists(st.sampled_from(PIECES), max_size=25).map(" ".join), max_size=4))
def test_every_sentence_is_a_tree(sentences):
    for words in PARSER.parse(sentences):
        assert is_tree([word.head for word in words])


@given(st.text())
def test_any_text_is_a_tree(text):
    words = PARSER.parse([text])[0]
    assert is_tree([word.head for word in words])
    assert "".join(word.text for word in words) == "".join(text.split())


def test_parsing_alone_and_among_others_is_the_same():
    text = "The goats of Ardel ran. It was late, and nobody who saw them said so. Why?"
    sentences = split_sentences(text)
    assert PARSER.parse(sentences) == [PARSER.parse([sentence])[0] for sentence in sentences]
    assert PARSER.parse([]) == []


@given(st.integers(1, 12), st.randoms(use_true_random=False))
def test_moves_make_trees(size, draw: random.Random):
    words = ["w"] * size
    states = States(rows_of([words], [[TagPair("NN", "NOUN")] * size]))
    for _ in range(2 * size):
        legal = states.legal_moves()[0]
        moves = [move for move in (SHIFT_MOVE, LEFT_MOVE, RIGHT_MOVE) if legal[move]]
        states.keep_first(1)
        states.move(states.front * 0 + draw.choice(moves))
    heads = (states.heads[1 : size + 1] - 1).tolist()
    assert heads.count(size) == 1
    assert is_tree([k if head == size else head for k, head in enumerate(heads)])


@given(st.data())
def test_changes_leave_a_tree(data):
    size = data.draw(st.integers(2, 10))
    order = data.draw(st.permutations(range(size)))
    heads = [0] * size
    for number, index in enumerate(order):
        heads[index] = order[data.draw(st.integers(0, max(number - 1, 0)))] if number else index
    tree = LightTree(heads, ["x"] * size, [Token("w", k) for k in range(size)], [])
    places = data.draw(st.sets(st.integers(0, size - 1), min_size=1))
    top = data.draw(st.sampled_from(sorted(places)))
    tree.gather(sorted(places), top)
    assert is_tree(tree.heads)
    assert all(tree.heads[index] == top for index in places - {top})
    word, head = data.draw(st.permutations(range(size)))[:2]
    tree.attach(word, head, "y")
    assert is_tree(tree.heads)
    assert tree.heads[word] == head
    first, last = tree.span(head)
    assert first <= word <= last
    before = list(tree.heads)
    tree.attach(word, word, "z")
    assert tree.heads == before


@pytest.mark.parametrize(
    "seed", [0, *(pytest.param(seed, marks=pytest.mark.long) for seed in (1, 2))]
)
def test_garbage_is_a_tree(seed):
    draw = random.Random(seed)
    pieces = (*PIECES, *("which", "informed", "warned", "police", "reporters", "Rosa", "leader"))
    garbage = [" ".join(draw.choices(pieces, k=draw.randint(3, 22))) for _ in range(2000)]
    for words in PARSER.parse(garbage):
        assert is_tree([word.head for word in words])


@pytest.mark.long
@pytest.mark.parametrize("name", ["light", ""] if find_spec("spacy") else ["light"])
@pytest.mark.parametrize("piece", ["Mr. ", "(", "Mr. Orr whose ", "A B C, "])
def test_long_sentences_take_time_in_proportion(name, piece):
    parser, used = load_parser(name), []
    for size in (500, 4000):
        begin = time.process_time()
        parser.parse([piece * size])
        used.append(time.process_time() - begin)
    assert used[1] < 24 * used[0]


def test_rules_need_names():
    tokens = grammar_tokens("Ada Lee left.")
    pairs = load_tagger().tag([[token.text for token in tokens]])[0]
    tree = LightTree([1, 2, 2, 2], ["compound", "nsubj", "root", "punct"], tokens, pairs)
    repair(tree, [LightName(0, 1, "place")], lambda word: False)
    assert tree.heads == [1, 2, 2, 2]
    repair(tree, [LightName(0, 1, "person")], lambda word: False)
    assert (tree.heads, tree.labels[:2]) == ([2, 0, 2, 2], ["nsubj", "flat"])


def test_lists_of_names_have_no_doubles_of_two_kinds():
    words = name_words()
    assert not words["organizations"] & words["places"]
    assert not words["others"] & words["titles"]
    assert Roles({"roles": "gribbler"}).is_role("gribbler")
    assert not Roles().is_role("gribbler")
