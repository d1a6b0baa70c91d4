"""Comparison of systems by mixed models, which take assessors and runs into account."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any, get_args

import numpy as np

from pyramidion._types import Floats, Ints, Pairs
from pyramidion.collection import ScoreMatrix
from pyramidion.collection.matrix import topic_indices
from pyramidion.comparison._compare import (
    CompareOptions,
    build_comparisons,
    compare_matrix,
    comparison_result,
    left_out_notes,
    paired_systems,
    with_verdicts,
)
from pyramidion.comparison._intervals import (
    corrected_level,
    t_interval_ends,
    with_difference_intervals,
    with_margin_intervals,
)
from pyramidion.comparison._result import ComparisonResult, ModelFit, Ranking
from pyramidion.comparison.common import places_of, ratios
from pyramidion.comparison.procedures import ModelName, RandomEffect
from pyramidion.errors import InputError, known_names
from pyramidion.stats import adjust_p, linear_mixed_model, ordinal_mixed_model
from pyramidion.stats._mixed import MAX_P_HINTED, MAX_P_SHOWN
from pyramidion.stats.anova import linked_parts
from pyramidion.stats.mean_intervals import MeanIntervals
from pyramidion.stats.pairs import merge_rounding_ties, noise_level, shared_topics

if TYPE_CHECKING:
    from pyramidion.stats import MixedModel, MixedPairs

#: The level of each score, by random effect.
RandomEffects = dict[str, Ints]

_SAME_UNIT = {"system:topic": "one summary", "system:assessor": "one system by one assessor"}
# An ordinal model of more scores takes minutes.
_MAX_ORDINAL_SCORES = 200_000
# With a smaller share of scores by the same assessors, systems are confounded with assessors.
_MIN_ASSESSOR_OVERLAP = 0.2
_ASSESSORS_DIFFER = "some systems were judged almost only by different assessors"


@dataclass(frozen=True, slots=True, eq=False)
class ScoreRows:
    """Single scores: their systems, as columns of a matrix, and the levels of random effects."""

    value: Floats
    system: Ints
    random: RandomEffects
    names: tuple[str, ...]

    @classmethod
    def of(cls, matrix: ScoreMatrix) -> "ScoreRows":
        """Return the scores that a matrix was built from or, if unknown, its values."""
        scores = matrix.rows if matrix.rows is not None else matrix.to_scores()
        topic_codes = topic_indices(scores, matrix.topics)
        system_codes = places_of(scores.columns["system"], matrix.systems)
        is_in_matrix = (topic_codes >= 0) & (system_codes >= 0)
        topic_codes, system_codes = topic_codes[is_in_matrix], system_codes[is_in_matrix]
        random_effects = {"topic": topic_codes}
        if any(assessors := scores.columns["assessor"][is_in_matrix]):
            random_effects["assessor"] = np.unique(assessors.astype(str), return_inverse=True)[1]
        if any(runs := scores.columns["run"][is_in_matrix]):
            # Seed 1 of a system is unrelated to seed 1 of another.
            run_codes = np.unique(runs.astype(str), return_inverse=True)[1]
            random_effects["run"] = _cross_codes(system_codes, run_codes)
        if (clusters := matrix.cluster_codes) is not None:
            # An effect that all systems share in a cluster cancels in differences, unlike the rest.
            random_effects["cluster"] = clusters[topic_codes]
            random_effects["system:cluster"] = _cross_codes(system_codes, clusters[topic_codes])
        return cls(scores.value[is_in_matrix], system_codes, random_effects, matrix.systems)

    def overlap(self) -> Floats:
        """Return the share of scores from the same assessors, for each pair of systems."""
        counts = np.zeros((len(self.names), int(self.random["assessor"].max()) + 1))
        np.add.at(counts, (self.system, self.random["assessor"]), 1)
        shares = counts / counts.sum(axis=1, keepdims=True)
        return np.asarray(np.minimum(shares[:, None], shares).sum(axis=-1))

    @property
    def confounding(self) -> str:
        """Describe which systems are confounded with their assessors; empty if none are."""
        if "assessor" not in self.random:
            return ""
        system_assessors = np.unique(
            np.column_stack([self.system, self.random["assessor"]]), axis=0
        )
        separate_pairs = np.argwhere(self.overlap() == 0)
        if len(system_assessors) > len(self.names) or not len(separate_pairs):
            return ""
        names = " and ".join(self.names[system] for system in separate_pairs[0])
        return f"{names} were judged by one assessor each, so systems and assessors are confounded"

    def interactions(self) -> Iterator[tuple[str, Ints]]:
        """Yield interactions that may make a system's scores similar: with topics or assessors."""
        for name in ("topic", "assessor"):
            if name in self.random:
                yield f"system:{name}", _cross_codes(self.system, self.random[name])


