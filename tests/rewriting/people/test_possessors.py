"""Possessors at the beginning of a sentence are no longer than the sentence."""

import pytest

from rewriting.people.parsed import PARSERS, only_mention


@pytest.mark.parametrize("parser", PARSERS)
@pytest.mark.parametrize(
    ("sentence", "words"),
    [
        # The last word, a noun, does not belong to the first one.
        ("Boyle's aide Maria Prow met reporters", 2),
        ("Texas' governor Maria Prow met reporters", 2),
        ("Ardel Council's aide Maria Prow met reporters", 3),
        ("Reporters met Ardel Harbor Council's aide Maria Prow", 4),
        ("Reporters (of Lisle), Ardel Council's aide Maria Prow and others met", 3),
        ("The mayor's aide Maria Prow met reporters", 3),
        ("Reporters met the mayor's aide Maria Prow", 3),
    ],
)
def test_words_of_a_possessor(sentence, words, parser):
    mention = only_mention(sentence, parser)
    assert (mention.external, mention.opening) == (1, words)
