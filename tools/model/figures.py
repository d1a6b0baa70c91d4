"""Figures of a pipeline on treebanks, sentence by sentence."""

import time
from collections.abc import Sequence
from typing import Any

from documents import document_of
from spacy.scorer import Scorer
from spacy.tokens import Doc
from spacy.training import Example
from treebank import Sentence

__all__ = ["figures"]

_KINDS = {
    "words": "token_f",
    "tags": "tag_acc",
    "UPOS": "pos_acc",
    "lemmas": "lemma_acc",
    "UAS": "dep_uas",
    "LAS": "dep_las",
}


def figures(
    nlp: Any, sentences: Sequence[Sentence], *, gold_words: bool = False
) -> dict[str, float]:
    """Measure words, tags, lemmas and heads in percent; heads of punctuation do not count.

    Labels are compared with their subtypes (``LAS``) and without them (``LAS, main``).
    """
    references = [document_of(nlp.vocab, sentence) for sentence in sentences]
    inputs = [_given(nlp, document, gold_words) for document in references]
    began = time.process_time()
    predicted = list(nlp.pipe(inputs, batch_size=128))
    seconds = time.process_time() - began
    pairs = [
        Example(prediction, gold) for prediction, gold in zip(predicted, references, strict=True)
    ]
    scores = Scorer(nlp).score(pairs)
    measured = {kind: 100 * scores[name] for kind, name in _KINDS.items()}
    measured["LAS, main"] = 100 * _plain(pairs)
    measured["words a CPU s"] = sum(map(len, predicted)) / seconds
    return measured


def _given(nlp: Any, document: Doc, gold_words: bool) -> Doc:
    """Tokenize as the pipeline does, or as the treebank; each is one sentence."""
    if gold_words:
        spaces = [bool(word.whitespace_) for word in document]
        doc = Doc(nlp.vocab, [word.text for word in document], spaces)
    else:
        doc = nlp.make_doc(document.text)
    for word in doc[1:]:
        word.is_sent_start = False
    return doc


def _plain(pairs: list[Example]) -> float:
    scores = Scorer.score_deps(
        pairs,
        "dep",
        getter=lambda word, name: getattr(word, f"{name}_").partition(":")[0].lower(),
        ignore_labels=("punct",),
        missing_values=frozenset([""]),
    )
    return float(scores["dep_las"])
