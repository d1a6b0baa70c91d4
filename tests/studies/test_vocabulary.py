"""Classes of words and the growth of the vocabulary: Tables 2.5 and 2.6, Figure 2.1."""

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pyramidion.collection import Collection, Summary
from pyramidion.errors import InputError, NotFoundError, ShapeError
from pyramidion.studies import vocabulary
from pyramidion.studies._source import StudyPart
from pyramidion.studies._vocabulary import (
    FrequencyClasses,
    TextSet,
    compare_classes,
    frequency_classes,
    reference_sets,
)
from pyramidion.text.encoding import Reading
from studies.thesis import appendix, word_classes

ALL_WORDS = Reading(stem=False, stop_words=False, tokenizer="unicode")


# What the thesis prints


@pytest.mark.parametrize(
    ("place", "summaries", "translations", "t"),
    [(0, 0.3334, 0.1730, 13.3339), (1, 0.0942, 0.0521, 12.9419)],
)
def test_probabilities_and_welch_of_tables_2_5_and_2_6(place, summaries, translations, t):
    """Thesis, page 21; 0.1731 is printed as 0.1730."""
    found = compare_classes(word_classes("summaries"), word_classes("translations"))[place]
    assert found.first == pytest.approx(summaries, abs=0.00005)
    assert found.second == pytest.approx(translations, abs=0.0001)
    assert found.test.statistic == pytest.approx(t, abs=0.00005)
    assert found.test.p < 0.0001
    assert found.test.kind == "welch"


def test_class_7_is_larger_in_translations():
    """Thesis, page 21, says so; its 0.0567 and 0.0769 do not follow from the tables."""
    found = compare_classes(word_classes("summaries"), word_classes("translations"))[6]
    assert found.first == pytest.approx(0.0134, abs=0.00005)
    assert found.second == pytest.approx(0.0398, abs=0.00005)
    assert found.test.statistic < -10


@pytest.mark.parametrize(
    ("group", "one", "seven"), [("summaries", 153, 580), ("translations", 132, 339)]
)
def test_growth_of_the_vocabulary(group, one, seven):
    """Thesis, page 21: words of one text, and of all seven; 153.95 and 581.25 were cut off."""
    growth = word_classes(group).growth.mean(axis=0)
    assert growth[0] == pytest.approx(one, abs=1)
    assert growth[-1] == pytest.approx(seven, abs=1.5)


def test_every_summary_line_is_steeper_than_any_translation_line():
    """Thesis, page 24, of Figure 2.1."""
    steps = [np.diff(word_classes(group).growth, axis=1) for group in ("summaries", "translations")]
    assert (steps[0].min(axis=0) > steps[1].max(axis=0)).all()


@pytest.mark.parametrize(
    ("letter", "group", "off"), [("C", "summaries", 2), ("B", "translations", 4)]
)
def test_seven_texts_of_the_appendix_are_the_first_row(letter, group, off):
    """Appendices B and C, as OCR has them, against the first rows, all words being counted."""
    found = frequency_classes([TextSet("1", appendix(letter))], reading=ALL_WORDS)
    assert np.abs(found.sizes[0] - word_classes(group).sizes[0]).max() <= off


# Against counting by hand, and properties

WORDS = st.sampled_from(["ice", "snow", "rain", "hail", "fog", "sun", "wind"])
SETS = st.lists(
    st.lists(st.lists(WORDS, min_size=1, max_size=6).map(" ".join), min_size=3, max_size=3),
    min_size=1,
    max_size=3,
)


@given(SETS)
def test_classes_are_those_of_a_plain_count(texts):
    found = frequency_classes([TextSet(str(n), tuple(own)) for n, own in enumerate(texts)])
    for row, own in enumerate(texts):
        used = [set(text.split()) for text in own]
        words = set().union(*used)
        counts = [sum(word in text for text in used) for word in words]
        assert found.sizes[row].tolist() == [counts.count(n) for n in (1, 2, 3)]
        assert found.probabilities[row] == pytest.approx(
            [counts.count(n) / sum(counts) for n in (1, 2, 3)]
        )
        orders = [[len(set().union(*order[:k])) for k in (1, 2, 3)] for order in permutations(used)]
        assert found.growth[row] == pytest.approx(np.mean(orders, axis=0))
        assert found.in_order[row].tolist() == [len(set().union(*used[:k])) for k in (1, 2, 3)]


