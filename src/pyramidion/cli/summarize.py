"""``pyramidion summarize``."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pyramidion.cli.house import OutputForm, SeedOption, emit, listed, say, working
from pyramidion.cli.rewrite_options import (
    REWRITING,
    ChainsOption,
    CorefOption,
    DescribeOption,
    LaterOption,
    PhraseOption,
    PipelineOption,
    StatusOption,
    WhoOption,
)

if TYPE_CHECKING:
    from pyramidion.report.answer import Form
    from pyramidion.report.summarizing import SummaryAnswer
    from pyramidion.report.summary_target import SummaryTarget

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
            "sum-avr,sum-prod(context=squared); `pyramidion methods` lists them, all means all "
            "that look at no references.",
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
        str,
        typer.Option(
            metavar="TEXT", help="What is asked, instead of the topic's statement and --focus."
        ),
    ] = "",
    update_of: Annotated[
        list[Path] | None,
        typer.Option(metavar="SRC", help="Articles the reader knows already; may be repeated."),
    ] = None,
    language: Annotated[
        str | None,
        typer.Option(
            metavar="CODE", help="Of the articles; English, if they look like it, by default."
        ),
    ] = None,
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
            help="Short ones, questions, bare quotations, headlines in capitals and repeated ones "
            "may be chosen, too.",
        ),
    ] = False,
    rewrite: Annotated[
        str,
        typer.Option(
            metavar="KINDS",
            help="people: describe people where they first appear, last names later; np: call "
            "things what suits the place; np-raw: that without guards, as it was published. "
            "Several with commas between.",
            rich_help_panel=REWRITING,
        ),
    ] = "",
    frw: PhraseOption = "sum",
    coref: CorefOption = "names",
    describe: DescribeOption = "all",
    later: LaterOption = "rules",
    chains: ChainsOption = "",
    status: StatusOption = "",
    pipeline: PipelineOption = "",
    seed: SeedOption = 0,
    who: WhoOption = False,
    explain: Annotated[
        bool,
        typer.Option(
            "--explain",
            help="Say what words weighed, why sentences were chosen, and what was rewritten.",
        ),
    ] = False,
    system: Annotated[
        str, typer.Option(metavar="NAME", help="What to call the peers; the method by default.")
    ] = "",
    source_format: Annotated[
        str | None, typer.Option("--from", metavar="FORMAT", help="The collection's format.")
    ] = None,
    format: Annotated[
        OutputForm | None,
        typer.Option(
            "--format",
            help="How the answer is written; as the ending of --output says by default, or table.",
        ),
    ] = None,
    output: Annotated[
        str | None,
        typer.Option(
            "--output",
            "-o",
            metavar="PATH",
            help="FILE.jsonl gets the summaries as peers, a new FOLDER or FOLDER/ the collection "
            "with them, ready for `score`; FILE.txt, .md, .json, .csv or .tex what would be "
            "printed.",
        ),
    ] = None,
) -> int:
    """Summarize articles, or every topic of a collection."""
    from pyramidion.report.summarizing import SummarizeRequest, Watcher, summarize_answer
    from pyramidion.report.summary_target import SummaryTarget
    from pyramidion.rewriting.options import RewriteOptions

    asked: Form | None = None if format is None else format.value
    target = None if output is None else SummaryTarget.named(output, asked)
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
        rewrite=RewriteOptions(
            listed(rewrite),
            composition=frw,
            coref=coref,
            describe=describe,
            variation=later,
            seed=seed,
            pipeline=pipeline,
            chains=chains,
            status=status,
        ),
        who=who,
    )
    with working("summarizing") as show:
        answer = summarize_answer(
            sources,
            request,
            known=update_of or (),
            format=source_format,
            output=None if target is None or target.kind == "text" else target.path,
            watcher=Watcher(show, say),
        )
    form = (format or OutputForm.table) if target is None else OutputForm(target.form)
    code = _told(answer, target) if target else emit(answer, form)
    if form is OutputForm.table:
        say(str(answer.signature))
    return code


def _told(answer: "SummaryAnswer", target: "SummaryTarget") -> int:
    """Write a text, or say what was written."""
    if target.note:
        say(target.note)
    if target.kind == "text":
        return emit(answer, OutputForm(target.form), target.path)
    for line in answer.left_out:
        say(f"left out: {line}")
    number = len(answer.peers)
    say(f"wrote {target.path}: {number} {'summary' if number == 1 else 'summaries'}")
    return 0
