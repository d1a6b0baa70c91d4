"""Language models behind OpenAI-compatible addresses, asked again where something fails.

The address and the key come from the environment (``OPENAI_BASE_URL``, ``OPENAI_API_KEY``); neither
is shown or stored. Every answer is appended to a file as soon as it arrives: one line each, on the
disk before the next question, so that an interrupted run loses and repeats nothing.
"""

import hashlib
import http.client
import json
import os
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from pathlib import Path, PurePath
from typing import Any, ClassVar
from urllib.parse import urlsplit
from zlib import crc32

import numpy as np

from pyramidion.collection._options import option
from pyramidion.collection._questions import Options, Progress
from pyramidion.errors import InputError, Where

_BASE, _KEY = "OPENAI_BASE_URL", "OPENAI_API_KEY"

# Longer pauses and answers are a mistake.
_LONGEST_PAUSE = 60.0
_LARGEST_ANSWER = 10_000_000

# After so many failures in a row nothing more is asked.
_MOST_FAILURES = 3

# What a server may not know, and its other name if it has one.
_OPTIONAL = {"response_format": "", "max_tokens": "max_completion_tokens", "seed": "",
             "temperature": ""}  # fmt: skip


@dataclass(frozen=True, slots=True)
class ModelOptions(Options):
    """Which model is asked, and how."""

    panel: ClassVar[str] = "The model"

    model: str = option(
        "", "Model to ask: its name at the address in the environment variable OPENAI_BASE_URL, or "
        "an address such as http://127.0.0.1:8080/v1 (then #NAME chooses one of several). A key is "
        "taken from OPENAI_API_KEY and never stored.", metavar="URL|NAME",
    )  # fmt: skip
    samples: int = option(1, "Number of times each question is asked.", min=1, max=1000)
    temperature: float | None = option(
        None, "Sampling temperature; by default 0 for one sample, 1 for several.", min=0, max=2
    )
    reason: bool = option(False, "Let the model give a reason first.", flags=("--reason",))
    max_tokens: int = option(300, "Maximum length of an answer in tokens.", min=1)
    parallel: int = option(4, "Number of questions asked at the same time.", min=1, max=256)
    timeout: float = option(60.0, "Seconds to wait for an answer.", min=0.01)
    retries: int = option(
        6, "Number of times a question is asked again after a failure (timeout, HTTP 429 or 5xx, a "
        "broken answer).", min=0,
    )  # fmt: skip
    wait: float = option(
        1.0, "Seconds before the first retry, doubled for each further one; a server's Retry-After "
        "comes first.", min=0,
    )  # fmt: skip
    answers: Path | None = option(
        None, "File that every answer is added to as soon as it is there; what it holds is not "
        "asked again. judge-MODEL.jsonl by default.", metavar="FILE.jsonl",
    )  # fmt: skip
    price_input: float | None = option(None, "Price of a million input tokens.", min=0)
    price_output: float | None = option(None, "Price of a million output tokens.", min=0)
    seed: int = option(0, "Random seed; also sent to the model.", min=0)

    def check(self) -> None:
        """Refuse a missing model, and a key where it would be stored."""
        if not self.model:
            hint = f"give --model NAME (and {_BASE} in the environment), or --model URL"
            raise InputError("no model is named", hint=hint)
        if "@" in urlsplit(self.model).netloc or "?" in self.model:
            hint = f"put the key into the environment variable {_KEY}"
            raise InputError("the address holds a password or a key", hint=hint)

    @property
    def used_temperature(self) -> float:
        """The temperature that is asked for, or the usual one."""
        usual = 0.0 if self.samples == 1 else 1.0
        return usual if self.temperature is None else self.temperature

    def cost(self, tokens_in: int, tokens_out: int) -> float | None:
        """Return the price of some tokens, if prices are known."""
        if self.price_input is None and self.price_output is None:
            return None
        prices = self.price_input or 0.0, self.price_output or 0.0
        return (tokens_in * prices[0] + tokens_out * prices[1]) / 1e6


