"""Metrics of machine translation are those of the packages they come from."""

from math import isnan

import pytest

from collection.refusals import refusal
from pyramidion.errors import InputError
from pyramidion.metrics import ScoringBatch, parse_metric

SUMMARY = "Rain fell on the big road today."
REFERENCES = ["It rained today, on large roads.", "Snow lay on the road today"]


def score(name, summary=SUMMARY, references=REFERENCES):
    metric = parse_metric(name)
    metric.require_installed()
    cases = ScoringBatch.of_texts([summary], [references])
    return metric.score(metric.statistics(cases)).item()


def test_chrf_and_ter_are_sacrebleus():
    sacrebleu = pytest.importorskip("sacrebleu", reason="chrF and TER come from sacrebleu")
    chrf = sacrebleu.sentence_chrf(SUMMARY, REFERENCES).score / 100
    assert score("chrf") == pytest.approx(chrf)
    assert score("chrf(words=2)") == pytest.approx(
        sacrebleu.sentence_chrf(SUMMARY, REFERENCES, word_order=2).score / 100
    )
    assert score("ter") == pytest.approx(sacrebleu.sentence_ter(SUMMARY, REFERENCES).score / 100)
    assert score("ter", references=[SUMMARY]) == 0
    assert isnan(score("ter", references=[""]))
    signed = parse_metric("chrf").signed
    assert signed == f"chrf[sacrebleu {sacrebleu.__version__}]"


@pytest.fixture
def wordnet(tmp_path):
    """A WordNet in which big is vast."""
    data = "00000000 00 a 02 big 0 vast 0 000 | great\n"
    for kind, content in {"adj": data, "noun": "", "verb": "", "adv": ""}.items():
        lemmas = ("big a 1 0 1 0 00000000\n", "vast a 1 0 1 0 00000000\n") if content else ()
        (tmp_path / f"data.{kind}").write_text(content)
        (tmp_path / f"index.{kind}").write_text("  1 a license\n" + "".join(lemmas))
    (tmp_path / "adj.exc").write_text("biggest big\n")
    return tmp_path


def test_meteor_knows_synonyms_of_a_system_wordnet(wordnet):
    pytest.importorskip("nltk", reason="METEOR comes from nltk")
    name = f"meteor(wordnet={wordnet})"
    # Two words, one chunk: F is 1, and the penalty 0.5 (1 / 2) ** 3.
    for summary, other in (("big", "vast"), ("biggest", "vast"), ("big", "big")):
        observed = score(name, f"{summary} roads", [f"{other} road"])
        assert observed == pytest.approx(1 - 0.5 / 8)
    # Recall and precision are a half, and one match is a chunk of its own.
    assert score(name, "small roads", ["vast roads"]) == pytest.approx(0.5 * 0.5)


def test_meteor_says_what_it_lacks(tmp_path):
    pytest.importorskip("nltk", reason="METEOR comes from nltk")
    metric = parse_metric(f"meteor(wordnet={tmp_path})")
    message = refusal(InputError, metric.require_installed)
    assert message.startswith(f"meteor needs WordNet, which is not in {tmp_path};")
