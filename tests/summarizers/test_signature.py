"""Topic signatures."""

from collections import Counter

import numpy as np
import pytest

from pyramidion.summarizers import Limit, Source, parse_summarizer
from pyramidion.text import is_stop_word, stem
from pyramidion.text.encoding import default_background
from summarizers import plain
from summarizers.inputs import source_of

TEXT = "Floods closed roads in Ardel. The floods were bad in Ardel. People said that it was late."


def signature_of(source):
    """Return -2 log lambda of each word."""
    return parse_summarizer("gistexter").word_weights(source)


def background_counts():
    counts = Counter()
    for word, number in default_background().counts.items():
        if not is_stop_word(word):
            counts[stem(word)] += number
    return counts


def test_ratios_follow_the_formula():
    source = source_of(TEXT, TEXT)
    general = background_counts()
    total = int(source.counts.sum())
    expected = [
        plain.log_ratio(int(number), total, general[word], general.total())
        for word, number in zip(source.words, source.counts, strict=True)
    ]
    assert signature_of(source) == pytest.approx(expected)


def test_words_of_the_query_are_no_signature():
    source = source_of(TEXT, query="zyzzyva zyzzyva")
    assert signature_of(source)[list(source.words).index("zyzzyva")] == 0


def test_averages_and_sums():
    source = source_of(TEXT, TEXT)
    ratios = dict(zip(source.words, signature_of(source), strict=True))
    signature = {word: ratio for word, ratio in ratios.items() if ratio > 10}
    assert {"flood", "ardel"} <= signature.keys()
    assert "people" not in signature
    average = parse_summarizer("signature").choose(source, Limit(6))
    words = {"flood", "bad", "ardel"}
    assert average.numbers[0] == 1
    worth = sum(signature.get(word, 0.0) for word in words) / len(words)
    assert average.scores[0] == pytest.approx(worth)
    total = parse_summarizer("signature(compose=sum,weight=one)").choose(source, Limit(6))
    assert total.scores[0] == sum(word in signature for word in ("flood", "close", "road", "ardel"))
    after = dict(parse_summarizer("signature").weights_after(source, [1]))
    assert "flood" not in after
    kept = parse_summarizer("signature(context=off)").weights_after(source, [1])
    assert "flood" in dict(kept)


def test_gistexter_wants_more_new_terms_than_old_ones():
    texts = (
        "Floods closed roads in Ardel on Monday.",
        "Floods closed roads in Norden again.",  # three old terms, one new
        "Floods drowned goats and cows there.",  # one old term, three new
    )
    source = source_of(*(text for text in texts for _ in range(4)))
    ratios = signature_of(source)
    assert (ratios[[list(source.words).index(w) for w in ("flood", "norden", "cow")]] > 10).all()
    chosen = [
        source.texts[number]
        for number in parse_summarizer("gistexter").choose(source, Limit(100)).numbers
    ]
    assert chosen == [texts[0], texts[2]]


def test_gistexter_leaves_out_what_is_half_old():
    texts = (
        "Floods closed roads and bridges in Ardel.",
        "Floods closed schools and shops.",  # two old terms, two new
    )
    source = source_of(*(text for text in texts for _ in range(4)))
    ratios = dict(zip(source.words, signature_of(source), strict=True))
    assert all(ratios[word] > 10 for word in ("flood", "close", "school", "shop"))
    choice = parse_summarizer("gistexter").choose(source, Limit(100))
    assert [source.texts[number] for number in choice.numbers] == [texts[0]]


def test_gistexter_sums_all_weights():
    source = source_of(TEXT, TEXT)
    choice = parse_summarizer("gistexter").choose(source, Limit(6))
    presence = source.wording.presence.toarray()
    assert choice.scores[0] == pytest.approx(float((presence @ signature_of(source)).max()))
    assert np.isfinite(choice.scores).all()


def test_signature_of():
    source = Source.of_texts(["Floods closed roads. Floods and mud. Floods again."] * 3)
    assert source.words[int(signature_of(source).argmax())] == "flood"
