"""The page on which a model's answers can be read with their reasons."""

from collections.abc import Iterator, Sequence
from typing import Any

from pyramidion.collection.ids import grouped
from pyramidion.language_models import Prompt
from pyramidion.rendering.labels import counted, escape
from pyramidion.rendering.page import (
    Section,
    closing_section,
    folded_block,
    paragraph,
    render_page,
    table_block,
)
from pyramidion.rendering.result import Result

#: Parts of a prompt that all summaries of a topic share.
_SHARED_TAGS = ("<information_need>\n", "<document>\n", "<reference>\n")

_Answers = Sequence[tuple[Prompt, dict[str, Any]]]


def judge_page(result: Result[Any], prompts: Sequence[Prompt]) -> str:
    """Write the page: means, then every answer by rubric and topic."""
    answers = list(zip(prompts, result.values, strict=True))
    by_rubric = grouped((prompt.about["rubric"], (prompt, answer)) for prompt, answer in answers)
    sections = [
        Section("Judgments", tuple(map(table_block, result.tables))),
        *(Section(rubric, tuple(_topic_blocks(pairs))) for rubric, pairs in by_rubric.items()),
        closing_section(
            "How it was asked",
            result,
            *(_wording_block(pairs[0][0]) for pairs in by_rubric.values()),
        ),
    ]
    models = ", ".join(dict.fromkeys(record["model"] for record in result.values))
    lead = f"{counted(len(answers), 'answer')} by {models}."
    title = "Judged by language models"
    return render_page(title, sections, lead=lead, signature=str(result.signature))


def _wording_block(prompt: Prompt) -> str:
    """Show the wording of a rubric."""
    wording = f"{prompt.instructions} {prompt.parts[0]}"
    return folded_block(f"The wording: {prompt.about['rubric']}", paragraph(wording))


def _topic_blocks(pairs: _Answers) -> Iterator[str]:
    topics = grouped(((pair[0].about["task"], pair[0].about["topic"]), pair) for pair in pairs)
    for (task, topic), answers in topics.items():
        title = f"{topic}{f', task {task}' if task else ''}: {counted(len(answers), 'answer')}"
        cases = grouped(
            (tuple(prompt.about.items()), (prompt, record)) for prompt, record in answers
        )
        yield folded_block(title, *(_case_block(case) for case in cases.values()))


def _case_block(answers: _Answers) -> str:
    """Show what was judged, and all answers about it."""
    prompt = answers[0][0]
    prompt_fields = prompt.about
    name = (
        prompt_fields.get("system")
        or f"{prompt_fields.get('first')} and {prompt_fields.get('second')}"
    )
    order_note = " (sides swapped)" if prompt_fields.get("sides") else ""
    texts = [part for part in prompt.parts[1:] if not part.startswith(_SHARED_TAGS)]
    paragraphs = "".join(
        paragraph(text.partition("\n")[2].rpartition("\n")[0], soft=True) for text in texts
    )
    items = "".join(f"<li>{_answer_text(record)}" for _, record in answers)
    return f"<h3>{escape(name + order_note)}</h3>{paragraphs}<ul>{items}</ul>"


def _answer_text(record: dict[str, Any]) -> str:
    """Show a judgment with its reason, or the raw answer if there is no judgment."""
    value = record["value"]
    judgment = record["outcome"] if value is None else value
    judgment = f"{judgment:.3g}" if isinstance(judgment, float) else str(judgment)
    reason = record.get("reason") if value is not None else record.get("answer")
    lenient_note = " (lenient)" if record.get("lenient") else ""
    sample = f", sample {record['sample'] + 1}" if record["sample"] else ""
    explanation = f": {escape(str(reason))}" if reason else ""
    return (
        f"<b>{escape(judgment)}</b> by {escape(record['model'])}{sample}{lenient_note}{explanation}"
    )
