"""Each method chooses what it should of an input that can be worked by hand."""

from pyramidion.summarizers._baselines import First, Lead, Random
from pyramidion.summarizers._coverage import ConceptCoverage, Oracle
from pyramidion.summarizers._frequency import FrequencySummarizer, KLSum
from pyramidion.summarizers._graphs import (
    Centroid,
    LexRank,
    MaximalMarginalRelevance,
    SentenceClusters,
)
from pyramidion.summarizers._hmm import HmmQr
from pyramidion.summarizers._selection import Limit
from pyramidion.summarizers._signature import LiteGistexter, SignatureSummarizer
from pyramidion.summarizers._source import Source


def test_lead():
    source = Source.of_texts(["Rain fell on Ardel all day.", "Roads were flooded on Monday."])
    assert Lead().summarize(source, Limit(6)).text == "Roads were flooded on Monday."


def test_first():
    source = Source.of_texts(["Rain fell on Ardel all day.", "Roads were flooded on Monday."])
    assert First().choose(source, Limit(20)).numbers == (0, 1)


def test_random():
    source = Source.of_texts(["Rain fell on Ardel all day.", "Roads were flooded on Monday."])
    assert Random(seed=1).choose(source, Limit(6)) == Random(seed=1).choose(source, Limit(6))


def test_concept_coverage():
    texts = ["Heavy rain fell on Ardel. Goats were sold.", "Rain fell on Ardel on Monday."]
    source = Source.of_texts(texts)
    assert ConceptCoverage().choose(source, Limit(6)).scores == (6.0,)


def test_oracle():
    source = Source.of_texts(
        ["Heavy rain fell on Ardel. Goats were sold there on Monday."],
        references=["Goats were sold."],
    )
    assert Oracle().summarize(source, Limit(8)).text == "Goats were sold there on Monday."


def test_frequency_summarizer():
    source = Source.of_texts(["Heavy rain fell on Ardel. Rain flooded Ardel. Goats were sold."])
    assert FrequencySummarizer().choose(source, Limit(5)).numbers == (0,)


def test_kl_sum():
    text = "Rain fell on Ardel today. Rain fell on Ardel fields. Goats sold well on Monday."
    assert KLSum().choose(Source.of_texts([text]), Limit(10)).numbers == (0, 2)


def test_lexrank():
    text = "Rain fell on us. Rain fell on Ardel. Ardel lies far off. Goats were sold."
    assert LexRank().ranks(Source.of_texts([text])).round(2).tolist() == [0.22, 0.31, 0.22, 0.25]


def test_sentence_clusters():
    text = "Goats were sold on Monday. Rain fell on Ardel. Ardel rain fell. Rain fell in Ardel."
    source = Source.of_texts([text])
    assert SentenceClusters().clusters(source).tolist() == [1, 0, 0, 0]


def test_centroid():
    source = Source.of_texts(["Floods closed roads in Ardel. It was late in the day."] * 2)
    assert Centroid().choose(source, Limit(5)).numbers == (0,)


def test_maximal_marginal_relevance():
    text = "Rain fell on Ardel fields. Rain fell on Ardel. Goats were sold on Monday."
    source = Source.of_texts([text])
    assert MaximalMarginalRelevance().choose(source, Limit(12)).numbers == (0, 2)


def test_hmm_qr():
    text = "Floods closed roads in Ardel. It was late by then. Mud lay in Ardel schools."
    source = Source.of_texts([text] * 3)
    assert HmmQr().choose(source, Limit(10)).numbers == (0, 2)


def test_signature_summarizer():
    text = "Floods closed roads in Ardel. Floods came, and mud. It was late in the day then."
    source = Source.of_texts([text] * 3)
    assert SignatureSummarizer().summarize(source, Limit(6)).text == "Floods closed roads in Ardel."


def test_lite_gistexter():
    text = "Floods closed roads in Ardel. Ardel floods were very bad. Mud lay in all schools."
    source = Source.of_texts([text] * 3)
    assert LiteGistexter().choose(source, Limit(12)).numbers == (0, 2)
