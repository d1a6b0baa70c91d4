"""The stop of the tour where a summary is rewritten so that readers know who is who."""

from pyramidion.collection import Collection
from pyramidion.report import Table
from pyramidion.rewriting import RewriteOptions
from pyramidion.summarizers import Limit, Source, SummaryRewriter, parse_summarizer
from pyramidion.summarizers._result import who_table

__all__ = ["rewriting_tables"]

_METHOD, _TOPIC, _TASK, _WORDS = "sum-avr", "P04", "A", 100


def rewriting_tables(collection: Collection) -> tuple[Table, ...]:
    """Rewrite references to people and noun phrases of a summary, and tell who people are.

    Parameters
    ----------
    collection
        A collection with documents.

    Examples
    --------
    >>> from pyramidion.demo import load_demo
    >>> [table.columns for table in rewriting_tables(load_demo())]
    [('sentence', 'rewritten'), ('name', 'who', 'from')]
    """
    source = Source.of_topic(collection, collection.topic(_TOPIC), _TASK)
    rewriter = SummaryRewriter(source, RewriteOptions(("people", "np")))
    extract = rewriter.summarize(parse_summarizer(_METHOD), Limit(_WORDS))
    rows = tuple((own.before, own.text) for own in extract.sentences if own.rewritten)
    note = f"The whole: pyramidion summarize COLLECTION --topic {_TOPIC} --rewrite people,np --who"
    title = f"What rewriting changes in {_METHOD}'s summary of {_TOPIC}, task {_TASK}"
    changes = Table(("sentence", "rewritten"), rows, title=title, note=note)
    return changes, who_table(rewriter.who(extract.text))
