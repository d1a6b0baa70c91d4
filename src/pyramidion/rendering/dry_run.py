"""What a language model would be asked: the first prompts, and an estimate of the cost."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from pyramidion.rendering.table import Table

_NOTE = "An estimate from the length of the prompts, with answers of maximum length."
#: Follows an estimate without prices.
UNPRICED = " Set --price-input and --price-output to see the cost."


def dry_run_tables(
    questions: Iterable[tuple[str, Sequence[Any], int]], cost: Callable[[int, int], float | None]
) -> list[Table]:
    """Show the first prompt of each kind of question, and the cost of all.

    A kind has a name, its prompts, and the maximum number of tokens of an answer.
    """
    rows, tables = [], []
    for name, prompts, max_tokens in questions:
        n_in, n_out = sum(prompt.estimated_tokens for prompt in prompts), max_tokens * len(prompts)
        rows.append((name, len(prompts), n_in, n_out, cost(n_in, n_out)))
        for prompt in prompts[:1]:
            lines = f"{prompt.instructions}\n\n{prompt.text}".splitlines()
            tables.append(
                Table(("prompt",), tuple((line,) for line in lines), f"First prompt: {name}")
            )
    headings = ("method", "prompts", "tokens in", "tokens out", "cost")
    note = _NOTE + UNPRICED * (cost(0, 0) is None)
    return [*tables, Table(headings, tuple(rows), "Questions", note, name="questions")]