def _cross_codes(first: Ints, second: Ints) -> Ints:
    return first * (int(second.max()) + 1) + second


def _fit_model(
    model: ModelName,
    rows: ScoreRows,
    random_effects: Mapping[str, Ints],
    blocks: Sequence[str] = (),
) -> "MixedModel":
    if model == "lmm":
        return linear_mixed_model(rows.value, rows.system, random=random_effects, blocks=blocks)
    # In the same order, and with names for errors.
    systems = [(code, rows.names[code]) for code in rows.system.tolist()]
    return ordinal_mixed_model(rows.value, systems, random=random_effects)


def _select_effects(rows: ScoreRows, names: Sequence[str]) -> RandomEffects:
    """Return the chosen random effects, and those of clusters."""
    if not names:
        return rows.random
    available_effects = rows.random | dict(rows.interactions())
    names = [*names, *(name for name in rows.random if name.endswith("cluster"))]
    for name in names:
        if name not in available_effects:
            raise InputError(
                f"the scores have no {name}", hint=known_names(name, available_effects)
            )
    return {name: available_effects[name] for name in names}


@dataclass(frozen=True, slots=True, eq=False)
class _FittedModel:
    """A model, which of its effects are blocks, and why it was fitted as an alternative."""

    model: "MixedModel"
    blocks: tuple[str, ...] = ()
    why: str = ""

    @property
    def random(self) -> list[str]:
        """Its random effects."""
        return [name for name in self.model.variances if name not in ("residual", *self.blocks)]

    def formula(self, measure: str) -> str:
        """Write the formula in R's notation."""
        fixed_effects = ("system",) if self.model.categories else ("0", "system")
        random_terms = (f"(1 | {name})" for name in self.random)
        return f"{measure or 'score'} ~ {' + '.join((*fixed_effects, *self.blocks, *random_terms))}"

    @property
    def spread(self) -> float:
        """The standard deviation of a single score; of an ordinal model, on the latent scale."""
        variances = _latent_variances(self.model).items()
        return math.sqrt(sum(variance for name, variance in variances if name not in self.blocks))

    @property
    def option(self) -> str:
        """The option that selects this model; there is none for blocks."""
        names = ",".join(name for name in get_args(RandomEffect) if name in self.random)
        return f"{self.blocks[0]} as blocks" if self.blocks else f"--random {names}"


def _latent_variances(model: "MixedModel") -> dict[str, float]:
    """Return the variances, with that of the latent logistic distribution of an ordinal model."""
    variances = dict(model.variances)
    return {**variances, "residual": math.pi**2 / 3} if model.categories else variances


def _fit_with_blocks(
    rows: ScoreRows, random_effects: RandomEffects, fitted_model: "MixedModel"
) -> Iterator[_FittedModel]:
    """Fit models with an effect as a block, if its estimated variance is unreliable."""
    reasons = {}
    for name in fitted_model.variances:
        effect_name = name.removeprefix("system:")
        if effect_name != name and fitted_model.variances.get(effect_name) == 0:
            # Taking the estimate of 0 at face value would make errors too small.
            reasons[effect_name] = (
                f"the variance of {effect_name} is estimated as 0 along with {name}"
            )
    if "assessor" in fitted_model.variances and rows.overlap().min() < _MIN_ASSESSOR_OVERLAP:
        reasons["assessor"] = _ASSESSORS_DIFFER
    for effect_name, reason in reasons.items():
        yield _FittedModel(
            _fit_model("lmm", rows, random_effects, blocks=(effect_name,)), (effect_name,), reason
        )


