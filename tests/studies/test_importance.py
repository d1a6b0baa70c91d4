"""Importance classes and Zipf's law: Tables 2.5 and 2.7 and Figure 3.3 of the thesis."""

import re
from math import isnan

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import optimize
from scipy import stats as scipy_stats

from pyramid.reliability_samples import pyramid_of
from pyramidion.collection import Collection, Judgment, Pyramid, Scores
from pyramidion.errors import InputError
from pyramidion.studies import fit_zipf, importance
from support import shared_file

#: Thesis, Table 2.5: how many words 7, 6, ..., 1 of the seven summaries of a set use.
TABLE_2_5 = (
    (20, 16, 14, 25, 51, 97, 381), (15, 9, 17, 31, 49, 108, 330), (13, 14, 15, 29, 42, 90, 363),
    (16, 9, 15, 24, 54, 104, 347), (25, 19, 31, 29, 36, 67, 254), (12, 8, 12, 19, 49, 110, 441),
    (9, 15, 27, 29, 59, 123, 360), (7, 9, 15, 31, 57, 105, 480), (12, 10, 16, 32, 46, 101, 440),
    (14, 16, 24, 35, 46, 106, 304), (11, 10, 11, 30, 51, 106, 357), (17, 13, 17, 30, 44, 97, 367),
    (10, 12, 19, 31, 49, 100, 463), (18, 15, 16, 24, 42, 104, 308), (17, 13, 13, 23, 55, 107, 336),
    (18, 7, 16, 29, 44, 94, 294), (14, 11, 12, 24, 48, 96, 339), (12, 20, 16, 33, 60, 84, 266),
    (14, 13, 13, 25, 39, 106, 417), (13, 13, 9, 27, 41, 125, 359),
)  # fmt: skip

#: Thesis, Table 2.7: percent of sentences judged 10, 9, ..., 0.
TABLE_2_7 = (0.14, 4.68, 17.90, 26.93, 23.58, 11.46, 7.74, 4.26, 2.27, 0.98, 0.20)


def words_of_the_thesis():
    return np.array(TABLE_2_5).sum(axis=0)[::-1]


# Zipf's law


def test_table_2_5_is_what_its_text_says():
    """Thesis, 2.4: 604 words in set 1, 63 % of them in one summary; 580 words and 153 a summary."""
    table = np.array(TABLE_2_5)
    assert table[0].sum() == 604
    assert round(100 * table[0, -1] / 604) == 63
    assert table.sum() / 20 == pytest.approx(580, abs=2)
    assert (table @ np.arange(7, 0, -1)).sum() / 140 == pytest.approx(153, abs=1)


def test_words_of_the_thesis_fall_like_a_power():
    """Figure 3.3, middle: nearly a line, but chi-square refuses it: class 7 is too large."""
    fit = fit_zipf(words_of_the_thesis())
    assert fit.slope == pytest.approx(1.78, abs=0.01)
    assert fit.r_squared == pytest.approx(0.985, abs=0.001)
    assert fit.exponent == pytest.approx(1.823, abs=0.001)
    assert fit.p < 1e-6
    assert words_of_the_thesis()[-1] > 1.3 * fit.expected()[-1]


def test_a_power_is_found_exactly():
    sizes = [round(720_720 / w**2) for w in range(1, 8)]
    fit = fit_zipf(sizes)
    assert fit.slope == pytest.approx(2, abs=1e-4)
    assert fit.exponent == pytest.approx(2, abs=1e-4)
    assert fit.r_squared == pytest.approx(1)
    assert fit.p > 0.99


