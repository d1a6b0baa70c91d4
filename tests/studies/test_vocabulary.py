"""Classes of words and the growth of the vocabulary: Tables 2.5 and 2.6, Figure 2.1."""

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pyramidion.collection import Collection, Summary
from pyramidion.errors import InputError, NotFoundError, ShapeError
from pyramidion.studies import FrequencyClasses, vocabulary
from studies.thesis import appendix, word_classes


def collection(*sets, name="mine"):
    """Make a collection whose references of topics T1, T2, ... are the texts of each set."""
    summaries = [
        Summary(f"T{topic}", f"P{writer}", text, kind="human")
        for topic, texts in enumerate(sets, start=1)
        for writer, text in enumerate(texts)
    ]
    return Collection(name, summaries=summaries)


def classes_of(*sets, **options):
    [study] = vocabulary(collection(*sets), **options)
    return study.groups[0].classes


# What the thesis prints


def texts_of(sizes):
    """Write texts of which exactly n have each word of class n."""
    words = [(f"w{n}x{i}", n) for n, size in enumerate(sizes, start=1) for i in range(size)]
    texts = [[] for _ in sizes]
    for index, (word, number) in enumerate(words):
        for shift in range(number):
            texts[(index + shift) % len(texts)].append(word)
    return [" ".join(text) for text in texts]


@pytest.fixture(scope="module")
def compared():
    """The comparison of Tables 2.5 and 2.6, from texts with these classes of words."""
    summaries, translations = (
        collection(*map(texts_of, word_classes(group).sizes.tolist()), name=group)
        for group in ("summaries", "translations")
    )
    [study] = vocabulary(summaries, against=translations)
    for group in study.groups:
        assert group.classes.sizes.tolist() == word_classes(group.name).sizes.tolist()
    return study.comparisons


@pytest.mark.parametrize(
    ("index", "summaries", "translations", "t"),
    [(0, 0.3334, 0.1730, 13.3339), (1, 0.0942, 0.0521, 12.9419)],
)
def test_probabilities_and_welch_of_tables_2_5_and_2_6(compared, index, summaries, translations, t):
    """Thesis, page 21; 0.1731 is printed as 0.1730."""
    comparison = compared[index]
    assert comparison.texts == index + 1
    assert comparison.first == pytest.approx(summaries, abs=0.00005)
    assert comparison.second == pytest.approx(translations, abs=0.0001)
    assert comparison.test.statistic == pytest.approx(t, abs=0.00005)
    assert comparison.test.p < 0.0001
    assert comparison.test.kind == "welch"


def test_class_7_is_larger_in_translations(compared):
    """Thesis, page 21, says so; its 0.0567 and 0.0769 do not follow from the tables."""
    assert compared[6].first == pytest.approx(0.0134, abs=0.00005)
    assert compared[6].second == pytest.approx(0.0398, abs=0.00005)
    assert compared[6].test.statistic < -10


@pytest.mark.parametrize(
    ("group", "single", "seven"), [("summaries", 153, 580), ("translations", 132, 339)]
)
def test_growth_of_the_vocabulary(group, single, seven):
    """Thesis, page 21: words of one text, and of all seven; 153.95 and 581.25 were cut off."""
    growth = word_classes(group).growth.mean(axis=0)
    assert growth[0] == pytest.approx(single, abs=1)
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
    classes = classes_of(appendix(letter), all_words=True)
    assert np.abs(classes.sizes[0] - word_classes(group).sizes[0]).max() <= off


# Against counting by hand, and properties

WORDS = st.sampled_from(["ice", "snow", "rain", "hail", "fog", "sun", "wind"])
SETS = st.lists(
    st.lists(st.lists(WORDS, min_size=1, max_size=6).map(" ".join), min_size=3, max_size=3),
    min_size=1,
    max_size=3,
)


