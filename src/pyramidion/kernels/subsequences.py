"""Longest common subsequences of summaries, as ROUGE-L and ROUGE-W count them.

This is the readable specification of the compiled functions of the same names, and the
fallback if nothing was compiled.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Protocol, Self, TypeVar

import numpy as np

from pyramidion._types import Floats, Ints
from pyramidion.kernels.checks import checked_subsequences, checked_weight
from pyramidion.kernels.summaries import Summaries

__all__ = ["lcs_hits", "weigh_runs", "weighted_lcs_hits"]

# Steps of a path back through the table of an LCS.
_DIAGONAL, _UP, _LEFT = range(3)

_Moves = list[bytearray]
_PathFinder = Callable[[list[int], list[int]], set[int]]


class _Number(Protocol):
    def __add__(self, other: Self, /) -> Self: ...
    def __sub__(self, other: Self, /) -> Self: ...
    def __ge__(self, other: Self, /) -> bool: ...


_Weight = TypeVar("_Weight", bound=_Number)


def lcs_hits(summaries: Summaries, peers: Ints, models: Ints, threads: int = 1) -> Ints:
    """Count the words of each model on its union of longest common subsequences with the peer.

    In every sentence of the model, the words on a longest common subsequence with any sentence of
    the peer are marked. A marked word is a hit until the model's or the peer's occurrences of it
    are used up.
    """
    summaries, peers, models, _ = checked_subsequences(summaries, peers, models, threads)
    hit_counts = (
        sum(sum(is_hit) for _, is_hit in _marked_words(summaries, peer, model, _lcs_path))
        for peer, model in zip(peers.tolist(), models.tolist(), strict=True)
    )
    return np.fromiter(hit_counts, np.int64, len(peers))


def weighted_lcs_hits(
    summaries: Summaries, peers: Ints, models: Ints, weight: float, threads: int = 1
) -> Floats:
    """Sum the weights of runs of hits on weighted LCSs: a run of k weighs k ** weight.

    Notes
    -----
    As in ROUGE-1.5.5, a marked word that is used up neither breaks nor ends a run: a run ends
    only at a hit whose right neighbor is not marked or does not exist, so that a run whose last
    word is used up continues into the next one, or is lost at the end of the sentence.
    """
    summaries, peers, models, _ = checked_subsequences(summaries, peers, models, threads)
    max_words = int(np.diff(summaries.sentences).max(initial=0))
    weight = checked_weight(weight, max_words)
    run_weights = [float(k) ** weight for k in range(max_words + 1)]
    pairs = zip(peers.tolist(), models.tolist(), strict=True)
    sums = (weigh_runs(summaries, *pair, run_weights, 0.0) for pair in pairs)
    return np.fromiter(sums, np.float64, len(peers))


def weigh_runs(
    summaries: Summaries, peer: int, model: int, run_weights: Sequence[_Weight], zero: _Weight
) -> _Weight:
    """Sum the weights of one pair's runs in any number type; a run of k has `run_weights[k]`."""

    def find_path(model: list[int], peer: list[int]) -> set[int]:
        return _weighted_path(model, peer, run_weights, zero)

    total = zero
    # One running total over all sentences, as in the script: the last bit depends on it.
    for is_marked, is_hit in _marked_words(summaries, peer, model, find_path):
        for run in _run_lengths(is_marked, is_hit):
            total = total + run_weights[run]
    return total


def _marked_words(
    summaries: Summaries, peer: int, model: int, find_path: _PathFinder
) -> Iterator[tuple[list[bool], list[bool]]]:
    """Yield for each sentence of the model the marked words, and which of them are hits."""
    model_counts = Counter(summaries.flat(model))
    peer_counts = Counter(summaries.flat(peer))
    peer_sentences = summaries.sentences_of(peer)
    for sentence in summaries.sentences_of(model):
        union = set().union(
            *(find_path(sentence, peer_sentence) for peer_sentence in peer_sentences)
        )
        is_marked = [position in union for position in range(len(sentence))]
        is_hit = []
        for word, marked in zip(sentence, is_marked, strict=True):
            hit = marked and model_counts[word] > 0 and peer_counts[word] > 0
            model_counts[word] -= hit
            peer_counts[word] -= hit
            is_hit.append(hit)
        yield is_marked, is_hit


def _lcs_path(model: list[int], peer: list[int]) -> set[int]:
    """Return the positions in the model's sentence on one longest common subsequence."""
    row_above = [0] * (len(peer) + 1)
    moves = _empty_moves(model, peer)
    for i, word in enumerate(model, start=1):
        row = [0]
        for j, peer_word in enumerate(peer, start=1):
            hits_above, hits_left = row_above[j], row[j - 1]
            if word == peer_word:
                row.append(row_above[j - 1] + 1)
                moves[i][j] = _DIAGONAL
            else:
                row.append(max(hits_above, hits_left))
                moves[i][j] = _UP if hits_above >= hits_left else _LEFT
        row_above = row
    return _trace_path(moves, len(model), len(peer))


def _weighted_path(
    model: list[int], peer: list[int], run_weights: Sequence[_Weight], zero: _Weight
) -> set[int]:
    """Return the positions in the model's sentence on one weighted longest common subsequence."""
    row_above, runs_above = [zero] * (len(peer) + 1), [0] * (len(peer) + 1)
    moves = _empty_moves(model, peer)
    for i, word in enumerate(model, start=1):
        row, runs = [zero], [0]
        for j, peer_word in enumerate(peer, start=1):
            hits_above, hits_left = row_above[j], row[j - 1]
            if word == peer_word:
                run = runs_above[j - 1]
                # The order of operations determines the last bit, and so the winner of a tie.
                row.append((row_above[j - 1] + run_weights[run + 1]) - run_weights[run])
                runs.append(run + 1)
                moves[i][j] = _DIAGONAL
            else:
                goes_up = hits_above >= hits_left
                row.append(hits_above if goes_up else hits_left)
                runs.append(0)
                moves[i][j] = _UP if goes_up else _LEFT
        row_above, runs_above = row, runs
    return _trace_path(moves, len(model), len(peer))


def _empty_moves(model: list[int], peer: list[int]) -> _Moves:
    return [bytearray(len(peer) + 1) for _ in range(len(model) + 1)]


def _trace_path(moves: _Moves, i: int, j: int) -> set[int]:
    positions = set()
    while i > 0 and j > 0:
        move = moves[i][j]
        if move == _DIAGONAL:
            positions.add(i - 1)
        i -= move != _LEFT
        j -= move != _UP
    return positions


def _run_lengths(is_marked: list[bool], is_hit: list[bool]) -> Iterator[int]:
    run = 0
    for position, hit in enumerate(is_hit):
        run += hit
        is_at_end = position + 1 == len(is_marked) or not is_marked[position + 1]
        if hit and is_at_end:
            yield run
            run = 0
