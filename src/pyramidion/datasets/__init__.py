"""Readers and writers of published evaluation sets, each a format of its own.

SummEval, RoSE, REALSumm, LitePyramids, Lite2-3Pyramid, PyrEval, answer keys of nuggets, judged
summaries as JSONL, and the releases of DUC and TAC. Nothing is imported from here: the formats are
entry points of the group ``pyramidion.formats``, and `read_collection` finds them.

>>> from pyramidion.collection.formats import format_named
>>> format_named("summeval").title
"SummEval's release (model_annotations.aligned.jsonl)"
"""

__all__: list[str] = []