@dataclass(frozen=True, slots=True)
class Prompt:
    """A question in words, the schema of its answer, and what it is about."""

    instructions: str
    # Many prompts show the same texts, which are held once.
    parts: tuple[str, ...]
    schema: Mapping[str, Any]
    about: Mapping[str, str]
    sample: int = 0

    @property
    def text(self) -> str:
        """What is asked."""
        return "\n\n".join(self.parts)

    def messages(self) -> list[dict[str, str]]:
        """Return it as messages of the protocol."""
        return [
            {"role": "system", "content": self.instructions},
            {"role": "user", "content": self.text},
        ]

    def digest(self, model: str, options: ModelOptions) -> str:
        """Return a name for the question and the model: the same name means the same question."""
        asked = [model, self.messages(), options.used_temperature, options.seed, self.sample]
        return hashlib.sha256(json.dumps([*asked, self.about]).encode()).hexdigest()[:24]


@dataclass(frozen=True, slots=True)
class Reply:
    """What a model answered, and whether it `refused` or was `cut` short."""

    text: str
    refused: bool
    cut: bool
    tokens_in: int
    tokens_out: int


class _AgainError(Exception):
    """Something that may go away, with the seconds that the server asks for."""

    def __init__(self, why: str, after: float | None = None) -> None:
        super().__init__(why)
        self.after = after


class _FailedError(InputError):
    """A question without an answer, where the next one may have one."""


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """Follow no redirect to another address: the key would go along."""

    def redirect_request(self, *_: Any) -> None:
        """Refuse."""


class Endpoint:
    """An address that speaks the protocol."""

    def __init__(self, options: ModelOptions) -> None:
        self.options = options
        given = "://" in options.model
        base, _, name = options.model.partition("#") if given else ("", "", options.model)
        self._base = (base or os.environ.get(_BASE, "")).rstrip("/")
        self._key = os.environ.get(_KEY, "")
        if urlsplit(self._base).scheme not in ("http", "https"):
            what = f"{_BASE} is no http address" if self._base else f"{_BASE} is not set"
            raise InputError(what, hint="set it to something like http://127.0.0.1:8080/v1")
        self._opener = urllib.request.build_opener(_NoRedirect)
        self._given = name
        self.dropped: dict[str, None] = {}
        self._lock = threading.Lock()

    def name(self, tries: "Tries") -> str:
        """Return the model's name: the one given, or the first that the address offers."""
        if not self._given:
            offered = tries.run("models", lambda: self._call("/models", None)).get("data")
            first = offered[0] if isinstance(offered, list) and offered else {}
            self._given = str(first.get("id", "")) if isinstance(first, dict) else ""
            if not self._given:
                hint = "write it behind the address: URL#NAME"
                raise InputError("the address does not say which model it has", hint=hint)
        # A local server may call a model by its file.
        return PurePath(self._given).name.removesuffix(".gguf")

    def ask(self, prompt: Prompt) -> Reply:
        """Ask once."""
        schema = {"name": "judgment", "strict": True, "schema": prompt.schema}
        wanted = {
            "response_format": {"type": "json_schema", "json_schema": schema},
            "max_tokens": self.options.max_tokens,
            "seed": self.options.seed + prompt.sample,
            "temperature": self.options.used_temperature,
        }
        body: dict[str, Any] = {"model": self._given, "messages": prompt.messages()}
        for name, value in wanted.items():
            known = _OPTIONAL[name] if name in self.dropped else name
            if known:
                body[known] = value
        return _reply(self._call("/chat/completions", body))

    def _call(self, path: str, body: Mapping[str, Any] | None) -> dict[str, Any]:
        data = None if body is None else json.dumps(body).encode()
        headers = {"Content-Type": "application/json", "User-Agent": "pyramidion"}
        if self._key:
            headers["Authorization"] = f"Bearer {self._key}"
        request = urllib.request.Request(f"{self._base}{path}", data, headers)  # noqa: S310
        try:
            with self._opener.open(request, timeout=self.options.timeout) as response:
                read = response.read(_LARGEST_ANSWER)
                if response.length:
                    raise http.client.IncompleteRead(read)
            answer = json.loads(read)
        except urllib.error.HTTPError as error:
            raise self._refusal(error, body or {}) from None
        except TimeoutError:
            raise _AgainError(f"no answer in {self.options.timeout:g} s") from None
        except (OSError, http.client.HTTPException) as error:
            reason = getattr(error, "reason", None) or error
            if isinstance(reason, TimeoutError):
                raise _AgainError(f"no answer in {self.options.timeout:g} s") from None
            raise _AgainError(f"the connection failed: {type(reason).__name__}") from None
        except (ValueError, RecursionError):
            raise _AgainError("the answer is not JSON") from None
        if not isinstance(answer, dict):
            raise _AgainError("the answer is not a JSON object")
        return answer

    def _refusal(self, error: urllib.error.HTTPError, body: Mapping[str, Any]) -> Exception:
        """Return whether to ask again or to give up; drop parts that the server does not know."""
        said = ""
        with suppress(OSError, http.client.HTTPException):
            said = error.read(4000).decode("utf-8", "replace")
        if error.code in (408, 409, 425, 429) or error.code >= 500:
            return _AgainError(f"HTTP {error.code}", _seconds(error.headers.get("Retry-After")))
        unknown = [name for name in _OPTIONAL if name in body and name in said]
        if error.code in (400, 422) and unknown:
            with self._lock:
                self.dropped[unknown[0]] = None
            return _AgainError(f"HTTP {error.code}: no {unknown[0]}", 0.0)
        if error.code in (401, 403):
            hint = f"set the environment variable {_KEY}"
            return InputError(f"the endpoint refuses the key (HTTP {error.code})", hint=hint)
        message = ""
        with suppress(ValueError, AttributeError, RecursionError):
            # Where servers usually say it.
            found = json.loads(said)["error"]
            message = str(found.get("message", "") if isinstance(found, dict) else found)
        message = message.replace(self._key or "\0", "***")[:120]
        lasting = error.code == 404 or error.code < 400
        kind = InputError if lasting else _FailedError
        hint = "check the model's name and the address"
        return kind(f"the endpoint answers HTTP {error.code}{message and f' ({message})'}", hint)


