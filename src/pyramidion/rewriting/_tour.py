"""The rewriting stop of the demo tour."""

from pyramidion.collection import Collection
from pyramidion.rendering import Table
from pyramidion.summarizers import summarize_collection

_TOPIC, _TASK, _METHOD = "P04", "A", "sum-avr"


def show_rewriting(collection: Collection) -> tuple[Table, ...]:
    """Rewrite references to people in a summary, and show who people are."""
    [summary] = summarize_collection(
        collection, topic=_TOPIC, task=_TASK, method=_METHOD, rewrite="people", who=True
    )
    sentences = [sentence for sentence in summary.extract.sentences if sentence.rewritten]
    rows = tuple((sentence.before, sentence.text) for sentence in sentences)
    note = f"In full: pyramidion summarize COLLECTION --topic {_TOPIC} --rewrite people --who"
    title = f"What rewriting changes in {_METHOD}'s summary of {_TOPIC}, task {_TASK}"
    [who] = summary.appendices
    changes = Table(("sentence", "rewritten"), rows, title=title, note=note)
    return changes, who.view.table(who.rows, who.title)
