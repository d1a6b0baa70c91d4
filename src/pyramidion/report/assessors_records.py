"""What was found out about assessors, as data."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from pyramidion.evaluation.assessors.agreement import PanelAgreement
from pyramidion.evaluation.assessors.consistency import Consistency
from pyramidion.evaluation.assessors.drift import Drift
from pyramidion.evaluation.assessors.pyramids import AssessorDifference, TopicDifference
from pyramidion.evaluation.assessors.severity import Severity, SeverityModel
from pyramidion.evaluation.assessors.study import AssessorStudy

__all__ = ["assessor_records"]

Record = dict[str, Any]


def assessor_records(study: AssessorStudy) -> list[Record]:
    """Give a record for each year, measure and assessor, and one for all assessors of a measure.

    Parameters
    ----------
    study
        What was found out.

    Examples
    --------
    >>> from pyramidion.demo import load_demo
    >>> from pyramidion.evaluation.assessors.study import StudyOptions, study_assessors
    >>> asked = StudyOptions(measures=("readability",))
    >>> records = assessor_records(study_assessors([load_demo()], asked))
    >>> [(record["assessor"], record["pairs"], record["alpha"]) for record in records][0]
    ('K', 0, nan)
    >>> records[-1]["assessor"], records[-1]["agreement"]["items"]
    (None, 48)
    """
    models = {(own.collection, own.measure): own for own in study.severity}
    agreements = {(own.collection, own.measure): own for own in study.agreement}
    records = []
    for own in study.consistency:
        place = own.collection, own.measure
        record = _consistency(own)
        model, agreement = models[place], agreements[place]
        if own.assessor is None:
            record |= _all_assessors(study, own, model, agreement)
        else:
            drift = study.drift[own.collection, own.measure, own.assessor]
            record |= _severity(model, own.assessor) | {"drift": _drift(drift)}
            record |= _difference(study, own)
        record["undefined"] = _reasons(study, own, model, agreement)
        records.append(record)
    return records


def _consistency(own: Consistency) -> Record:
    table = own.table
    return {
        "collection": own.collection,
        "assessor": own.assessor,
        "measure": own.measure,
        "pairs": own.pairs,
        "repeated": own.repeated,
        "alpha": own.alpha.value,
        "alpha_low": own.alpha.low,
        "alpha_high": own.alpha.high,
        "level": own.level.level,
        "level_by": own.level.reason,
        "unanimous": own.alpha.unanimous,
        "mean_difference": own.mean_difference,
        "mean_signed_difference": own.mean_signed_difference,
        "equal": own.equal,
        "contingency": None
        if table is None
        else {"values": list(table.values), "counts": table.counts},
    }


def _severity(model: SeverityModel, assessor: str) -> Record:
    own: Severity | None = next((s for s in model.assessors if s.assessor == assessor), None)
    names = ("severity", "severity_low", "severity_high", "severity_p", "severity_p_adjusted")
    fields = ("effect", "low", "high", "p", "p_adjusted")
    return {
        **{
            name: None if own is None else getattr(own, field)
            for name, field in zip(names, fields, strict=True)
        },
        "severity_model": _model_name(model),
        "mean": None if own is None else own.mean,
        "topics": None if own is None else own.topics,
    }


def _model_name(model: SeverityModel) -> str:
    return "assessor" if model.beside == "nothing" else f"assessor + {model.beside}"


def _drift(drift: Drift) -> Record | None:
    return asdict(drift) if drift.unit else None


def _difference(study: AssessorStudy, own: Consistency) -> Record:
    """Add manual minus automatic scores to the measure they are of."""
    if own.measure != study.manual:
        return {}
    return {
        "manual_minus_automatic": next(
            (
                _difference_record(found)
                for found in study.differences
                if (found.collection, found.assessor) == (own.collection, own.assessor)
            ),
            None,
        )
    }


def _difference_record(found: AssessorDifference) -> Record:
    return {name: value for name, value in asdict(found).items() if name not in _SAID}


_SAID = ("collection", "assessor")


def _topic_record(found: TopicDifference) -> Record:
    return {name: value for name, value in asdict(found).items() if name != "collection"}


def _all_assessors(
    study: AssessorStudy, own: Consistency, model: SeverityModel, agreement: PanelAgreement
) -> Record:
    record: Record = {
        "severity": None,
        "severity_model": _model_name(model),
        "severity_test": {
            "f": model.f,
            "df": model.df,
            "residual_df": model.residual_df,
            "p": model.p,
        },
        "agreement": _agreement(agreement),
    }
    years = study.panel.collections if own.collection is None else (own.collection,)
    record["identical_pairs"] = sum(len(study.panel.pairs.get(year, ())) for year in years)
    record["compared"] = sum(study.panel.compared.get(year, 0) for year in years)
    if own.measure == study.manual and own.collection is not None:
        record["manual_minus_automatic"] = [
            _topic_record(topic) for topic in study.topics if topic.collection == own.collection
        ]
    return record


def _agreement(found: PanelAgreement) -> Record:
    means = {name: found.mean(name) for name in ("equal", "kappa", "weighted_kappa")}
    return {
        "alpha": found.alpha,
        "items": found.items,
        "alone": found.alone,
        **means,
        "pairs": [asdict(pair) for pair in found.pairs],
    }


def _reasons(
    study: AssessorStudy, own: Consistency, model: SeverityModel, agreement: PanelAgreement
) -> Mapping[str, str]:
    """Say why something is undefined, by its name."""
    reasons = {"alpha": own.alpha.undefined, "severity": model.undefined}
    if own.assessor is None:
        reasons["agreement"] = agreement.undefined
    else:
        key = own.collection, own.measure, own.assessor
        reasons["drift"] = study.drift[key].undefined
    return {name: why for name, why in reasons.items() if why}
