"""Small examples of `pyramidion.metrics._sentence_terms`."""

from pyramidion.metrics import parse_metric
from pyramidion.metrics._cases import ScoringBatch
from pyramidion.metrics._sentence_terms import TermSentences
from pyramidion.text.encoding import Reading


def test_term_sentences():
    cases = ScoringBatch.of_texts(["Rain fell. It was rain.", "Snow fell."])
    terms = TermSentences.of(cases.texts, cases.peers, Reading(stop_words=True))
    assert terms.counts.toarray().tolist() == [[1, 1, 0, 0], [0, 1, 0, 0], [0, 0, 1, 1]]
    assert (terms.owners.tolist(), terms.sizes.tolist()) == ([0, 0, 1], [2, 1])


def test_term_metric():
    assert (
        repr(parse_metric("term-entropy(stem=off)"))
        == "TermEntropy(stem=False, stop_words=True, tokenizer=None)"
    )
