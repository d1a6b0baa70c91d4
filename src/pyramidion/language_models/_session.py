"""A language model that is named in the brackets of a method or checker, and its answers."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Final, NamedTuple

from pyramidion.errors import InputError
from pyramidion.language_models._client import (
    Endpoint,
    ModelOptions,
    Prompt,
    Reply,
    Retries,
    StoredAnswers,
    ask_all,
    base_address,
    token_cost,
)
from pyramidion.questions import Options, Progress, option


@dataclass(frozen=True, slots=True)
class AskingOptions(Options):
    """How to ask a language model that is named elsewhere."""

    answers: Path | None = option(
        None, "File to which every answer is appended as it arrives; answered questions are not "
        "asked again. Named after the model by default.", metavar="FILE.jsonl",
    )  # fmt: skip
    parallel: int = option(4, "Number of questions asked at the same time.", min=1, max=256)
    timeout: float = option(300.0, "Seconds that a whole answer may take.", min=0.01)
    price_input: float | None = option(None, "Price of a million input tokens.", min=0)
    price_output: float | None = option(None, "Price of a million output tokens.", min=0)
    dry_run: bool = option(
        False, "Do not ask anything; show a prompt and the estimated cost.", flags=("--dry-run",)
    )

    def cost(self, tokens_in: int, tokens_out: int) -> float | None:
        """Return the price of some tokens, if prices are known."""
        return token_cost(tokens_in, tokens_out, self.price_input, self.price_output)


class Spent(NamedTuple):
    """The cost of a model's answers.

    Examples
    --------
    >>> Spent(2, 1, 800, 90, None, "llm-tiny.jsonl").line
    '2 answers by the model (1 new): 800 tokens in, 90 out; kept in llm-tiny.jsonl'
    """

    answers: int = 0
    new_answers: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    cost: float | None = None
    kept_in: str = ""

    @classmethod
    def total(cls, parts: "Sequence[Spent]") -> "Spent":
        """Add up several costs."""
        names = ("answers", "new_answers", "tokens_in", "tokens_out")
        totals = {name: sum(getattr(part, name) for part in parts) for name in names}
        costs = [part.cost for part in parts if part.cost is not None]
        kept_in = next((part.kept_in for part in parts), "")
        return cls(**totals, cost=sum(costs) if costs else None, kept_in=kept_in)

    def record(self) -> dict[str, Any]:
        """Return it as a JSON record; empty if nothing was asked."""
        names = ("answers", "new_answers", "tokens_in", "tokens_out", "cost")
        return {name: getattr(self, name) for name in names if self.answers}

    @property
    def line(self) -> str:
        """The number of answers, their tokens and cost, in one line."""
        number = f"{self.answers} answer{'s' * (self.answers != 1)}"
        cost = "" if self.cost is None else f", cost {self.cost:,.4f}"
        return (
            f"{number} by the model ({self.new_answers} new): {self.tokens_in:,} tokens in, "
            f"{self.tokens_out:,} out{cost}; kept in {self.kept_in}"
        )


#: The cost if nothing was asked.
NOTHING_SPENT: Final = Spent()


class Session:
    """An endpoint, and the answers it gave.

    Parameters
    ----------
    options
        The model to ask, and how.
    prefix
        The beginning of the name of the file of answers; the model's name follows.

    Examples
    --------
    >>> session = Session.opened("llm", "", "http://127.0.0.1:8080/v1", AskingOptions())
    >>> session.options.model
    'http://127.0.0.1:8080/v1#'
    """

    def __init__(self, options: ModelOptions, prefix: str = "llm") -> None:
        self.options, self.prefix = options, prefix
        self.endpoint, self.tries = Endpoint(options), Retries(options)
        self.asked_now: set[str] = set()

    @classmethod
    def opened(
        cls, prefix: str, model: str, url: str, options: AskingOptions, **settings: Any
    ) -> "Session":
        """Return the session with a model at an address, by default the one in the environment."""
        url = url or base_address()
        if "://" not in url:
            message = f"{prefix}: url is {url!r}" if url else "no language model is configured"
            example = model if "://" in model else "http://127.0.0.1:8080/v1"
            hint = f"write {prefix}(url={example}), or set OPENAI_BASE_URL to an address"
            raise InputError(message, hint=hint)
        names = ("answers", "parallel", "timeout", "price_input", "price_output")
        settings |= {name: getattr(options, name) for name in names}
        return cls(ModelOptions(model=f"{url}#{model}", **settings), prefix)

    @cached_property
    def model(self) -> str:
        """The name of the model."""
        return self.endpoint.name(self.tries)

    @cached_property
    def answers(self) -> StoredAnswers:
        """The file of stored answers, opened when it is first used."""
        name = re.sub("[^A-Za-z0-9._-]+", "-", self.model)[:200]
        return StoredAnswers(self.options.answers or Path(f"{self.prefix}-{name}.jsonl"))

    def ask(self, prompts: Sequence[Prompt], progress: Progress | None = None) -> None:
        """Ask the questions that have no answer yet."""
        self.asked_now |= {self.key(prompt) for prompt in prompts} - self.answers.stored.keys()
        ask_all(
            self.endpoint,
            self.tries,
            prompts,
            _outcome_fields,
            self.answers,
            progress or Progress(),
        )

    def key(self, prompt: Prompt) -> str:
        """Return what identifies a question."""
        return prompt.digest(self.model, self.options)

    def answer(self, prompt: Prompt) -> dict[str, Any]:
        """Return the answer to a question, asking it if it has no stored answer."""
        if self.key(prompt) not in self.answers.stored:
            self.ask([prompt])
        return self.answers.stored[self.key(prompt)]

    def spent(self, prompts: Iterable[Prompt]) -> Spent:
        """Return the cost of the answers to some questions."""
        keys = list(dict.fromkeys(map(self.key, prompts)))
        records = [self.answers.stored[key] for key in keys]
        n_in, n_out = (
            sum(record[name] for record in records) for name in ("tokens_in", "tokens_out")
        )
        n_new, cost = sum(key in self.asked_now for key in keys), self.options.cost(n_in, n_out)
        return Spent(len(keys), n_new, n_in, n_out, cost, str(self.answers.path))


def _outcome_fields(_: Prompt, reply: Reply) -> dict[str, Any]:
    outcome = "cut" if reply.cut else "answered"
    return {"outcome": "refused" if reply.refused else outcome, "value": None}
