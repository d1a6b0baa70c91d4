"""The methods once more in plain Python, slow and readable, to check ours against."""

import math
from collections import Counter
from itertools import combinations

from pyramidion.text import count_words, words

COMPOSITIONS = {
    "sum-avr": lambda values: sum(values) / len(values),
    "sum-prod": lambda values: sum(math.log(max(value, 1e-300)) for value in values),
    "sum-sum": sum,
}


def content(text):
    return words(text, stem=True, stop_words=True)


def greedy(sentences, limit, weigh, said=lambda number: None):
    """Choose as ``fill`` does: the best that fits; of equals, the first in the alphabet."""
    chosen, used = [], 0
    while True:
        fitting = [
            number
            for number, text in enumerate(sentences)
            if number not in chosen and used + count_words(text) <= limit
        ]
        worth = {number: weigh(number) for number in fitting}
        worth = {number: value for number, value in worth.items() if value is not None}
        if not worth:
            return chosen
        top = max(worth.values())
        near = [n for n, value in worth.items() if value >= top - 1e-12 * abs(top)]
        best = min(near, key=lambda number: sentences[number])
        chosen.append(best)
        used += count_words(sentences[best])
        said(best)


def sum_f(sentences, limit, method, *, context="low", low=1e-6, tokens=False):
    """SUM_F on sentences that are documents of their own."""
    read = [content(text) for text in sentences]
    counts = Counter(word for own in read for word in own)
    now = {word: number / counts.total() for word, number in counts.items()}

    def weigh(number):
        own = read[number] if tokens else sorted(set(read[number]))
        return COMPOSITIONS[method]([now[word] for word in own]) if own else None

    def said(number):
        for word in set(read[number]):
            if context == "low":
                now[word] = min(now[word], low)
            elif context == "squared":
                now[word] **= 2

    return greedy(sentences, limit, weigh, said)


def kl_sum(sentences, limit, smoothing):
    """KL-sum on sentences that are documents of their own."""
    read = [content(text) for text in sentences]
    counts = Counter(word for own in read for word in own)
    goal = {word: number / counts.total() for word, number in counts.items()}
    summary = Counter()

    def weigh(number):
        if not read[number]:
            return None
        mine = summary + Counter(read[number])
        total = mine.total() + smoothing * len(goal)
        return -sum(p * math.log(p / ((mine[w] + smoothing) / total)) for w, p in goal.items())

    return greedy(sentences, limit, weigh, lambda number: summary.update(read[number]))


def best_subset(units, weights, lengths, limit):
    """Try all sets of sentences; units are Counters, weights give what the k-th copy adds."""
    best = 0.0
    for size in range(len(units) + 1):
        for chosen in combinations(range(len(units)), size):
            if sum(lengths[number] for number in chosen) <= limit:
                had = Counter()
                for number in chosen:
                    had.update(units[number])
                value = sum(sum(weights[unit][: had[unit]]) for unit in had)
                best = max(best, value)
    return best


def log_ratio(k1, n1, k2, n2):
    """-2 log lambda, from the binomial probabilities of the thesis's section 4.5."""

    def likelihood(k, n, p):
        return (k * math.log(p) if k else 0.0) + ((n - k) * math.log(1 - p) if n - k else 0.0)

    if k1 * n2 <= k2 * n1:
        return 0.0
    both = (k1 + k2) / (n1 + n2)
    one = likelihood(k1, n1, both) + likelihood(k2, n2, both)
    two = likelihood(k1, n1, k1 / n1) + likelihood(k2, n2, k2 / n2)
    return -2 * (one - two)
