"""Where the two modes agree, and where they differ by design."""

from dataclasses import replace

import numpy as np
import pytest

from pyramidion import Rouge
from pyramidion.rouge.results import perl_means, sample_means
from rouge.gold import RUNS, printed, records
from rouge.test_exact_api import API_RUNS, rouge_of, texts_by_peer

LIMITS = ("l", "b")
UNLIMITED = [
    run for run in API_RUNS if not set(LIMITS) & set(run.options) and run.options.get("w") != "0.5"
]


def sound_of(options):
    return replace(rouge_of(options), exact=False)


@pytest.mark.parametrize("run", UNLIMITED, ids=lambda run: run.name)
def test_recall_and_precision_agree_with_the_script(run, gold, monkeypatch):
    """For N, L, S and SU without limits; F too, up to what the script loses by rounding."""
    monkeypatch.chdir(gold)
    rouge = sound_of(run.options)
    assert not rouge.exact
    expected = records(printed(gold, run.name))
    compared = 0
    peers, references = texts_by_peer(run.arguments[-1])
    for peer, texts in peers.items():
        scores = rouge.score(texts, references[peer])
        for variant in rouge.variants:
            if variant.family == "w":
                continue
            name = variant.perl_name.removeprefix("ROUGE-")
            for row, evaluation in enumerate(scores.ids):
                ours = [scores[f"{variant.measure}-{part}"][row] for part in "rpf"]
                gold_r, gold_p, gold_f = expected[peer, name, evaluation]
                assert ours[:2] == pytest.approx([gold_r, gold_p], abs=5.0001e-6)
                assert ours[2] == pytest.approx(gold_f, abs=2e-5)
                compared += 1
    assert compared == sum(not key[1].startswith("W") for key in expected)


def test_there_are_enough_runs_to_compare():
    assert len(UNLIMITED) == 76
    assert len(RUNS) == 375


def pair(peer, references, **options):
    """Score with both modes: sound, exact."""
    return [
        Rouge(**options, exact=exact).score([peer], [references]).as_dict()[0]
        for exact in (False, True)
    ]


def test_f_is_computed_from_unrounded_recall_and_precision():
    sound, exact = pair("a b x y z", ["a b c d e f"], n=1, l=False)
    assert (exact["rouge-1-r"], exact["rouge-1-p"], exact["rouge-1-f"]) == (0.33333, 0.4, 0.36363)
    assert sound["rouge-1-f"] == pytest.approx(4 / 11)
    assert f"{sound['rouge-1-f']:.5f}" == "0.36364"


def test_the_lengths_of_rouge_w_are_weighted_once():
    text = "rain fell on the harbor road today"
    sound, exact = pair(text, [text], n=(), l=False, w=1.2)
    assert sound["rouge-w-1.2-r"] == sound["rouge-w-1.2-p"] == 1.0
    assert exact["rouge-w-1.2-p"] == 1.0
    assert exact["rouge-w-1.2-r"] == pytest.approx(7 ** (1.2 * (1 - 1.2) / 1.2), abs=5e-6)


def test_the_peers_sentences_are_weighed_one_by_one():
    text = "rain fell on roads\nthe bridge was closed"
    sound, exact = pair(text, [text], n=(), l=False, w=2.0)
    assert sound["rouge-w-2-p"] == 1.0
    assert exact["rouge-w-2-p"] == pytest.approx((32 / 64) ** 0.5, abs=5e-6)


def test_precision_of_rouge_w_is_1_at_most():
    sound, exact = pair("rain fell\nroads closed", ["rain fell roads closed"], n=(), l=False, w=2.0)
    assert sound["rouge-w-2-p"] == 1.0
    assert exact["rouge-w-2-p"] == 1.0


def test_references_are_not_cut():
    sound, exact = pair("rain fell", ["rain fell on the road"], n=1, l=False, words=2)
    assert (sound["rouge-1-r"], exact["rouge-1-r"]) == (0.4, 1.0)


def test_a_leading_blank_is_not_a_word():
    sound, exact = pair(" rain fell", ["rain fell"], n=1, l=False, words=2)
    assert (sound["rouge-1-p"], exact["rouge-1-r"]) == (1.0, 0.5)


def test_a_limit_in_bytes_holds_for_rouge_l_too():
    text = "rain fell\nroads shut"
    sound, exact = pair(text, [text], n=1, l=True, bytes=12)
    assert sound["rouge-l-r"] == sound["rouge-1-r"] == 2 / 4
    assert sound["rouge-l-p"] == sound["rouge-1-p"] == 2 / 3
    # The script cuts the reference too, but its sentences only for counting words.
    assert (exact["rouge-1-r"], exact["rouge-l-r"]) == (1.0, 0.5)


def test_averages_are_sample_means(gold, monkeypatch):
    monkeypatch.chdir(gold)
    peers, references = texts_by_peer("xml/dev.stress.xml")
    values = Rouge(n=1, stem=True).score(peers["X"], references["X"])["rouge-1-r"]
    (sound,), (perl,) = sample_means(values[:, None]), perl_means(values[:, None])
    assert sound.mean == values.mean() != perl.mean
    assert perl.mean == pytest.approx(values.mean(), abs=1e-3)


def test_sound_intervals_depend_on_the_seed_and_exact_ones_do_not():
    sound, exact = (
        Rouge(n=1, l=False, exact=exact).score(["a b", "c", "d e"], ["a", "c d", "e d"])
        for exact in (False, True)
    )
    assert sound.mean("rouge-1-f") == sound.mean("rouge-1-f", rng=0)
    assert sound.mean("rouge-1-f", rng=1).mean == sound.mean("rouge-1-f", rng=2).mean
    many = np.linspace(0, 1, 37)[:, None] ** 2
    assert sample_means(many, rng=1)[0].low != sample_means(many, rng=2)[0].low
    assert exact.mean("rouge-1-f", rng=1) == exact.mean("rouge-1-f", rng=2)
