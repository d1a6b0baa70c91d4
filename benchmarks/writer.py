"""The guard of written summaries, on real news: ``make bench AREA=writer``.

A server plays a language model that is asked to summarize clusters of news (Wikinews, ECB+). It
paraphrases sentences of the prompt by rules: synonyms, last names, other forms of numbers, moved
adverbials, frames and pairs of sentences. In one of five sentences it invents something: a name of
another cluster in place of a name, another number in place of a number, a foreign name as the
speaker, or a foreign place. The rules do not use the checks.

Counted are the sentences with something invented that the guard removes, and the faithful ones that
it removes as well, in summaries that ``summarize`` makes end to end. ``--list`` prints what it gets
wrong, which does not go into the project.
"""

import argparse
import json
import math
import random
import re
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from pyramidion.collection import Collection, Topic
from pyramidion.summarizers import summarize_collection
from summarizer_sets import article_cases

#: Bars: shares of sentences.
LEAST_REMOVED, MOST_LOST = 0.95, 0.05
SENTENCES = 20

LINE = re.compile(r"^\[(d\d+:\d+)\] (.+)$", re.MULTILINE)
#: Capitalized words that do not open a sentence.
NAME = re.compile(r"(?<=[a-z,] )[A-Z][a-z]{2,}(?: [A-Z][a-z]{2,})*")
NUMBER = re.compile(r"(?<![\w.,$:-])\d[\d,]*(?![\w:.-]*\d)(?!\w)")
DATES = frozenset(
    [
        "Monday",
        "Tuesday",
        "Wednesday",
        "Thursday",
        "Friday",
        "Saturday",
        "Sunday",
        "January",
        "February",
        "March",
        "April",
        "May",
        "June",
        "July",
        "August",
        "September",
        "October",
        "November",
        "December",
    ]
)
SYNONYMS = {
    "said": "stated", "people": "persons", "about": "around", "many": "numerous", "big": "large",
    "killed": "slain", "began": "started", "children": "kids", "car": "vehicle", "buy": "purchase",
    "help": "assist", "police": "officers", "attempted": "tried", "also": "in addition",
    "currently": "now", "however": "though", "wounded": "injured", "announced": "made public",
    "three": "3", "four": "4", "five": "5", "six": "6", "percent": "per cent", "seven": "7",
}  # fmt: skip
FRAMES = ("It was reported that {}.", "According to reports, {}.", "{}, the articles say.")


class Writer:
    """Paraphrases and invents; `invented` says what is what."""

    def __init__(self, names: Sequence[str], inputs: Sequence[str], seed: int) -> None:
        self.names, self.inputs, self.random = names, inputs, random.Random(seed)
        self.invented: dict[str, str] = {}

    def answer(self, prompt: str) -> str:
        """Write a summary of the documents in a prompt; every fifth sentence is invented."""
        shown = [line for line in LINE.findall(prompt) if 8 <= len(line[1].split()) <= 40]
        chosen = self.random.sample(shown, min(SENTENCES, len(shown)))
        # What long documents have in a part that is not shown is not invented.
        prompt += max(self.inputs, key=lambda text: sum(line in text for _, line in shown))
        stems = {word[:5] for word in re.findall(r"\w+", prompt.lower())}
        foreign = [
            name
            for name in self.names
            if not any(word.lower()[:5] in stems for word in name.split())
        ]
        lines = []
        for number, (place, text) in enumerate(chosen):
            sentence, kind = self.paraphrase(text, shown), ""
            if number % 5 == 4:
                sentence, kind = self.invent(sentence, foreign, prompt)
            sentence = " ".join(sentence.split())
            self.invented.setdefault(sentence, kind)
            lines.append(f"{sentence} [{place}]")
        return "\n".join(lines)

    def paraphrase(self, text: str, shown: Sequence[tuple[str, str]]) -> str:
        """Say the same in other words."""
        body = re.sub(r"\s*\([^)]*\)", "", text).strip().rstrip(".")
        for word, other in SYNONYMS.items():
            body = re.sub(rf"(?<![\w-]){word}(?![\w-])", other, body)
        body = re.sub(r"(\d),(\d{3})\b", r"\1\2", body)
        body = re.sub(r"\b(\d+) million\b", r"\g<1>,000,000", body)
        body = re.sub(r"(?<=[a-z] )[A-Z][a-z]+ ([A-Z][a-z]+)(?= [a-z])", r"\1", body)
        moved = re.fullmatch(r"((?:On|In|At|After|Before) [^,\"]{3,40}), ([^\"]*[a-z])", body)
        if moved:
            body = f"{moved[2][0].upper()}{moved[2][1:]} {moved[1][0].lower()}{moved[1][1:]}"
        if not re.search(r"[\"“”'?!:;]", body) and self.random.random() < 0.3:
            return self.random.choice(FRAMES).format(body)
        return f"{body}."

    def invent(self, text: str, foreign: Sequence[str], prompt: str) -> tuple[str, str]:
        """Put something into a sentence that is not in the documents."""
        names = [name for name in NAME.findall(text) if name.split()[0] not in DATES]
        numbers = NUMBER.findall(text)
        kinds = ["speaker", "place", *["name"] * 2 * bool(names), *["number"] * 2 * bool(numbers)]
        kind, name = self.random.choice(kinds), self.random.choice(foreign)
        if kind == "name":
            return text.replace(self.random.choice(names), name, 1), kind
        if kind == "number":
            values = [float(number.replace(",", "")) for number in re.findall(r"\d[\d,]*", prompt)]
            drawn = [int(10 ** self.random.uniform(1, 6)) for _ in range(50)]
            # The one that is farthest from all numbers of the documents.
            new = max(drawn, key=lambda n: min(abs(math.log((n + 1) / (v + 1))) for v in values))
            return re.sub(NUMBER, str(new), text, count=1), kind
        if kind == "place":
            return f"{text.rstrip('.')} in {name}.", kind
        return f"{text.rstrip('.')}, {name} said.", kind