def fit_models(
    matrix: ScoreMatrix, options: CompareOptions, model: ModelName
) -> tuple[ScoreRows, list[_FittedModel], list[str]]:
    """Fit a model to the single scores, and alternatives by which pairs are tested as well.

    If no random effects are named, interactions that the data show are added; those that the data
    only hint at make alternative models. Notes report them.
    """
    rows = ScoreRows.of(matrix)
    if rows.confounding and not options.random:
        hint = "have assessors judge several systems; --random topic compares them anyway"
        raise InputError(rows.confounding, hint=hint)
    random_effects, advance = _select_effects(rows, options.random), options.progress.advance
    fitted_model, notes, alternatives = (
        _fit_model(model, rows, random_effects),
        list[str](),
        list[_FittedModel](),
    )
    interactions_to_try = [
        (name, levels)
        for name, levels in rows.interactions()
        if name not in random_effects and len(np.unique(levels)) < len(levels)
    ]
    interactions_to_try = interactions_to_try if math.isfinite(fitted_model.log_likelihood) else []
    for index, (name, levels) in enumerate(interactions_to_try, start=1):
        advance(index, len(interactions_to_try) + 1)
        if model == "ordinal" and len(levels) > _MAX_ORDINAL_SCORES:
            notes.append(f"{name} has too many levels to be tried as a random effect")
            continue
        try:
            wider_fit = _fit_model(model, rows, {**random_effects, name: levels})
        except InputError:
            continue
        gain = max(wider_fit.exact_log_likelihood - fitted_model.exact_log_likelihood, 0.0)
        # A variance cannot be negative, so half of all gains are 0 by chance.
        p = math.erfc(math.sqrt(gain)) / 2 if wider_fit.variances.get(name) else 1.0
        assumption = f"scores of {_SAME_UNIT[name]} are alike"
        if p < MAX_P_SHOWN and options.random:
            share = wider_fit.variances[name] / sum(_latent_variances(wider_fit).values())
            notes.append(
                f"{assumption} (p = {p:.1g}, {share:.0%} of the variance), which --random omits, "
                f"so p-values are too small; add {name}"
            )
        elif p < MAX_P_SHOWN:
            random_effects, fitted_model = {**random_effects, name: levels}, wider_fit
            notes.append(f"{assumption} (p = {p:.1g}), so {name} is a random effect")
        elif (p < MAX_P_HINTED or name == "system:assessor") and not options.random:
            # Preferences of few assessors may not show.
            reason = f"it is undecided whether {assumption} (likelihood ratio: p = {p:.2f})"
            alternatives.append(_FittedModel(wider_fit, why=reason))
    if model == "lmm" and not options.random:
        alternatives += _fit_with_blocks(rows, random_effects, fitted_model)
    elif "assessor" in rows.random and rows.overlap().min() < _MIN_ASSESSOR_OVERLAP:
        notes.append(
            rows.confounding or f"{_ASSESSORS_DIFFER}, so systems and assessors are confounded"
        )
    advance(1, 1)
    return rows, [_FittedModel(fitted_model), *alternatives], notes


def _several_models_note(fits: Sequence[_FittedModel], measure: str) -> str:
    """Return which models p-values come from; empty if there is only one."""
    first_fit, *alternatives = fits
    if not alternatives:
        return ""
    formulas = (f"{fit.formula(measure)} ({fit.option}), as {fit.why}" for fit in alternatives)
    choice_text = "larger of two" if len(alternatives) == 1 else f"largest of {len(fits)}"
    return (
        f"p-values are the {choice_text} models, the one above ({first_fit.option}) and "
        f"{'; and '.join(formulas)}. Differences, statistics and effects of pairs come from the "
        "same model as the p-value; means and their intervals come from the first"
    )


