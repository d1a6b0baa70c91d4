"""Tokens, tags, base forms and trees of the light path on the treebanks' development parts.

Run by ``make bench AREA=tagging`` where the treebanks are at hand. Tags and base forms are
predicted for the treebanks' own tokens; speed is CPU time in one run.
"""

import json
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from pyramidion.text._light.parsing import LightParser
from pyramidion.text._tagging import Tagger, grammar_tokens, load_tagger
from pyramidion.text.parsing import RELATIONS

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "tools"), str(ROOT / "tests")]
from text.light_scoring import people_gold, score, written  # noqa: E402
from treebanks import Tree, read_treebank  # noqa: E402

TREEBANKS = ROOT.parent / "shared" / "data" / "treebanks"
PARTS = ("ewt-dev", "gum-open-dev")
LEAST_TOKENS, LEAST_FINE, LEAST_LEMMA, LEAST_SPEED, MOST_LOAD = 98.5, 93.5, 95.0, 20_000, 0.3
INNER = ("amod", "compound", "det", "flat", "nmod:desc", "nmod:poss", "nummod")
NEWS = ("relation", "name", "title", "apposition", "relative")

CONSOLE = Console(width=120)


def span_list(tree: Tree) -> list[tuple[int, int]]:
    """Find a tree's tokens in its text."""
    spans, end = [], 0
    for word in tree.words:
        start = tree.text.index(word.text, end)
        end = start + len(word.text)
        spans.append((start, end))
    return spans


def token_f(trees: Sequence[Tree]) -> float:
    """Compare tokens with the treebank's, in percent."""
    same = both = 0
    for tree in trees:
        gold = set(span_list(tree))
        ours = {(token.start, token.end) for token in grammar_tokens(tree.text)}
        same += len(gold & ours)
        both += len(gold) + len(ours)
    return 200 * same / both


def tag_figures(
    tagger: Tagger, trees: Sequence[Tree], change: Callable[[str], str] = str
) -> tuple[float, float, float]:
    """Return the percentage of fine tags, tags and base forms that are right."""
    predicted = tagger.tag([[change(word.text) for word in tree.words] for tree in trees])
    words = [
        (word, pair)
        for tree, pairs in zip(trees, predicted, strict=True)
        for word, pair in zip(tree.words, pairs, strict=True)
    ]
    fine = sum(word.fine == pair.fine for word, pair in words)
    tags = sum(word.tag == pair.tag for word, pair in words)
    lemmas = sum(word.lemma.lower() == tagger.lemma(word.text, pair.fine) for word, pair in words)
    return 100 * fine / len(words), 100 * tags / len(words), 100 * lemmas / len(words)


def speed(tagger: Tagger, trees: Sequence[Tree]) -> float:
    """Return tokens a CPU second, from texts to tags."""
    began = time.process_time()
    cut = [[token.text for token in grammar_tokens(tree.text)] for tree in trees]
    tagger.tag(cut)
    return sum(map(len, cut)) / (time.process_time() - began)


def parse_figures(parser: LightParser, trees: Sequence[Tree]) -> tuple[float, float, float]:
    """Return percentages of heads, of heads with relations, and of heads inside noun phrases.

    On our own tokens: words of the treebank that are cut otherwise count as wrong.
    """
    counts: Counter[str] = Counter()
    parsed = parser.parse([tree.text for tree in trees])
    for tree, words in zip(trees, parsed, strict=True):
        spans = [(word.start, word.end) for word in words]
        index_of = {span: number for number, span in enumerate(spans)}
        gold = span_list(tree)
        for span, gold_word in zip(gold, tree.words, strict=True):
            if gold_word.tag == "PUNCT":
                continue
            word = words[index_of[span]] if span in index_of else None
            right = word is not None and spans[word.head] == gold[gold_word.head]
            same = word is not None and word.relation == relation_of(gold_word.relation)
            counts["all"] += 1
            counts["heads"] += right
            counts["relations"] += right and same
            counts["inner"] += gold_word.relation in INNER
            counts["inner heads"] += right and gold_word.relation in INNER
    heads, relations = (100 * counts[name] / counts["all"] for name in ("heads", "relations"))
    return heads, relations, 100 * counts["inner heads"] / counts["inner"]


def relation_of(label: str) -> str:
    """Return a treebank's relation in our words."""
    return RELATIONS.get(label) or RELATIONS.get(label.partition(":")[0]) or label


def news_row(name: str, sentences: Sequence[Any]) -> list[str]:
    """Count what is found in sentences in the manner of news."""
    counts, _ = score(LightParser(), sentences)
    return [name, *(f"{counts[what]}/{counts[what, 'all']}" for what in NEWS)]


def parser_tables() -> None:
    """Print how the light parser does."""
    parser = LightParser()
    table = Table("part", "heads (UAS)", "with relations (LAS)", "inside noun phrases", "tokens/s")
    for part in PARTS:
        trees = list(read_treebank(TREEBANKS, part))
        began = time.process_time()
        figures = parse_figures(parser, trees)
        rate = sum(len(tree.words) for tree in trees) / (time.process_time() - began)
        table.add_row(part, *(f"{figure:.2f}" for figure in figures), f"{rate:,.0f}")
    CONSOLE.print(table)
    news = Table("sentences", *NEWS)
    gold = json.loads((ROOT.parent / "shared" / "gold" / "people.json").read_text("utf-8"))
    news.add_row(*news_row("people.json", people_gold(gold["news"])))
    news.add_row(*news_row("written for the tests", written()))
    CONSOLE.print(news)


def main() -> None:
    """Print the figures next to their bars."""
    began = time.process_time()
    tagger = load_tagger()
    load = time.process_time() - began
    table = Table(
        "part", "tokens F", "fine tags", "tags", "base forms", "capitals", "small letters"
    )
    passed = load < MOST_LOAD
    speeds = []
    for part in PARTS:
        trees = list(read_treebank(TREEBANKS, part))
        tokens, (fine, tags, lemmas) = token_f(trees), tag_figures(tagger, trees)
        recased = [tag_figures(tagger, trees, change)[0] for change in (str.upper, str.lower)]
        speeds.append(speed(tagger, trees))
        table.add_row(part, *(f"{figure:.2f}" for figure in (tokens, fine, tags, lemmas, *recased)))
        passed &= tokens >= LEAST_TOKENS and fine >= LEAST_FINE and lemmas >= LEAST_LEMMA
    passed &= min(speeds) >= LEAST_SPEED
    CONSOLE.print(table)
    CONSOLE.print(f"{min(speeds):,.0f} tokens a CPU second; loaded in {load:.2f} CPU s")
    CONSOLE.print(
        f"bars: tokens {LEAST_TOKENS}, fine tags {LEAST_FINE}, base forms {LEAST_LEMMA}, "
        f"{LEAST_SPEED:,} tokens/s, {MOST_LOAD} s: {'passed' if passed else 'MISSED'}"
    )
    parser_tables()
    sys.exit(not passed)


if __name__ == "__main__":
    main()