@given(st.lists(st.integers(1, 500), min_size=3, max_size=12))
def test_fits_are_those_of_scipy(sizes):
    fit = fit_zipf(sizes)
    places, counts = np.arange(1, len(sizes) + 1), np.array(sizes)
    if len(set(sizes)) > 1:
        line = scipy_stats.linregress(np.log(places), np.log(counts))
        assert fit.slope == pytest.approx(-line.slope, abs=1e-9)
        assert fit.scale == pytest.approx(np.exp(line.intercept))
        assert fit.r_squared == pytest.approx(line.rvalue**2, abs=1e-9)

    def unlikelihood(s):
        return s * (counts @ np.log(places)) + counts.sum() * np.log((places**-s).sum())

    best = optimize.minimize_scalar(unlikelihood, bracket=(-2.0, 2.0)).x
    assert fit.exponent == pytest.approx(best, abs=1e-4)
    assert fit.expected().sum() == pytest.approx(counts.sum())
    test = scipy_stats.chisquare(counts, fit.expected(), ddof=1)
    assert fit.chi_square == pytest.approx(test.statistic, abs=1e-9)
    assert fit.p == pytest.approx(test.pvalue, abs=1e-9)


@given(st.lists(st.integers(1, 100), min_size=2, max_size=8), st.integers(2, 9))
def test_more_of_the_same_only_makes_it_surer(sizes, times):
    once, many = fit_zipf(sizes), fit_zipf([times * size for size in sizes])
    assert many.slope == pytest.approx(once.slope, abs=1e-9)
    assert many.exponent == pytest.approx(once.exponent, abs=1e-6)
    assert many.error == pytest.approx(once.error / times**0.5, rel=1e-5)


def test_the_standard_error_is_that_of_many_samples():
    """The exponents of 400 samples of 500 draws spread as the standard error says."""
    rng = np.random.default_rng(1)
    shares = np.arange(1, 8) ** -1.5
    samples = rng.multinomial(500, shares / shares.sum(), size=400)
    fits = [fit_zipf(sizes) for sizes in samples]
    spread = np.std([fit.exponent for fit in fits])
    assert spread == pytest.approx(np.mean([fit.error for fit in fits]), rel=0.1)
    assert np.mean([fit.exponent for fit in fits]) == pytest.approx(1.5, abs=0.02)
    assert np.mean([fit.p < 0.05 for fit in fits]) == pytest.approx(0.05, abs=0.03)


@pytest.mark.parametrize(
    ("sizes", "why"),
    [
        ([5], "there is one class only"),
        ([0, 0, 0], "there is nothing to fit"),
        ([0, 4, 0], "all units are in class 2, which leaves no exponent"),
    ],
)
def test_no_law_is_fitted_to_too_little(sizes, why):
    fit = fit_zipf(sizes)
    assert fit.undefined == why
    assert isnan(fit.exponent)
    assert isnan(fit.slope)


def test_empty_classes_are_left_out_of_the_line_only():
    fit = fit_zipf([100, 0, 30])
    assert (fit.empty, fit.undefined) == (1, "")
    assert fit.slope == pytest.approx(np.log(100 / 30) / np.log(3))
    assert fit.exponent > 0


@pytest.mark.parametrize("sizes", [[-1, 2], [1.5, 2]])
def test_sizes_are_counts(sizes):
    with pytest.raises(InputError, match="is not a count"):
        fit_zipf(sizes)


# Content units and words


def classes_in(pyramids, granularity="words", **options):
    """Return the classes of one granularity in pyramids of as many references."""
    collection = Collection("", pyramids={("", str(n)): p for n, p in enumerate(pyramids)})
    return next(
        row.classes
        for row in importance(collection, **options)
        if row.classes.granularity == granularity
    )


def pyramid_about(word, **texts):
    """Make a pyramid with one content unit, a word of the first text."""
    return Pyramid.from_references(texts, [("unit", {next(iter(texts)): [word]})])


def test_units_are_counted_by_weight_over_pyramids():
    first = pyramid_of([[1, 1, 1], [1, 0, 0], [0, 1, 0], [0, 0, 0]])
    second = pyramid_of([[1, 1, 0], [0, 0, 1]])
    classes = classes_in([first, second], "content units")
    assert classes.sizes.tolist() == [3, 1, 1]
    assert classes.labels == ("1", "2", "3")
    assert classes.topics == 2
    assert classes.mean_weight == pytest.approx((3 + 2 + 3) / 5)