def _test_pairs(
    fits: Sequence[_FittedModel], pairs: Pairs, options: CompareOptions
) -> tuple["MixedPairs", Ints, Floats, Floats | None]:
    """Test each pair by the model with the largest p-value, and test equivalence.

    Return also which model that is, and the levels of intervals.
    """
    from scipy.special import stdtr

    alpha = options.alpha
    tests_by_fit = [fit.model.pairwise(pairs, alpha=alpha, rng=options.seed) for fit in fits]
    fit_indices = np.argmax([tests.p for tests in tests_by_fit], axis=0)
    names = ("differences", "standard_errors", "df", "t", "p", "p_adjusted")
    pair_columns: dict[str, Any] = {
        name: np.array([getattr(tests, name) for tests in tests_by_fit])[
            fit_indices, range(len(pairs))
        ]
        for name in names
    }
    levels = np.array([tests.level for tests in tests_by_fit])[fit_indices]
    if options.correction in ("holm", "bh", "none"):
        pair_columns["p_adjusted"] = adjust_p(pair_columns["p"], method=options.correction)
        levels[:] = corrected_level(pair_columns["p_adjusted"], alpha, options.correction)
    p_equivalence = None
    if options.margin is not None:
        # Two one-sided t tests, by the most conservative model.
        excess_t = [
            ratios(np.abs(m.differences) - options.margin, m.standard_errors) for m in tests_by_fit
        ]
        one_sided_p = [stdtr(tests.df, t) for tests, t in zip(tests_by_fit, excess_t, strict=True)]
        p_equivalence = np.max(one_sided_p, axis=0)
    return replace(tests_by_fit[0], **pair_columns), fit_indices, levels, p_equivalence


def compare_by_model(
    matrix: ScoreMatrix, options: CompareOptions, model: ModelName
) -> ComparisonResult:
    """Compare every pair of systems by the model's means."""
    _, fits, remarks = fit_models(matrix, options, model)
    fitted_model = fits[0].model
    if math.isnan(fitted_model.log_likelihood):
        # The scores leave no residual error.
        result = compare_matrix(matrix, replace(options, model=None, random=()))
        reason = _capitalize(fitted_model.notes[-1])
        note = f"{reason} by the linear model; this is the permutation test."
        return replace(result, notes=(note, *result.notes))
    merged_means = merge_rounding_ties(fitted_model.means, noise_level(fitted_model.means))
    parts = np.ones(len(matrix.systems), dtype=np.int64)
    ranking = Ranking(fitted_model.means, matrix.goodness(merged_means), parts)
    pairs = paired_systems(matrix, ranking.order, options.baseline)
    tests, fit_indices, levels, p_equivalence = _test_pairs(fits, pairs, options)
    effects = ratios(tests.differences, np.array([fit.spread for fit in fits])[fit_indices])
    comparisons = build_comparisons(
        matrix, pairs, shared_topics(matrix.values, pairs), tests.differences, tests.t, tests.p,
        tests.p_adjusted, effects,
        notes=np.where(np.isnan(tests.t), "nothing can be tested", "").tolist(),
    )  # fmt: skip
    differences = tests.differences, tests.standard_errors, tests.df
    if p_equivalence is not None:
        comparisons = with_verdicts(comparisons, p_equivalence, options)
        equivalence_p = np.array([pair.p_equivalence_adjusted for pair in comparisons])
        level = 2 * corrected_level(equivalence_p, options.alpha, options.correction)
        comparisons = with_margin_intervals(
            comparisons, *t_interval_ends(*differences, level), margin=options.margin or 0.0,
            stepwise=options.correction not in ("bh", "none"),
        )  # fmt: skip
    comparisons = with_difference_intervals(
        comparisons, *t_interval_ends(*differences, levels), alpha=options.alpha,
        stepwise=options.correction == "holm",
    )  # fmt: skip
    low, high = fitted_model.intervals(options.confidence_level)
    formulas = [fit.formula(matrix.measure) for fit in fits]
    remarks = [*remarks, _several_models_note(fits, matrix.measure), *fitted_model.notes]
    return comparison_result(
        matrix, ranking, comparisons, MeanIntervals(fitted_model.means, low, high, "t"), options,
        test=model, margin=options.margin, clusters=len(set(matrix.clusters)),
        left_out=tuple(left_out_notes(matrix, model, comparisons)),
        notes=(
            *_model_notes(matrix, fitted_model, formulas[0], model, options.margin),
            *(f"{_capitalize(note)}." for note in remarks if note),
        ),
        model=_model_record(matrix, fitted_model, [formulas[index] for index in fit_indices], tests,
        options),
    )  # fmt: skip


