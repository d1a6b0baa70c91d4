"""The result of a comparison in words. A difference that is not significant is undecided."""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyramidion.comparison._result import Comparison, ComparisonResult

UNDECIDED, NOT_EQUAL = "undecided", "which does not mean equal"
_UNDECIDED_TEXT = f"{UNDECIDED}, {NOT_EQUAL}"
_MAX_NAMES = 4

_PairsBySystem = dict[str, "Comparison"]


@dataclass(frozen=True, slots=True)
class _SystemPairs:
    """One system's comparisons, by the other system; those within the margin are undecided."""

    beaten: _PairsBySystem
    better: _PairsBySystem
    undecided: _PairsBySystem


def _is_or_are(count: int) -> str:
    return "is" if count == 1 else "are"


def _count_are(count: int) -> str:
    return f"{count:,} {_is_or_are(count)}"


class Conclusion:
    """Sentences about a comparison: the leaders, the systems they beat, the pairs that differ."""

    def __init__(self, result: "ComparisonResult") -> None:
        self.result = result
        self._tested = [pair for pair in result.comparisons if not math.isnan(pair.p_adjusted)]
        self._against = {system.system: _SystemPairs({}, {}, {}) for system in result.systems}
        for pair in self._tested:
            favored_system, is_decided = result.favors(pair), result.decided(pair)
            for system, other in ((pair.a, pair.b), (pair.b, pair.a)):
                system_pairs = self._against[system]
                decided_pairs = (
                    system_pairs.better if favored_system == other else system_pairs.beaten
                )
                (decided_pairs if is_decided else system_pairs.undecided)[other] = pair

    def __str__(self) -> str:
        text = " ".join(f"{sentence}." for sentence in self._sentences())
        return f"For these runs: {text}" if self.result.runs else text

    def _sentences(self) -> Iterator[str]:
        result = self.result
        if len(result.systems) == 2:
            yield self._two_system_sentence()
            return
        if (n_parts := max(system.part for system in result.systems)) > 1:
            linking_noun = "assessor" if result.adjusted else "topic"
            yield (
                f"The systems fall into {n_parts} parts that share no {linking_noun} and cannot be "
                "compared"
            )
        elif result.baseline:
            yield self._baseline_sentence(result.baseline)
        elif any(map(self.result.decided, self._tested)):
            yield "; ".join(self._leader_clauses())
        elif result.counts.significant:
            clause = f"every significant difference is within {result.margin:g}{result.unit}"
            yield f"{self._name_first(1)} has the best mean, but {clause}"
        else:
            all_tied = all(system.rank == 1 for system in result.systems)
            n_best = sum(system.rank == 1 for system in result.systems)
            best_clause = "has the best mean" if n_best == 1 else "have the best mean"
            sentence = f"{self._name_first(n_best)} {best_clause}, but that may be chance"
            yield "All systems have the same mean" if all_tied else sentence
        yield self._pair_sentence()

    def _two_system_sentence(self) -> str:
        (pair,), (a, b) = self.result.comparisons, (s.system for s in self.result.systems)
        if math.isnan(pair.p_adjusted):
            return f"{self._name_first(2)} could not be tested: {pair.note}"
        amount = f"by {abs(pair.difference):.4g}{self.result.unit or ' on average'}"
        if pair.verdict == "equivalent":
            qualification = f", though significantly different ({self._cite_p([pair])})"
            qualification = qualification if self.result.significant(pair) else ""
            equivalence_clause = f"{self._equivalence_clause([pair])}{qualification}"
            return f"{self._name_first(2)} are {equivalence_clause}; they differ {amount}"
        if not self.result.significant(pair):
            difference = f"{self._name_first(1)} is ahead of {self._name([b])} {amount}"
            difference += ", but that may be chance"
            if not pair.difference:
                difference = f"{self._name_first(2)} have the same mean on the topics they share"
            return f"{difference} ({self._cite_p([pair])}): {_UNDECIDED_TEXT}"
        if self.result.contradictions:
            a, b, amount = b, a, "in ranks, though not on average"
        return (
            f"{self._name([a], is_start=True)} beats {self._name([b])} {amount} "
            f"({self._cite_p([pair])})"
        )

    def _baseline_sentence(self, baseline: str) -> str:
        pairs_of = self._against[baseline]
        clauses = [
            f"{self._name(list(pairs), is_start=adjective == 'better' or not pairs_of.better)} "
            f"{_is_or_are(len(pairs))} {adjective} ({self._cite_p(pairs.values())})"
            for adjective, pairs in (("better", pairs_of.better), ("worse", pairs_of.beaten))
            if pairs
        ]
        difference_clause = " and ".join(clauses) or "No system is shown to be better or worse"
        equivalent_pairs, _ = self._split_by_equivalence(pairs_of.undecided)
        equality_clause = (
            f"; {self._equality_clause(equivalent_pairs, 'it')}" if equivalent_pairs else ""
        )
        return f"{difference_clause} than the baseline {baseline}{equality_clause}"

    def _leader_clauses(self) -> Iterator[str]:
        leader = self.result.systems[0].system
        leader_pairs = self._against[leader]
        leaders = (
            self._undecided_leaders(leader_pairs)
            if len(leader_pairs.undecided) <= _MAX_NAMES
            else []
        )
        if leaders:
            yield self._leaders_clause(
                leaders, {name: leader_pairs.undecided[name] for name in leaders[1:]}
            )
        else:
            yield self._many_undecided_clause(leader_pairs.undecided)
        if leader_pairs.better:
            beat_clause = (
                f"{self._name(list(leader_pairs.better))} did better than {self._name([leader])}"
            )
            p = self._cite_p(leader_pairs.better.values())
            yield f"on the topics they share, {beat_clause} ({p})"
        if leaders:
            yield from self._beaten_clauses(leaders, leader_pairs.beaten)
            yield from self._undecided_against_first(leaders, leader_pairs.undecided)
            return
        if leader_pairs.beaten:
            yield f"it beats {self._name_with_p(leader_pairs.beaten)}"
        winner = max(self._against, key=lambda name: len(self._against[name].beaten))
        if len(self._against[winner].beaten) > len(leader_pairs.beaten):
            beaten_clause = self._name_with_p(self._against[winner].beaten)
            yield f"{self._name([winner])} beats the most, {beaten_clause}"

    def _undecided_leaders(self, pairs_of_first: _SystemPairs) -> list[str]:
        """Return rank 1 and those that follow, down to the first that differs from one of them."""
        leader, *other_leaders = (system.system for system in self.result.systems)
        leaders = [leader]
        for name in other_leaders:
            system_pairs = self._against[name]
            decided_systems = {*system_pairs.beaten, *system_pairs.better}
            if name not in pairs_of_first.undecided or not decided_systems.isdisjoint(leaders):
                break
            leaders.append(name)
        return leaders

    def _many_undecided_clause(self, undecided_pairs: _PairsBySystem) -> str:
        undecided_count, others_count = len(undecided_pairs), len(self.result.systems) - 1
        equivalent_pairs, unproven_pairs = self._split_by_equivalence(undecided_pairs)
        if equivalent_pairs:
            clause = (
                f"{_count_are(len(equivalent_pairs))} "
                f"{self._equivalence_clause(equivalent_pairs.values())}"
            )
            if unproven_pairs:
                p = self._cite_p(unproven_pairs.values())
                clause += f" and {_count_are(len(unproven_pairs))} not shown to be worse ({p})"
            return f"{self._name_first(1)} ranks first, but of the {others_count:,} others {clause}"
        clause_text = f"{undecided_count:,} of the {others_count:,} others are not"
        first_words = (
            f"none of the {others_count:,} others is"
            if undecided_count == others_count
            else clause_text
        )
        p = self._cite_p(undecided_pairs.values())
        return f"{self._name_first(1)} ranks first, but {first_words} shown to be worse ({p})"

    def _leaders_clause(self, leaders: Sequence[str], undecided_pairs: _PairsBySystem) -> str:
        if len(leaders) == 1:
            return f"{self._name_first(1)} leads"
        leader, (equivalent_pairs, unproven) = (
            leaders[0],
            self._split_by_equivalence(undecided_pairs),
        )
        lead_clause = f"{self._name(leaders, is_start=True)} lead"
        if equivalent_pairs and unproven:
            not_worse = f"{self._name(list(unproven))} {_is_or_are(len(unproven))} not shown to"
            equality = self._equality_clause(equivalent_pairs, self._name([leader]))
            p = self._cite_p(unproven.values())
            return f"{lead_clause}; {equality}, and {not_worse} be worse ({p})"
        number_word = ("", "two", "three", "four")[len(leaders) - 2]
        not_worse = f"the other {number_word} are not shown to be worse than {self._name([leader])}"
        statement = not_worse if number_word else "which of the two is better is undecided"
        if equivalent_pairs:
            equality = f"the others are to {self._name([leader])}" if number_word else "both are"
            return (
                f"{lead_clause}; {equality} {self._equivalence_clause(equivalent_pairs.values())}"
            )
        return f"{lead_clause}; {statement} ({self._cite_p(unproven.values())})"

    def _beaten_clauses(
        self, leaders: Sequence[str], beaten_pairs: _PairsBySystem
    ) -> Iterator[str]:
        """Yield which systems all leaders beat, and which others the first one beats."""
        beaten_by = [beaten_pairs, *(self._against[leader].beaten for leader in leaders[1:])]
        by_all = [name for name in beaten_pairs if all(name in pairs for pairs in beaten_by)]
        followers = len(self.result.systems) - len(leaders)
        if by_all:
            subject = {1: "it beats", 2: "both beat"}.get(len(leaders), "all of them beat")
            losers = (
                f"all {followers} others" if len(by_all) == followers > 3 else self._name(by_all)
            )
            p = self._cite_p([pairs[name] for pairs in beaten_by for name in by_all])
            yield f"{subject} {losers} ({p})"
        if only_first := [name for name in beaten_pairs if name not in by_all]:
            also_text = " also" if by_all else ""
            p = self._cite_p([beaten_pairs[name] for name in only_first])
            yield f"{self._name(leaders[:1])}{also_text} beats {self._name(only_first)} ({p})"

    def _undecided_against_first(
        self, leaders: Sequence[str], undecided_pairs: _PairsBySystem
    ) -> Iterator[str]:
        """Yield systems that are undecided against the first, but not against another leader."""
        for name in (name for name in undecided_pairs if name not in leaders):
            system_pairs = self._against[name]
            not_shown_worse = f"not shown to be worse than {self._name(leaders[:1])}"
            p = self._cite_p([undecided_pairs[name]])
            clauses = [f"{self._name([name])} is {not_shown_worse} ({p})"]
            if undecided_pairs[name].verdict == "equivalent":
                clauses = [
                    self._equality_clause({name: undecided_pairs[name]}, self._name(leaders[:1]))
                ]
            winning_systems, beaten_systems = (
                {leader: pairs[leader] for leader in leaders if leader in pairs}
                for pairs in (system_pairs.better, system_pairs.beaten)
            )
            if winning_systems:
                verb = "beats it" if len(winning_systems) == 1 else "beat it"
                p = self._cite_p(winning_systems.values())
                clauses.append(f"but {self._name(list(winning_systems))} {verb} ({p})")
            if beaten_systems:
                clauses.append(
                    f"and did better than {self._name_with_p(beaten_systems)} on shared topics"
                )
            yield ", ".join(clauses)

    def _pair_sentence(self) -> str:
        """Count the pairs by their verdict."""
        pairs, n_tried = len(self.result.comparisons), len(self._tested)
        n_different = sum(map(self.result.decided, self._tested))
        total_text = f"{n_tried:,} pairs" + (" that could be tested" if n_tried < pairs else "")
        if not n_tried:
            return f"None of the {pairs:,} pairs could be tested"
        if n_tried == n_different:
            return f"All {total_text} differ significantly"
        equivalent_pairs = [p for p in self._tested if p.verdict == "equivalent"]
        n_open = n_tried - n_different - len(equivalent_pairs)
        if not n_different and not equivalent_pairs:
            p = self._cite_p(self._tested)
            return f"None of the {total_text} differs significantly ({p}): {_UNDECIDED_TEXT}"
        undecided_clauses = [f"{_count_are(n_open)} {_UNDECIDED_TEXT}"] if n_open else []
        if any(map(self.result.significant, equivalent_pairs)):
            remainder = (
                f"{n_different:,} more {'differs' if n_different == 1 else 'differ'} significantly"
            )
            return "; ".join(
                [
                    self._equivalent_pairs_clause(equivalent_pairs, total_text),
                    *([remainder] if n_different else []),
                    *undecided_clauses,
                ]
            )
        equivalence_clause = (
            [f"{_count_are(len(equivalent_pairs))} {self._equivalence_clause(equivalent_pairs)}"]
            if equivalent_pairs
            else []
        )
        difference_clause = f"{n_different:,} of {total_text} differ significantly"
        return "; ".join(
            [
                difference_clause if n_different else f"None of the {total_text} differs",
                *equivalence_clause,
                *undecided_clauses,
            ]
        )

    def _equivalent_pairs_clause(self, equivalent_pairs: "Sequence[Comparison]", total: str) -> str:
        """Count the pairs within the margin, and how many of them differ nevertheless."""
        n_significant = sum(map(self.result.significant, equivalent_pairs))
        share = "all" if n_significant == len(equivalent_pairs) else f"{n_significant:,}"
        conjunction = "though" if len(equivalent_pairs) == 1 else f"{share} of them though"
        equivalence_clause = (
            f"{len(equivalent_pairs):,} of {total} {_is_or_are(len(equivalent_pairs))} "
            f"{self._equivalence_clause(equivalent_pairs)}"
        )
        return f"{equivalence_clause}, {conjunction} significantly different"

    def _split_by_equivalence(self, pairs: _PairsBySystem) -> tuple[_PairsBySystem, _PairsBySystem]:
        """Separate the pairs within the margin from the others."""
        equivalent_pairs = {
            name: pair for name, pair in pairs.items() if pair.verdict == "equivalent"
        }
        return equivalent_pairs, {
            name: pair for name, pair in pairs.items() if name not in equivalent_pairs
        }

    def _equality_clause(self, pairs: _PairsBySystem, target: str) -> str:
        equivalence_clause = self._equivalence_clause(pairs.values()).replace(
            "equivalent", f"equivalent to {target}", 1
        )
        return f"{self._name(list(pairs))} {_is_or_are(len(pairs))} {equivalence_clause}"

    def _equivalence_clause(self, pairs: "Iterable[Comparison]") -> str:
        largest_p = max(pair.p_equivalence_adjusted for pair in pairs)
        p = "p < .001" if largest_p < 0.001 else f"p ≤ {largest_p:.3f}".replace(" 0.", " .")
        return f"equivalent within {self.result.margin:g}{self.result.unit} ({p})"

    def _name_first(self, count: int) -> str:
        return self._name([s.system for s in self.result.systems[:count]], is_start=True)

    def _name(self, names: Sequence[str], *, is_start: bool = False) -> str:
        """Name a few systems, and count the rest; bare numbers are preceded by "system"."""
        limit = _MAX_NAMES if len(names) > _MAX_NAMES + 1 else len(names)
        suffix = [f"{len(names) - limit:,} more"] if len(names) > limit else []
        *preceding_names, last_name = [*names[:limit], *suffix]
        word = ("System " if is_start else "system ") if any(map(str.isdigit, names)) else ""
        if len(names) > 1:
            word = word.replace(" ", "s ")
        return f"{word}{', '.join(preceding_names)}{' and ' if preceding_names else ''}{last_name}"

    def _name_with_p(self, pairs: _PairsBySystem) -> str:
        return f"{self._name(list(pairs))} ({self._cite_p(pairs.values())})"

    def _cite_p(self, pairs: "Iterable[Comparison]") -> str:
        """Cite p-values as papers do: the only, the largest significant, or the smallest one."""
        values, alpha = [pair.p_adjusted for pair in pairs], self.result.alpha
        p = max(values) if max(values) <= alpha else min(values)
        if p < 0.001:
            return "p < .001"
        if p >= 0.995:
            return "p > .99"
        sign = "=" if len(values) == 1 else "≤" if p <= alpha else "≥"
        digits = 2 if p >= 0.1 else 3
        # A p-value just above the level must not be rounded to it.
        while round(p, digits) == alpha != p and digits < 9:
            digits += 1
        return f"p {sign} {p:.{digits}f}".replace(" 0.", " .")
