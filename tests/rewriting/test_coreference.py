import pytest
from hypothesis import given
from hypothesis import strategies as st

from pyramidion.errors import InputError
from pyramidion.rewriting._noun_phrases.coreference import aliases, corefer, is_acronym
from pyramidion.rewriting._noun_phrases.phrases import maximum_phrases
from pyramidion.rewriting._noun_phrases.referring import content, contradict, referring
from rewriting.trees import tree


def phrase(written, document="d1", index=0):
    """Read a noun phrase: words with their parts of speech, the noun with a star.

    What stands before the noun depends on it, what stands after *of* too; capitals make names.
    """
    words = written.split()
    tagged = [word.removeprefix("*").partition("/") for word in words]
    head = next(k for k, word in enumerate(words, start=1) if word.startswith("*"))
    tokens = []
    for place, (word, _, given_tag) in enumerate(tagged, start=1):
        tag = given_tag or ("PROPN" if word.lstrip("_")[0].isupper() else "NOUN")
        relation = "name" if place > head and tag == "PROPN" else "modifier"
        relation = {"DET": "determiner", "ADP": "case"}.get(tag, relation)
        to = 0 if place == head else place + 1 if tag == "ADP" else head
        tokens.append(f"{word}:{tag}:{to}:{'root' if place == head else relation}")
    return maximum_phrases(tree(" ".join(tokens), document, index))[0]


def classes(*written, rule="names", documents=None):
    documents = documents or [f"d{k}" for k in range(len(written))]
    found = [phrase(own, id, k) for k, (own, id) in enumerate(zip(written, documents, strict=True))]
    return corefer(found, rule).classes


def together(*written, **options):
    numbers = classes(*written, **options)
    return len(set(numbers)) == 1 and numbers[0] >= 0


THE, A = "the/DET", "a/DET"


def test_the_head_rule_looks_at_the_noun_alone():
    one, other, third = classes(
        f"{THE} first/ADJ *blast", f"{THE} second/ADJ *blast", f"{THE} *train", rule="head"
    )
    assert one == other != third
    assert together("Casimir *Vorrin", "*Vorrin", rule="head")
    assert together("20/NUM *percent", f"{THE} *percent", rule="head")


def test_phrases_that_say_something_in_common_are_together():
    assert together(f"{THE} rail *depot of/ADP Tarnevik", f"{A} Tarnevik *depot")
    assert not together(f"{THE} rail *depot", f"{THE} burned/ADJ *depot")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (f"{THE} first/ADJ bomb *explosion", f"{THE} second/ADJ bomb *explosion"),
        (f"{THE} Tarnevik rail *depot", f"{THE} Ardel rail *depot"),
        ("12/NUM rail *depots", "40/NUM rail *depots"),
        (f"{THE} rail *depot", f"{THE} rail *depots"),
        (f"{THE} rail *report of/ADP police", f"{THE} rail *report of/ADP lawyers"),
    ],
)
def test_contradictions_keep_phrases_apart(one, other):
    assert not together(one, other)
    assert not together(other, one)


def test_what_contradicts_one_phrase_does_not_join_its_class():
    numbers = classes(
        f"{THE} Tarnevik rail *depot", f"{THE} rail *depot", f"{THE} Ardel rail *depot"
    )
    assert numbers[0] == numbers[1] != numbers[2]


@pytest.mark.parametrize("noun", ["percent", "day", "number", "people", "governor", "spokesman"])
def test_vague_nouns_and_people_by_what_they_are_have_no_class(noun):
    assert classes(f"{THE} new/ADJ *{noun}", f"{THE} new/ADJ *{noun}") == (-1, -1)


def test_the_bare_definite_is_what_its_document_named():
    one, other, third, bare = classes(
        f"{A} rail *depot",
        f"{A} bus *depot",
        f"{THE} tram *depot",
        f"{THE} *depot",
        documents=["d1", "d2", "d3", "d2"],
    )
    assert bare == other
    assert len({one, other, third}) == 3


def test_the_bare_definite_is_the_only_one_there_is():
    assert together(f"{THE} rail *depot", f"{THE} *depot")
    # Nobody takes the first for known, so the second may be another.
    assert not together(f"{A} rail *depot", f"{THE} *depot")
    # There are two that it could be.
    numbers = classes(f"{THE} rail *depot", f"{THE} bus *depot", f"{THE} *depot")
    assert len(set(numbers)) == 3


def test_a_kind_belongs_to_the_name_it_stands_with():
    same = {"documents": ["d1", "d1", "d1"]}
    assert together(f"{THE} ferry *Maren Star", f"{THE} *Maren Star", f"{THE} *ferry", **same)
    assert together(f"{THE} *Maritime Safety Board", f"{THE} *board", documents=["d1", "d1"])
    assert together("*Lake Tessen", f"{THE} *lake", documents=["d1", "d1"])


def test_a_kind_belongs_to_no_name_of_another_document():
    assert not together(f"{THE} *Maritime Safety Board", f"{THE} *board")


