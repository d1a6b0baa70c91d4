"""The formats of logs; their readers are loaded when they are called."""

from functools import partial

from pyramidion.collection.formats.base import Format, load_on_call

_load_function = partial(load_on_call, __package__)


_READ_LOGS = _load_function("_pairing", "read_logs")

LOGS = Format(
    name="logs",
    title="logs of inspect_ai, lm-eval, promptfoo, DeepEval, ragas and HELM: files or folders",
    matches=_load_function("_files", "has_logs"),
    read=_READ_LOGS,
    read_together=_READ_LOGS,
    before="ducview",
)

BATTLES = Format(
    name="battles",
    title="preferences of AlpacaEval (annotations.json) and Chatbot Arena (battles)",
    matches=_load_function("_battles", "are_battles"),
    read=_load_function("_battles", "read_battles"),
    before="ducview",
)

ANNOTATIONS = Format(
    name="annotations",
    title="exports of Label Studio, Argilla and Potato: ratings, and choices between two",
    matches=_load_function("_annotations", "is_annotation_export"),
    read=_load_function("_annotations", "read_annotations"),
    read_columns=_load_function("_annotations", "read_annotation_fields"),
    before="ducview",
)

MQM = Format(
    name="mqm",
    title="errors marked in translations (TSV: system, doc, seg_id, rater, category, severity)",
    matches=_load_function("_translation", "is_mqm"),
    read=_load_function("_translation", "read_mqm"),
    before="ducview",
)

MT_METRICS_EVAL = Format(
    name="mt-metrics-eval",
    title="a folder of mt-metrics-eval: human-scores, metric-scores, documents",
    matches=_load_function("_translation", "is_mt_metrics_eval"),
    read=_load_function("_translation", "read_mt_metrics_eval"),
    before="ducview",
)