def _model_notes(
    matrix: ScoreMatrix,
    fitted_model: "MixedModel",
    formula: str,
    model: ModelName,
    margin: float | None,
) -> Iterator[str]:
    yield f"{'Linear' if model == 'lmm' else 'Ordinal'} mixed model: {formula}."
    latent_variances = _latent_variances(fitted_model)
    if (total := sum(latent_variances.values())) > 0:
        shares = (f"{name} {v:.4g} ({v / total:.0%})" for name, v in latent_variances.items())
        residual_note = " The residual is on the log-odds scale." if model == "ordinal" else ""
        yield f"Variances: {', '.join(shares)}.{residual_note}"
    if model == "ordinal":
        yield (
            "Adjusted means and differences are log odds of a higher judgment, relative to the "
            "middle of the thresholds."
        )
    if model == "ordinal" and margin is not None:
        odds_note = (
            f", odds that differ by a factor of {math.exp(margin):.3g}" if margin < 10 else ""
        )
        yield f"The margin of {margin:g} is also in log odds{odds_note}."
    if linked_parts(~np.isnan(matrix.values).T).max() > 1:
        yield "Systems that share no topic are compared as if topics were drawn at random."


def _capitalize(note: str) -> str:
    return f"{note[0].upper()}{note[1:]}"


def _model_record(
    matrix: ScoreMatrix,
    fitted_model: "MixedModel",
    formulas: Sequence[str],
    tests: "MixedPairs",
    options: CompareOptions,
) -> ModelFit:
    def by_system(values: Floats) -> dict[str, float]:
        return dict(zip(matrix.systems, values.tolist(), strict=True))

    bounds = [f"{a:g}|{b:g}" for a, b in pairwise(fitted_model.categories)]
    differences = tests.differences, tests.standard_errors, tests.df
    interval_ends = t_interval_ends(*differences, 1 - options.confidence_level)
    return ModelFit(
        _FittedModel(fitted_model).formula(matrix.measure), by_system(fitted_model.means),
        by_system(fitted_model.standard_errors),
        by_system(fitted_model.effects), by_system(fitted_model.effect_errors),
        thresholds=dict(zip(bounds, fitted_model.thresholds.tolist(), strict=True)),
        threshold_errors=dict(zip(bounds, fitted_model.threshold_errors.tolist(), strict=True)),
        variances=dict(fitted_model.variances), log_likelihood=fitted_model.log_likelihood,
        pair_formulas=tuple(formulas), pair_errors=tuple(tests.standard_errors.tolist()),
        pair_df=tuple(tests.df.tolist()),
        pair_intervals=tuple(zip(*(end.tolist() for end in interval_ends), strict=True)),
    )  # fmt: skip


def run_note(matrix: ScoreMatrix) -> str:
    """Return how much the runs that were averaged differ; empty if there are none."""
    if matrix.rows is None or not any(matrix.rows.columns["run"]):
        return ""
    rows = ScoreRows.of(matrix)
    counts = np.bincount(rows.system[np.unique(rows.random["run"], return_index=True)[1]])
    runs_text = " to ".join(map(str, np.unique([counts.min(), counts.max()])))
    if counts.max() == 1:
        return "Each system has one run, so how much runs differ is unknown."
    if len(np.unique(rows.random["run"])) == len(rows.value):
        return "Each score has its own run, so how much runs differ is unknown."
    fitted_model = _fit_model("lmm", rows, rows.random)
    variance, total = (
        fitted_model.variances.get("run", math.nan),
        sum(fitted_model.variances.values()),
    )
    if math.isnan(variance) or not total > 0:
        return f"The {runs_text} runs of each system were averaged; their variance is unknown."
    return (
        f"The {runs_text} runs of each system were averaged. The variance between runs is "
        f"{variance:.3g}, {variance / total:.0%} of that of a system's scores. Tests hold for "
        "these runs only; the model lmm treats them as a sample."
    )
