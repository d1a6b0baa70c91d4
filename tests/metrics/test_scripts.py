"""Texts that the tokenizer of ROUGE cannot see are never scored as if it could."""

import gzip
import json
import warnings
from pathlib import Path

import pytest

from pyramidion import Collection, Rouge, Summary, compare, score
from pyramidion.errors import DataNote, DataWarning, InputError
from pyramidion.metrics import ScoringBatch, parse_metric, score_cases
from pyramidion.text.encoding import other_letters, tokenizer_for

ARABIC = "ذهب الولد إلى المدرسة في عام 2030"
CHINESE = "北京的夏天很热 2030"
GERMAN = "Für die Bürger ändert sich wenig, und die Behörden wollen nächstes Jahr darüber beraten."
ENGLISH = "The café near the station was closed, and nobody in the town knew why. " + "Rain. " * 20
OPEN_SETS = Path(__file__).parents[3] / "shared" / "data"


def collection(reference, summary=None):
    reference = Summary("T1", "A", reference, kind="human", role="reference")
    return Collection("mine", summaries=(reference, Summary("T1", "7", summary or reference.text)))


def test_identical_arabic_texts_score_one():
    with pytest.warns(DataNote, match="100% of the letters of the texts are not ASCII: using"):
        result = score(collection(ARABIC), metrics="rouge-1,bleu,js-references")
    assert [own["mean"] for own in result] == [1.0, 1.0, 0.0]
    assert "rouge-1(tokenizer=unicode)" in str(result.signature)
    assert "tok:unicode" in str(result.signature)


def test_chinese_texts_that_share_a_number_are_not_the_same():
    other = "上海下了很大的雪 2030"
    with pytest.warns(DataNote):
        (result,) = score(collection(CHINESE, other), metrics="rouge-1")
    assert 0 < result["mean"] < 0.5
    with pytest.warns(DataNote):
        scores = Rouge(n=1, l=False).score(other, CHINESE)
    assert scores["rouge-1-f"].tolist() == [result["mean"]]
    assert "tok:unicode" in str(scores.signature)
    cases = ScoringBatch.of_texts([other], [[CHINESE]])
    with pytest.warns(DataNote):
        assert score_cases(parse_metric("rouge-1"), cases).tolist() == [result["mean"]]


def test_german_is_read_as_ever_and_its_loss_is_reported():
    with pytest.warns(DataWarning, match="splits words at them; use the unicode tokenizer"):
        result = score(collection(GERMAN), metrics="rouge-1")
    assert "tok:rouge" in str(result.signature)
    assert not warned(collection(GERMAN), tokenizer="unicode")


def test_accents_alone_are_letters_too():
    assert other_letters(["cafe\u0301"]) == other_letters(["café"]) == 0.25
    assert other_letters([("a", "é")]) == 0.5
    assert other_letters(["12 – 14 €", ""]) == 0


def test_english_with_some_accents_raises_no_alarm():
    assert not warned(collection(ENGLISH))


@pytest.mark.parametrize("fixed", [{"tokenizer": "rouge"}, {"exact": True}])
def test_what_was_asked_for_is_obeyed_with_a_warning(fixed):
    with pytest.warns(DataWarning, match="the scores mean little or nothing"):
        result = score(collection(ARABIC), metrics="rouge-1", **fixed)
    assert "tok:rouge" in str(result.signature)
    with pytest.warns(DataWarning):
        assert tokenizer_for(1.0, "rouge") == "rouge"


def test_metrics_without_another_tokenizer_are_refused():
    with pytest.raises(InputError, match="vert-f only finds words of ASCII letters, and 100%"):
        score(collection(ARABIC), metrics="vert-f")
    cases = ScoringBatch.of_texts([ARABIC], [[ARABIC]])
    with pytest.raises(InputError, match="vert-f only finds words of ASCII letters"):
        score_cases(parse_metric("vert-f"), cases)
    with pytest.warns(DataNote):
        result = score(collection(ARABIC), metrics="all")
    assert any("only finds words of ASCII letters" in line for line in result.left_out)
    assert "classy" not in str(result.signature)


@pytest.mark.filterwarnings("ignore:.*system equal to a reference")
def test_metrics_that_are_compared_at_once_see_other_scripts():
    texts = {"x": ARABIC, "y": f"{ARABIC} مطر", "z": f"{ARABIC} ثلج ثلج"}
    machines = (Summary(topic, name, text) for topic in "abc" for name, text in texts.items())
    people = (Summary(topic, "A", ARABIC, kind="human", role="reference") for topic in "abc")
    source = Collection("mine", summaries=(*people, *machines))
    with pytest.warns(DataNote, match="using the unicode tokenizer"):
        result = compare(source, measures="rouge-1")
    assert (result.systems[0].system, result.systems[0].mean) == ("x", 1.0)


def warned(source, **options):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        score(source, metrics="rouge-1", **options)
    return [str(one.message) for one in caught if issubclass(one.category, DataNote)]


@pytest.mark.skipif(not OPEN_SETS.is_dir(), reason="the open sets are not beside the project")
def test_the_open_sets_raise_no_alarm():
    shares = {}
    for file in sorted(OPEN_SETS.glob("*.jsonl.gz")):
        with gzip.open(file, "rt", encoding="utf-8") as lines:
            rows = [json.loads(line) for line in lines]
        texts = [text for row in rows for text in (row.get("summary", ""), *_references(row))]
        shares[file.name] = other_letters(filter(None, texts))
    assert shares
    assert {name: share for name, share in shares.items() if share >= 0.008} == {}


def _references(row):
    return [text for text in row.get("references") or () if isinstance(text, str)]
