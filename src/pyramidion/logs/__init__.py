"""Readers of the logs of other evaluation tools.

Per-item scores of inspect_ai, lm-evaluation-harness, promptfoo, DeepEval, ragas and HELM;
preferences of AlpacaEval and Chatbot Arena; exports of Label Studio, Argilla and Potato; MQM and
mt-metrics-eval. None of these tools has to be installed. Nothing is imported from here: the
formats are entry points of the group ``pyramidion.formats``, and `read_collection` finds them.

>>> from pyramidion.collection.formats import format_named
>>> format_named("logs").title
'logs of inspect_ai, lm-eval, promptfoo, DeepEval, ragas and HELM: files or folders'
"""

__all__: list[str] = []