class Handler(BaseHTTPRequestHandler):
    """Speaks the protocol of chat completions."""

    writer: Writer

    def log_message(self, *_: Any) -> None:
        """Print nothing."""

    def do_POST(self) -> None:
        """Answer a prompt."""
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        text = self.writer.answer(body["messages"][1]["content"])
        choice = {"message": {"content": text}, "finish_reason": "stop"}
        data = json.dumps({"choices": [choice]}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


def names_in(texts: Sequence[str]) -> Iterator[str]:
    """Return the names of some texts."""
    for text in texts:
        yield from (name for name in NAME.findall(text) if name.split()[0] not in DATES)


def measure(set_: str, seed: int, *, listed: bool) -> bool:
    """Measure a set, and return whether the bars are met."""
    inputs = article_cases(set_, 100)
    if not inputs:
        return True
    topics = tuple(Topic(case.id, documents=case.source.documents) for case in inputs)
    texts = [text for case in inputs for text in case.source.texts]
    common = {word for text in texts for word in re.findall(r"\b[a-z]+", text)}
    names = {*names_in(texts)}
    pool = sorted(name for name in names if common.isdisjoint(name.lower().split()))
    whole = [" ".join(" ".join(d.text for d in topic.documents).split()) for topic in topics]
    writer = Writer(pool, whole, seed)
    server = ThreadingHTTPServer(("127.0.0.1", 0), type("Own", (Handler,), {"writer": writer}))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    url = f"http://127.0.0.1:{server.server_address[1]}/v1"
    start = time.process_time()
    with tempfile.TemporaryDirectory() as folder:
        summaries = summarize_collection(
            Collection(set_, topics=topics), method=f"llm(model=rules,url={url})", words=2000,
            answers=Path(folder) / "answers.jsonl", parallel=1,
        )  # fmt: skip
    seconds = time.process_time() - start
    server.shutdown()
    n_written, n_removed = Counter[str](), Counter[str]()
    for summary in summaries:
        shown = {sentence.text for sentence in summary.extract.sentences}
        for item in summary.extract.guard.checked if summary.extract.guard else ():
            text = item.written.text
            kind = writer.invented.get(text, "split") or "faithful"
            n_written[kind] += 1
            n_removed[kind] += text not in shown
            if listed and bool(item.spans) == (kind == "faithful"):
                print(f"{kind}: {text} ({item.reasons})")
    for kind in n_written:
        n = n_written[kind]
        share = n_removed[kind] / n
        print(f"  {kind:10} {n:6,} sentences, removed {n_removed[kind]:5,} ({share:.1%})")
    n_faithful, n_lost = n_written.pop("faithful"), n_removed.pop("faithful")
    removed = n_removed.total() / n_written.total()
    lost = n_lost / n_faithful
    is_met = removed >= LEAST_REMOVED and lost <= MOST_LOST
    print(
        f"{set_}: {len(summaries)} clusters; invented and removed {removed:.1%} (bar "
        f"{LEAST_REMOVED:.0%}), faithful and lost {lost:.1%} (bar {MOST_LOST:.0%}); "
        f"{seconds:.1f} s CPU{'' if is_met else '; MISSED'}"
    )
    return is_met


def main() -> None:
    """Measure all sets."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--list", action="store_true", help="print what is wrong")
    options = parser.parse_args()
    results = [measure(set_, options.seed, listed=options.list) for set_ in ("wikinews", "ecbplus")]
    raise SystemExit(0 if all(results) else 1)


if __name__ == "__main__":
    main()