def test_words_are_counted_by_references_that_use_them():
    pyramid = pyramid_about("ice", A="The ice melts, the ice!", B="Melting ice.", C="Sea.")
    assert classes_in([pyramid]).sizes.tolist() == [3, 1, 0]
    assert classes_in([pyramid], stem=True).sizes.tolist() == [1, 2, 0]
    assert classes_in([pyramid], all_words=True).sizes.tolist() == [4, 1, 0]


def test_words_of_other_scripts_are_words():
    pyramid = pyramid_about("Лёд", A="Лёд тает.", B="Лёд и море.")
    assert classes_in([pyramid]).sizes.tolist() == [3, 1]


def test_the_seven_summaries_of_appendix_c_are_set_1_with_all_words():
    """Thesis, Table 2.5 says content words; only all words give the first row, nearly.

    The text of the appendix is a scan, so that a few words may be read wrongly.
    """
    text = shared_file("seeds/004_fea21333468648cb.txt").read_text(encoding="utf-8")
    appendix = text[text.index("# Seven summaries produced for the same input texts") :]
    parts = re.split(r"#+ \**C\.\d D311\.M\.250\.I\.([A-Z])\**", appendix)[1:]
    summaries = dict(zip(parts[::2], (re.sub("-{3,}", " ", p) for p in parts[1::2]), strict=True))
    pyramid = pyramid_about("the", **summaries)
    every = classes_in([pyramid], all_words=True, tokenizer="rouge").sizes[::-1]
    assert every.tolist() == [20, 16, 14, 26, 49, 98, 380]
    assert np.abs(every - TABLE_2_5[0]).max() <= 2
    assert classes_in([pyramid], tokenizer="rouge").sizes.sum() < 500


def test_one_reference_has_one_class():
    classes = classes_in([pyramid_of([[1], [1]])], "content units")
    assert classes.sizes.tolist() == [2]
    assert classes.fit().undefined == "there is one class only"


# Sentences


def sentence_classes(*judgments):
    """Return the classes of judged sentences of a collection with one pyramid."""
    collection = Collection(
        "", pyramids={("", "T"): pyramid_of([[1, 1]])}, scores=Scores.from_judgments(judgments)
    )
    return next((row.classes for row in importance(collection) if row.references is None), None)


def judgment(value, unit, **about):
    return Judgment("T", "input", "relative-utility", value, unit=unit, **about)


def test_sentences_of_table_2_7_have_the_shape_of_figure_3_3():
    """Below 7 together, then 7 to 10: every class is smaller than the one before it."""
    classes = sentence_classes(
        *(
            judgment(float(mark), f"d/{mark}-{number}")
            for mark, percent in zip(range(10, -1, -1), TABLE_2_7, strict=True)
            for number in range(round(100 * percent))
        )
    )
    assert classes.labels == ("below 7", "7", "8", "9", "10")
    assert classes.sizes.tolist() == [5049, 2693, 1790, 468, 14]
    assert classes.fit().slope > 2


def test_judgments_are_averaged_and_rounded_half_up():
    """Thesis, 2.4: the rounded average of three judges; 6.5 is 7."""
    classes = sentence_classes(
        judgment(6, "d/1", assessor="K"),
        judgment(7, "d/1", assessor="L"),
        judgment(6.4, "d/2", assessor="K"),
        judgment(10, "d/3", assessor="K"),
        Judgment("other", "input", "relative-utility", 8, unit="d/4"),
    )
    assert classes.sizes.tolist() == [1, 1, 0, 0, 1]
    assert classes.topics == 1


def test_sentences_need_judgments_from_0_to_10():
    assert sentence_classes(Judgment("T", "7", "relative-utility", 3.0)) is None
    for value in (-0.1, 10.1):
        with pytest.raises(InputError, match="not judged from 0 to 10"):
            sentence_classes(judgment(value, "d/1"))
    assert sentence_classes(judgment(0, "d/1"), judgment(10, "d/2")).sizes.sum() == 2
