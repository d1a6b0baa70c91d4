"""Anybody's summaries, rewritten by what the documents say."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from pyramidion.collection import Collection, Signature, Summary, Topic
from pyramidion.collection._articles import read_articles, read_file
from pyramidion.collection.formats.summaries import read_summaries, write_summaries
from pyramidion.collection.questions import Progress as Watcher
from pyramidion.errors import InputError, NotFoundError, Where
from pyramidion.report.rewrite_request import RewriteRequest
from pyramidion.report.rewritten import MadeRewrite
from pyramidion.report.summary_text import TextAnswer
from pyramidion.summarizers import Source
from pyramidion.summarizers.rewrites import SummaryRewriter
from pyramidion.text import split_sentences

__all__ = ["RewriteAnswer", "rewrite_answer"]

#: How many topics a message lists.
_LISTED = 5


@dataclass(frozen=True, slots=True)
class RewriteAnswer(TextAnswer):
    """Rewritten summaries as an answer, and as peers.

    Parameters
    ----------
    peers
        The rewritten summaries.

    Examples
    --------
    >>> RewriteAnswer("rewrite", Signature("people"), [], ()).peers
    ()
    """

    peers: tuple[Summary, ...] = ()


def rewrite_answer(
    path: str | Path,
    documents: Sequence[str | Path],
    request: RewriteRequest,
    *,
    format: str | None = None,
    output: str | Path | None = None,
    watcher: Watcher | None = None,
) -> RewriteAnswer:
    """Rewrite summaries by what the documents say.

    Parameters
    ----------
    path
        One summary as a text, ``-`` for standard input; or many as JSONL.
    documents, format
        What they are summaries of, see `read_articles`.
    request
        What is rewritten, and how.
    output
        Where the summaries are written as peers, one a line; nowhere if it is not given.
    watcher
        Who looks on.

    Examples
    --------
    >>> import tempfile
    >>> from pyramidion.rewriting import RewriteOptions
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     article, summary = Path(folder) / "a.txt", Path(folder) / "s.txt"
    ...     _ = article.write_text("Gov. Ada Ode resigned on Monday. Ode was ill, doctors said.")
    ...     _ = summary.write_text("Ode was ill, doctors said.")
    ...     options = RewriteOptions(("people",), pipeline="light")
    ...     answer = rewrite_answer(summary, [article], RewriteRequest(options))
    >>> answer.results[0]["text"]
    'Gov. Ada Ode was ill, doctors said.'
    """
    watch = watcher or Watcher()
    collection = read_articles(documents, format=format)
    summaries = _summaries(path, collection, request)
    made: list[MadeRewrite] = []
    rewriters: dict[tuple[str, str], SummaryRewriter] = {}
    for done, own in enumerate(sorted(summaries, key=_address), start=1):
        if _address(own) not in rewriters:
            # Summaries of one topic stand together, and parsed documents are large.
            rewriters = {_address(own): _rewriter(own, collection, request)}
        made.append(_rewritten(own, rewriters[_address(own)], request))
        watch.advance(done, len(summaries))
    made.sort(key=lambda one: summaries.index(one.summary))
    for line in dict.fromkeys(line for one in made for line in one.remarks(request)):
        watch.message(line)
    answer = _answer(made, request, collection, next(iter(rewriters.values())))
    if output is not None:
        write_summaries(answer.peers, output)
    return answer


def _address(summary: Summary) -> tuple[str, str]:
    return summary.task, summary.topic


def _summaries(path: str | Path, collection: Collection, request: RewriteRequest) -> list[Summary]:
    """Read what is to be rewritten."""
    if str(path) != "-" and Path(path).name.removesuffix(".gz").endswith(".jsonl"):
        found = list(read_summaries(path))
        if not found:
            hint = "give one a line"
            raise InputError("there are no summaries", where=Where(path), hint=hint)
        for own in found:
            _require_topic(own.topic, collection, Where(path))
        return found
    [loose] = read_file(path, "summary")
    text = "\n".join(document.text for document in loose.documents)
    if not text.strip():
        hint = "give a summary"
        raise InputError("there is no text", where=Where(path), hint=hint)
    topic = _only_topic(collection, request)
    return [Summary(topic.id, "summary", text, task=_only_task(collection))]


def _require_topic(id: str, collection: Collection, where: Where) -> None:
    if id not in {topic.id for topic in collection.topics}:
        more = ", ..." if len(collection.topics) > _LISTED else ""
        there = ", ".join(topic.id for topic in collection.topics[:_LISTED]) + more
        hint = f"the documents are of {there}"
        raise NotFoundError(f"there are no documents of topic {id!r}", where=where, hint=hint)


def _only_topic(collection: Collection, request: RewriteRequest) -> Topic:
    if request.topic:
        return collection.topic(request.topic)
    if len(collection.topics) != 1:
        raise InputError(
            f"there are documents of {len(collection.topics)} topics",
            hint="say with --topic which one the summary is about",
        )
    return collection.topics[0]


def _only_task(collection: Collection) -> str:
    """Give the task whose documents are meant: all of a topic's where there are several tasks."""
    return collection.task_ids[0] if len(collection.task_ids) == 1 else ""


def _rewriter(summary: Summary, collection: Collection, request: RewriteRequest) -> SummaryRewriter:
    topic = collection.topic(summary.topic)
    documents = collection.documents(topic.id, summary.task) if summary.task else topic.documents
    return SummaryRewriter(Source.of_documents(documents), request.options)


def _rewritten(summary: Summary, rewriter: SummaryRewriter, request: RewriteRequest) -> MadeRewrite:
    text = summary.text
    sentences = split_sentences(text) if isinstance(text, str) else list(text)
    made = rewriter.rewrite(sentences, words=request.words)
    after = " ".join(own.text for own in made.sentences)
    return MadeRewrite(summary, made, tuple(rewriter.who(after)) if request.who else ())


def _answer(
    made: Sequence[MadeRewrite],
    request: RewriteRequest,
    collection: Collection,
    rewriter: SummaryRewriter,
) -> RewriteAnswer:
    options = request.options
    words = (("words", str(request.words)),) if request.words is not None else ()
    details = (*options.details, *words, ("parser", rewriter.parser.name))
    seed = options.seed if options.variation == "sampled" else None
    signature = Signature("rewrite", data=collection.data_hash, seed=seed, details=details)
    titles = [", ".join(value for _, value in one.key if value) for one in made]
    tables = [
        table
        for one, title in zip(made, titles, strict=True)
        for table in one.tables(request, title if len(made) > 1 else "")
    ]
    return RewriteAnswer(
        "rewrite",
        signature,
        [one.record for one in made],
        tables,
        collection.left_out,
        peers=tuple(one.peer for one in made),
    )