@pytest.mark.parametrize(
    "others",
    [
        ("*ORSA", f"{THE} *Coastal Weather Agency"),
        (f"{THE} *Coastal Weather Agency", "*ORSA"),
        (f"{THE} *Coastal Weather Agency", f"{THE} *Ardel Space Agency"),
        (f"{THE} *Coastal Weather Agency", "*Narrows Line"),
    ],
)
def test_the_agency_may_be_another_one(others):
    *names, agency = classes(*others, f"{THE} *agency", documents=["d1"] * 3)
    assert agency not in names


def test_the_company_is_not_the_one_before_the_last():
    first, _, bare = classes(
        f"{THE} Ardel *company", "*Fennow", f"{THE} *company", documents=["d1"] * 3
    )
    assert bare != first
    assert together(f"{THE} Ardel *company", f"{THE} *company", documents=["d1"] * 2)
    assert not together(f"{THE} Ardel *company", f"{THE} *company")


def test_words_that_tell_which_one_is_meant_keep_phrases_apart():
    assert not together(f"{THE} lower/ADJ *dale", f"{THE} *dale", documents=["d1"] * 2)
    assert not together(f"{THE} *dale", f"{THE} lower/ADJ *dale")
    assert not together(f"{THE} old/ADJ Tessen *dale", f"{THE} Tessen *dale")


def test_hyphenated_names_are_no_aliases_of_their_parts():
    last = "Vond _-/PUNCT _Reyes"
    assert referring(phrase(f"*Ines {last}")).name == ("Ines", "Vond-Reyes")
    assert not together(f"Ms. *{last}", "*Vond", documents=["d1"] * 2)
    assert together(f"Dr. *Ines {last}", f"Ms. *{last}")


def test_names_with_and_without_endings():
    assert together("*Narrows Line Inc.", "*Narrows Line")
    assert together("*Clear Skies", f"{THE} *Clear Skies Party")
    assert not together(f"{THE} *Maren Star", f"{THE} *Maren Dawn")


@pytest.mark.parametrize(("kind", "same"), [("organization", True), ("", False)])
def test_one_word_begins_the_name_of_an_organization_only(kind, same):
    short = maximum_phrases(tree(f"Maren:PROPN:0:root:{kind}".rstrip(":")))[0]
    one, other = corefer([short, phrase(f"{THE} *Maren Star", "d1", 1)]).classes
    assert (one == other) is same


def test_last_names_belong_to_the_only_person_with_that_name():
    assert together("Sen. *Olga Reith", "*Reith", "*Olga Reith")
    jonas, linnea, bare = classes("Dr. *Jonas Castellan", "Gov. *Linnea Castellan", "*Castellan")
    assert len({jonas, linnea, bare}) == 3
    jonas, linnea, bare = classes(
        "Dr. *Jonas Castellan",
        "Gov. *Linnea Castellan",
        "*Castellan",
        documents=["d1", "d2", "d2"],
    )
    assert bare == linnea != jonas


def test_acronyms():
    assert together(f"{THE} *European Central Bank", f"{THE} *ECB")
    assert is_acronym("ECB", ["European", "Central", "Bank"])
    assert is_acronym("FBI", ["Federal", "Bureau", "of", "Investigation"])
    assert not is_acronym("ECB", ["European", "Bank"])
    assert not is_acronym("E", ["Europe"])
    assert not is_acronym("Ecb", ["European", "Central", "Bank"])


def test_dates_are_no_names():
    assert classes("*March", "*March") == (-1, -1)


def test_a_phrase_is_taken_apart():
    own = referring(phrase(f"{THE} 12/NUM Tarnevik rail *depots of/ADP Ardel"))
    assert own.noun == "depot"
    assert own.numbers == {"12"}
    assert own.named == {"tarnevik"}
    assert own.of == {"ardel"}
    assert own.modifiers >= {"tarnevik", "rail", "ardel"}
    assert not contradict(own, own)


def test_words_that_count_are_stems():
    assert content("The burning boats were his") == ("burn", "boat")


def test_unknown_rules_are_refused():
    with pytest.raises(InputError, match="'nouns'"):
        corefer([], "nouns")


nouns = st.sampled_from(["*depot", "*depots", "rail *depot", "Ardel *depot", "*Maren Star", "*ECB"])
dets = st.sampled_from(["the/DET ", "a/DET ", ""])
names = st.lists(st.tuples(dets, nouns, st.sampled_from(["d1", "d2"])), max_size=8)


@given(names)
def test_classes_are_numbers_of_their_first_member(found):
    found = sorted(found, key=lambda own: own[2])
    phrases = [phrase(det + noun, id, k) for k, (det, noun, id) in enumerate(found)]
    result = corefer(phrases)
    assert len(result.classes) == len(phrases)
    for own, number in zip(phrases, result.classes, strict=True):
        assert number == -1 or result.classes[number] == number
        assert result.class_of(own) == number
        assert number == -1 or any(one.phrase == own for one in result.members[number])


@given(names)
def test_every_name_is_in_one_group(found):
    own = [referring(phrase(det + noun, id)) for det, noun, id in found]
    named = [(k, one) for k, one in enumerate(own) if one.name]
    groups = aliases(named)
    assert sorted(k for group in groups for k in group) == [k for k, _ in named]