def _seconds(text: str | None) -> float | None:
    """Read Retry-After: seconds, or a date."""
    if not text:
        return None
    with suppress(ValueError):
        return max(0.0, float(text))
    with suppress(ValueError):
        return max(0.0, parsedate_to_datetime(text).timestamp() - time.time())
    return None


def _reply(answer: Mapping[str, Any]) -> Reply:
    """Read an answer of the protocol; an incomplete one is none."""
    try:
        choice = answer["choices"][0]
        message = choice["message"]
        text, ended = message.get("content") or "", choice.get("finish_reason")
        used = answer.get("usage") or {}
        counts = (used.get("prompt_tokens"), used.get("completion_tokens"))
        refused = bool(message.get("refusal")) or ended == "content_filter"
        tokens = [count if isinstance(count, int) else 0 for count in counts]
    except (KeyError, IndexError, TypeError, AttributeError):
        raise _AgainError("the answer has no message") from None
    return Reply(str(text), refused, ended == "length", *tokens)


class Tries:
    """Asks again after a pause that grows, is shared by all, and has chance in it."""

    def __init__(self, options: ModelOptions) -> None:
        self.options, self.stop = options, threading.Event()
        self._until, self.again = 0.0, 0

    def run(self, name: str, ask: Callable[[], Any]) -> Any:
        """Ask until there is an answer, or it has failed too often."""
        for attempt in range(self.options.retries + 1):
            while (left := self._until - time.monotonic()) > 0 and not self.stop.wait(left):
                pass
            try:
                return ask()
            except _AgainError as error:
                if attempt == self.options.retries or self.stop.is_set():
                    raise _FailedError(str(error), "check that the endpoint is up") from None
                self.again += 1
                self._pause(name, attempt, error.after)
        raise AssertionError  # pragma: no cover

    def _pause(self, name: str, attempt: int, after: float | None) -> None:
        chance = np.random.default_rng([self.options.seed, crc32(name.encode()), attempt]).random()
        grown = min(_LONGEST_PAUSE, self.options.wait * 2**attempt) * (0.5 + chance / 2)
        if after is not None:
            # The server means all threads, which would otherwise come back at the same moment.
            self._until = max(self._until, time.monotonic() + after + grown * (after > 0))
        else:
            self.stop.wait(grown)


