"""Stems with and without irregular forms, and the words that ROUGE-1.5.5 counts."""

import json
from collections import Counter
from pathlib import Path

import pytest

from pyramidion.text import stem, tokenize, words
from pyramidion.text import tokens as stems
from support import GOLD, shared_file

# Written for the project and scored by the original Perl program; copied from
# ../shared/gold/rouge, whose README describes the files.
ROUGE = GOLD / "rouge"
RUNS = {
    "four_base": {},
    "four_s": {"stop_words": True},
    "four_m": {"stem": True},
    "four_ms": {"stem": True, "stop_words": True},
    "four_m_emptydb": {"stem": True, "exceptions": False},
}


def read(name):
    return json.loads((ROUGE / f"{name}.json").read_text(encoding="utf-8"))


def unigram_counts(record, **options):
    """Count as section 4 of the specification says: summed over the models."""
    topic = read("inputs")[record["topic"]]
    peer = Counter(words(topic["peers"][record["peer"]], **options))
    models = [Counter(words(topic["models"][name], **options)) for name in record["models"]]
    hits = sum((model & peer).total() for model in models)
    return sum(model.total() for model in models), len(models) * peer.total(), hits


def unigram_records(run):
    return [record for record in read(run)["per_eval"] if record["metric"] == "ROUGE-1"]


def ratio(part, whole):
    return round(part / whole, 5) if whole else 0.0


@pytest.mark.parametrize("run", RUNS)
def test_unigram_scores_are_those_of_the_perl_program(run):
    records = unigram_records(run)
    assert len(records) == 12
    for record in records:
        in_models, in_peer, hits = unigram_counts(record, **RUNS[run])
        recall, precision = ratio(hits, in_models), ratio(hits, in_peer)
        f = ratio(recall * precision, (recall + precision) / 2)
        assert (recall, precision, f) == (record["R"], record["P"], record["F"])


def test_unigram_counts_are_those_of_the_perl_program():
    for record in unigram_records("four_m_t2"):
        expected = (record["M_count"], record["P_count"], record["H_count"])
        assert unigram_counts(record, stem=True) == expected


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        # Sections 3.2 to 3.4 of the specification.
        ("geese", "goose"),
        ("goose", "goos"),
        ("mice", "mouse"),
        ("mouse", "mous"),
        ("better", "well"),
        ("best", "well"),
        ("testes", "testes"),
        ("professional", "profess"),
        ("governmental", "govern"),
        ("statement", "statem"),
        ("element", "elem"),
        ("conditioner", "condit"),
        # Neither looked up nor stemmed.
        ("ran", "ran"),
        ("men", "men"),
        ("won", "won"),
        ("is", "is"),
        ("Geese", "goose"),
        ("", ""),
    ],
)
def test_specified_stems(word, expected):
    assert stem(word) == expected


def test_without_irregular_forms():
    assert stem("geese", exceptions=False) == "gees"
    assert stem("better", exceptions=False) == "better"
    assert stem("professional", exceptions=False) == "profess"


def test_the_table_of_irregular_forms():
    forms = stems._irregular_forms()
    assert len(forms) == 5930
    assert all(form and base for form, base in forms.items())
    assert sum(len(form) > 3 for form in forms) == 5893


def test_many_irregular_forms_do_not_meet_their_base_form():
    """Section 3.2 of the specification: 2,174 base forms would themselves be changed.

    It counts them among 5,893 forms of more than three characters; the figure is met among
    the 5,593 of these that can be tokens, the other 300 hold hyphens, apostrophes or blanks.
    """
    forms = stems._irregular_forms()
    usable = {form: base for form, base in forms.items() if tokenize(form) == [form]}
    usable = {form: base for form, base in usable.items() if len(form) > 3}
    assert len(usable) == 5593
    assert sum(stem(base) != base for base in usable.values()) == 2174


def test_the_table_is_the_specified_one():
    shipped = Path(stems.__file__).parent / "data" / "stem-exceptions.tsv"
    assert shipped.read_bytes() == shared_file("spec/stem-exceptions.tsv").read_bytes()


def test_stop_words_are_dropped_before_stemming():
    # The stem of "wells" is a stop word, the stem of "above" is none.
    assert words("Above the wells", stem=True, stop_words=True) == ["well"]
    assert words("Above the wells", stem=True) == ["abov", "the", "well"]
    assert words("Above the wells", stop_words=True) == ["wells"]


def test_words_of_other_scripts_can_be_stemmed():
    assert words("Les cafés", tokenizer="unicode", stem=True) == ["les", "café"]


def test_the_lexicon_is_built_once():
    assert stems.lexicon() is stems.lexicon()
    assert stems.lexicon(exceptions=False) is not stems.lexicon()
