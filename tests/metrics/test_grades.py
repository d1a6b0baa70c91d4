"""Readability indices beside worked examples that others printed."""

import numpy as np
import pytest

from pyramidion.metrics import ScoringBatch, parse_metric

MAT = "The cat sat on the mat."
PASSAGE = "This sentence, taken as a reading passage unto itself, is being used to prove a point."
PLATYPUS = "The Australian platypus is seemingly a hybrid of a mammal and reptilian creature."
# The abstract of Coleman and Liau (1975).
ABSTRACT = (
    "Existing computer programs that measure readability are based largely upon subroutines which "
    "estimate number of syllables, usually by counting vowels. The shortcoming in estimating "
    "syllables is that it necessitates keypunching the prose into the computer. There is no need "
    "to estimate syllables since word length in letters is a better predictor of readability than "
    "word length in syllables. Therefore, a new readability formula was computed that has for its "
    "predictors letters per 100 words and sentences per 100 words. Both predictors can be counted "
    "by an optical scanning device, and thus the formula makes it economically feasible for an "
    "organization such as the U.S. Office of Education to calibrate the readability of all "
    "textbooks for the public school system."
)
MEMO = (
    "It is easy to transpose digits and make typing errors when entering project numbers. We "
    "suggest each Division Planning Office set up a file of time cards showing all authorized "
    "project numbers. Then all charges should be checked each day before sending time sheets to "
    "the Accounting Department."
)


def score(name, text):
    metric = parse_metric(name)
    return metric.score(metric.statistics(ScoringBatch.of_texts([text]))).item()


@pytest.mark.parametrize(
    ("name", "text", "printed"),
    [
        # Wikipedia, "Flesch-Kincaid readability tests".
        ("flesch-reading-ease", MAT, 116),
        ("flesch-reading-ease", PASSAGE, 69),
        ("flesch-reading-ease", PLATYPUS, 37.5),
        ("flesch-kincaid-grade", PLATYPUS, 11.3),
        # Wikipedia, "Coleman-Liau index": 639 letters, 119 words, 5 sentences.
        ("coleman-liau", ABSTRACT, 14.5),
        # zanotowane.pl/907/1771: 48 words, 3 sentences, 5 polysyllables.
        ("gunning-fog", MEMO, 11),
        # 4.71 x 17 / 6 + 0.5 x 6 - 21.43, by hand after Kincaid et al. (1975).
        ("automated-readability", MAT, -5.1),
    ],
)
def test_printed_examples(name, text, printed):
    places = len(str(printed).partition(".")[2])
    assert round(score(name, text), places) == printed


def test_smog_of_thirty_sentences():
    """McLaughlin (1969): 100 polysyllables in 30 sentences make 1.043 x 10 + 3.1291."""
    text = "Rain fell. " * 29 + "Potato " * 99 + "potato."
    assert score("smog", text) == pytest.approx(13.5591)


def test_numbers_are_words_and_empty_texts_have_no_index():
    assert np.isnan(score("smog", "..."))
    assert score("flesch-kincaid-grade", "It's 1989.") == pytest.approx(0.39 * 2 + 11.8 - 15.59)