@dataclass
class Answers:
    """The answers of a model, in a file that only grows."""

    path: Path
    kept: dict[str, dict[str, Any]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._lock = threading.Lock()
        lines = self.path.read_bytes().split(b"\n") if self.path.exists() else [b""]
        # A line that was cut off is skipped, and the next answer starts a new line.
        self._torn = bool(lines[-1])
        for number, line in enumerate(lines, start=1):
            with suppress(ValueError):
                record = json.loads(line)
                if not isinstance(record, dict) or not isinstance(record.get("asked"), str):
                    what = f"line {number} is not an answer that `judge` kept"
                    raise InputError(what, where=Where(self.path), hint="name another file")
                self.kept[record["asked"]] = record
        if lines != [b""] and len(lines) > 2 and not self.kept:
            raise InputError("it holds no answers", where=Where(self.path), hint="name another")
        try:
            self.path.open("ab").close()
        except OSError as error:
            what = f"it cannot be written ({error.strerror})"
            raise InputError(what, where=Where(self.path), hint="name another file") from None

    def add(self, record: dict[str, Any]) -> None:
        """Keep an answer: it is on the disk when this returns."""
        line = json.dumps(record, ensure_ascii=True).encode() + b"\n"
        with self._lock, self.path.open("ab", buffering=0) as stream:
            stream.write(b"\n" * self._torn + line)
            os.fsync(stream.fileno())
            self._torn = False
            self.kept[record["asked"]] = record


def ask_all(
    endpoint: Endpoint,
    tries: Tries,
    prompts: Sequence[Prompt],
    read: Callable[[Prompt, Reply], dict[str, Any]],
    answers: Answers,
    progress: Progress,
) -> int:
    """Ask what has no answer yet, and return how many questions that were."""
    model, options = endpoint.name(tries), endpoint.options
    names = [prompt.digest(model, options) for prompt in prompts]
    todo = [
        (name, prompt)
        for name, prompt in dict(zip(names, prompts, strict=True)).items()
        if name not in answers.kept
    ]
    failed: list[InputError] = []
    in_a_row, done = [0], [len(names) - len(todo)]

    def ask(item: tuple[str, Prompt]) -> None:
        name, prompt = item
        if tries.stop.is_set():
            return
        try:
            reply = tries.run(name, lambda: endpoint.ask(prompt))
        except InputError as error:
            failed.append(error)
            in_a_row[0] += 1
            if not isinstance(error, _FailedError) or in_a_row[0] >= _MOST_FAILURES:
                tries.stop.set()
            return
        in_a_row[0] = 0
        now = datetime.now(UTC).isoformat(timespec="microseconds")
        about = {**prompt.about, "sample": prompt.sample, "model": model, "time": now}
        used = {"tokens_in": reply.tokens_in, "tokens_out": reply.tokens_out}
        answers.add({"asked": name, **about, **read(prompt, reply), "answer": reply.text, **used})
        done[0] += 1
        progress.advance(done[0], len(names))

    with ThreadPoolExecutor(options.parallel) as pool:
        try:
            for _ in pool.map(ask, todo):
                pass
        except BaseException:
            # An interruption lets running questions end and begins no more.
            tries.stop.set()
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    missing = sum(name not in answers.kept for name in names)
    if missing:
        last = failed[-1]
        raise InputError(
            f"{missing} of {len(names)} questions were not answered: {last.what}",
            hint=f"{last.hint}, and run it again to go on: {len(names) - missing} answers are kept "
            f"in {answers.path}",
        )
    return len(todo)