@given(SETS, st.randoms())
def test_the_order_of_texts_changes_nothing_but_the_growth_in_order(texts, random):
    sets = [TextSet("1", tuple(own)) for own in texts]
    mixed = [TextSet("1", tuple(random.sample(own, len(own)))) for own in texts]
    one, other = frequency_classes(sets), frequency_classes(mixed)
    assert one.sizes.tolist() == other.sizes.tolist()
    assert one.growth == pytest.approx(other.growth)


@given(st.lists(st.integers(0, 50), min_size=2, max_size=9).filter(any))
def test_growth_begins_with_the_mean_text_and_ends_with_all_words(sizes):
    classes = FrequencyClasses(np.array([sizes]), ("1",))
    texts = len(sizes)
    assert classes.growth[0, 0] == pytest.approx(np.array(sizes) @ np.arange(1, texts + 1) / texts)
    assert classes.growth[0, -1] == pytest.approx(sum(sizes))
    assert (np.diff(classes.growth[0]) >= -1e-9).all()


def test_two_thousand_texts_have_a_growth():
    classes = FrequencyClasses(np.eye(1, 2000, 4, dtype=int), ("1",))
    half = classes.growth[0, 999]
    assert half == pytest.approx(1 - 2**-5, abs=0.001)
    assert np.isfinite(classes.growth).all()


def test_stop_words_stems_and_other_scripts():
    one = TextSet("1", ("The glaciers are melting.", "A glacier melts."))
    assert frequency_classes([one]).sizes.tolist() == [[4, 0]]
    assert frequency_classes([one], reading=Reading(stop_words=True)).sizes.tolist() == [[0, 2]]
    assert frequency_classes([one], reading=ALL_WORDS).sizes.tolist() == [[7, 0]]
    greek = TextSet("1", ("Το χιόνι έλιωσε", "Το χιόνι!"))
    assert frequency_classes([greek]).sizes.tolist() == [[1, 2]]


def test_references_of_each_task_are_a_set():
    summaries = [
        Summary(topic, system, "Ice.", task=task, kind="human")
        for task in "AB"
        for topic in ("T1", "T2")
        for system in "KL"
    ]
    collection = Collection("c", summaries=(*summaries, Summary("T1", "7", "Snow.", task="A")))
    names = [own.name for own in reference_sets(collection)]
    assert names == ["T1, task A", "T2, task A", "T1, task B", "T2, task B"]
    assert all(len(own.texts) == 2 for own in reference_sets(collection))
    [one] = reference_sets(collection, StudyPart(topic=("T2",), task=("B",)))
    assert one.name == "T2, task B"
    with pytest.raises(NotFoundError, match="there is no topic 'T3'; there are: T1, T2"):
        reference_sets(collection, StudyPart(topic=("T3",)))


def people(name, *texts):
    summaries = [Summary("T1", str(n), text, kind="human") for n, text in enumerate(texts)]
    return Collection(name, summaries=summaries)


def test_collections_are_compared():
    one, other = people("one", "Ice.", "Snow."), people("other", "Ice.", "Ice!", "Ice.")
    result = vocabulary(one, against=other)
    [study] = result
    assert [group.name for group in study.groups] == ["one", "other"]
    assert [own.first - own.second for own in study.comparisons] == [1, -0.5]
    assert result.left_out == ("T1: 1 text beyond the first 2",)
    with pytest.raises(InputError, match="give one collection, or paths"):
        vocabulary([one, other])


# Bad input


def test_sets_must_have_as_many_texts():
    two, three = TextSet("1", ("Ice", "Ice")), TextSet("2", ("Ice", "Ice", "Ice"))
    with pytest.raises(ShapeError, match="sets of 2, 3 texts have different classes"):
        frequency_classes([two, three])
    with pytest.raises(ShapeError, match="sets of 2 texts cannot be compared with sets of 3"):
        compare_classes(frequency_classes([two]), frequency_classes([three]))


@pytest.mark.parametrize(
    ("sets", "message"),
    [
        ([], "there is no set of texts"),
        ([TextSet("1", ("Ice",))], "1 has one text only"),
        ([TextSet("1", ("The", "It is"))], "1 has no words; take the set out"),
    ],
)
def test_too_little_is_refused(sets, message):
    with pytest.raises(InputError, match=message):
        frequency_classes(sets)


def test_one_set_of_each_has_no_test():
    one = FrequencyClasses(np.array([[5, 1]]), ("1",))
    assert [found.test for found in compare_classes(one, one)] == [None, None]
    with pytest.raises(ShapeError, match="for 2 sets"):
        FrequencyClasses(np.array([[5, 1]]), ("1", "2"))