@given(SETS)
def test_classes_are_those_of_a_plain_count(sets):
    classes = classes_of(*sets)
    for row, texts in enumerate(sets):
        used = [set(text.split()) for text in texts]
        words = set().union(*used)
        counts = [sum(word in text for text in used) for word in words]
        assert classes.sizes[row].tolist() == [counts.count(n) for n in (1, 2, 3)]
        assert classes.probabilities[row] == pytest.approx(
            [counts.count(n) / sum(counts) for n in (1, 2, 3)]
        )
        orders = [[len(set().union(*order[:k])) for k in (1, 2, 3)] for order in permutations(used)]
        assert classes.growth[row] == pytest.approx(np.mean(orders, axis=0))
        assert classes.in_order[row].tolist() == [len(set().union(*used[:k])) for k in (1, 2, 3)]


@given(SETS, st.randoms())
def test_the_order_of_texts_changes_nothing_but_the_growth_in_order(sets, random):
    mixed = [random.sample(texts, len(texts)) for texts in sets]
    classes, shuffled = classes_of(*sets), classes_of(*mixed)
    assert classes.sizes.tolist() == shuffled.sizes.tolist()
    assert classes.growth == pytest.approx(shuffled.growth)


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
    texts = ("The glaciers are melting.", "A glacier melts.")
    assert classes_of(texts).sizes.tolist() == [[4, 0]]
    assert classes_of(texts, stem=True).sizes.tolist() == [[0, 2]]
    assert classes_of(texts, all_words=True).sizes.tolist() == [[7, 0]]
    assert classes_of(("Το χιόνι έλιωσε", "Το χιόνι!")).sizes.tolist() == [[1, 2]]


def test_references_of_each_task_are_a_set():
    summaries = [
        Summary(topic, system, "Ice.", task=task, kind="human")
        for task in "AB"
        for topic in ("T1", "T2")
        for system in "KL"
    ]
    mine = Collection("c", summaries=(*summaries, Summary("T1", "7", "Snow.", task="A")))
    [study] = vocabulary(mine)
    classes = study.groups[0].classes
    assert classes.names == ("T1, task A", "T2, task A", "T1, task B", "T2, task B")
    assert classes.texts == study.texts == 2
    [study] = vocabulary(mine, topic="T2", task="B")
    assert study.groups[0].classes.names == ("T2, task B",)
    with pytest.raises(NotFoundError, match="there is no topic 'T3'; available: T1, T2"):
        vocabulary(mine, topic="T3")


def test_collections_are_compared():
    two = collection(("Ice.", "Snow."), name="two")
    three = collection(("Ice.", "Ice!", "Ice."), name="three")
    result = vocabulary(two, against=three)
    [study] = result
    assert [group.name for group in study.groups] == ["two", "three"]
    assert [row.first - row.second for row in study.comparisons] == [1, -0.5]
    # One set in each group has no test.
    assert [row.test for row in study.comparisons] == [None, None]
    assert result.left_out == ("T1: 1 text beyond the first 2",)
    with pytest.raises(InputError, match="give one collection, or paths"):
        vocabulary([two, three])


def test_sets_with_fewer_texts_are_left_out():
    sets = (("Ice", "Ice"), ("Ice", "Snow", "Ice"), ("Ice", "Ice", "Ice"))
    result = vocabulary(collection(*sets))
    [study] = result
    assert study.groups[0].classes.sizes.tolist() == [[1, 1, 0], [0, 0, 1]]
    assert result.left_out == ("T1: it has 2 texts, the others have 3",)
    assert classes_of(*sets, texts=2).sizes.tolist() == [[0, 1], [2, 0], [0, 1]]
    with pytest.raises(InputError, match="no set of mine has 4 texts; the largest has 3"):
        vocabulary(collection(*sets), texts=4)


# Bad input


@pytest.mark.parametrize(
    ("sets", "message"),
    [
        ([], "there are no references in mine"),
        ([("Ice",)], "T1 has one text only"),
        ([("The", "It is")], "T1 has no words; remove the set"),
    ],
)
def test_too_little_is_an_error(sets, message):
    with pytest.raises(InputError, match=message):
        vocabulary(collection(*sets))


def test_each_set_has_a_name():
    with pytest.raises(ShapeError, match="for 2 sets"):
        FrequencyClasses(np.array([[5, 1]]), ("1", "2"))
