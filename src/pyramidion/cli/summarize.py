"""``pyramidion summarize``."""

from pathlib import Path
from typing import Annotated

import typer

from pyramidion.cli.house import FormatOption, OutputForm, emit, listed, say, working

__all__ = ["summarize"]


def summarize(  # noqa: PLR0913, PLR0917 - one parameter an option is how typer works
    sources: Annotated[
        list[Path],
        typer.Argument(
            metavar="SRC...",
            help="Texts, NIST's SGML, JSONL or folders of them, which make one topic; or a "
            "collection, whose topics are all summarized; - is standard input.",
        ),
    ],
    words: Annotated[
        int | None,
        typer.Option(metavar="N", help="The limit; the task's, or 100, if it is not given."),
    ] = None,
    method: Annotated[
        str,
        typer.Option(
            "--method",
            "-m",
            metavar="NAMES",
            help="How to summarize, one or several with commas between, such as "
            "sum-avr,sum-prod(context=squared); `pyramidion methods` lists them, all means all.",
        ),
    ] = "sum-avr",
    no_context: Annotated[
        bool, typer.Option("--no-context", help="What was said matters as much as before.")
    ] = False,
    fit: Annotated[
        str,
        typer.Option(
            help="Where the next sentence is too long: fill takes the best that fits, stop ends "
            "the summary, truncate cuts the sentence off."
        ),
    ] = "fill",
    order: Annotated[
        str,
        typer.Option(
            help="Of reading: source by date and place, cohesive keeps what is related together, "
            "chosen is as they were chosen."
        ),
    ] = "source",
    topic: Annotated[str, typer.Option(help="Which topics, with commas; all by default.")] = "",
    task: Annotated[str, typer.Option(help="Which tasks, with commas; all by default.")] = "",
    focus: Annotated[
        str | None,
        typer.Option(
            help="What is asked of a topic: generic nothing, query its title and narrative, guided "
            "also the aspects of its category; query by default."
        ),
    ] = None,
    query: Annotated[
        str, typer.Option(metavar="TEXT", help="What is asked, instead of the topic's statement.")
    ] = "",
    update_of: Annotated[
        list[Path] | None,
        typer.Option(metavar="SRC", help="Articles the reader knows already; may be repeated."),
    ] = None,
    language: Annotated[str, typer.Option(metavar="CODE", help="Of the articles.")] = "en",
    tokenizer: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="rouge, with English stems and stop words, or unicode, for any script without "
            "them; by default what the language needs.",
        ),
    ] = None,
    all_sentences: Annotated[
        bool,
        typer.Option(
            "--all-sentences",
            help="Short ones, questions, bare quotations and repeated ones may be chosen, too.",
        ),
    ] = False,
    explain: Annotated[
        bool,
        typer.Option("--explain", help="Say what words weighed, and why sentences were chosen."),
    ] = False,
    system: Annotated[
        str, typer.Option(metavar="NAME", help="What to call the peers; the method by default.")
    ] = "",
    source_format: Annotated[
        str | None, typer.Option("--from", metavar="FORMAT", help="The collection's format.")
    ] = None,
    format: FormatOption = OutputForm.table,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="PATH",
            help="FILE.jsonl gets the summaries as peers, a new FOLDER the collection with them, "
            "ready for `score`; any other file what would be printed.",
        ),
    ] = None,
) -> int:
    """Summarize articles, or every topic of a collection."""
    from pyramidion.report.summarizing import SummarizeRequest, Watcher, summarize_answer

    request = SummarizeRequest(
        methods=listed(method),
        words=words,
        fit=fit,
        order=order,
        context=not no_context,
        topics=listed(topic),
        tasks=listed(task),
        focus=focus,
        query=query,
        language=language,
        tokenizer=tokenizer,
        all_sentences=all_sentences,
        system=system,
        explain=explain,
    )
    peers = output if output is not None and output.suffix in ("", ".jsonl") else None
    with working("summarizing") as show:
        answer = summarize_answer(
            sources,
            request,
            known=update_of or (),
            format=source_format,
            output=peers,
            watcher=Watcher(show=show, tell=say),
        )
    if peers is None:
        code = emit(answer, format, output)
    else:
        code = 0
        for line in answer.left_out:
            say(f"left out: {line}")
        say(f"wrote {peers}: {len(answer.peers)} summaries")
    if format is OutputForm.table:
        say(str(answer.signature))
    return code
