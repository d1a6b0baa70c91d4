"""Whether summaries read well, and what that costs: ``make bench AREA=readability``.

Summaries by ``auto`` of the open sets, 100 words each or as long as the set's references. Counted
are summaries with a sentence that

* dangles: its subject is a pronoun with no noun before it, or it opens with a connective, and the
  sentence before it in the summary is not the one before it in its article;
* is a quotation and nothing else, judging by the marks of the whole article;
* has no verb: headlines, bylines, dates, captions;
* repeats what another one says.

The rules of the summarizers look at words and marks. What is counted here depends on the light
parser, the list of connectives of the Penn Discourse Treebank, and the quotations of whole
articles as rewriting finds them, so it can find what the rules miss. Rules were made on two
thirds of the topics of every set; the others were kept for the end. ``--list`` prints what was
found in the former, ``--read`` summaries to read, neither of which goes into the project.

Openings of summaries of news are also counted if their subject is definite but not modified, or a
bare surname, and the article has said who or what it is: the light parser and the text before the
sentence decide. ``--openings 100 --seed 43`` prints openings of topics kept for the end to read.

The second part compares ROUGE of the same summaries with and without the rules, by paired
permutation tests, on the topics that decide and on those that were kept for the end.
"""

import argparse
import random
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from pyramidion.summarizers import (
    CandidateRules,
    ChosenSentence,
    Extract,
    Limit,
    Source,
    parse_summarizer,
)
from pyramidion.summarizers._trim import TRIM_KINDS, TrimKind, trim_source
from pyramidion.text import is_stop_word, load_parser, stem, tokenize
from pyramidion.text.parsing import FINITE_TAGS, ParsedWord
from summarizer_quality import MEASURES, against, score_cases
from summarizer_sets import SEVERAL, SINGLE, Case, article_cases, cases

#: Bars: shares of summaries.
MOST_DANGLING, MOST_BARE = 0.03, 0.0
#: News: articles one by one, and clusters of them.
NEWS = ("wikinews articles", "ecbplus articles", "wikinews", "ecbplus")
WORDS = 100
ALPHA = 0.05
#: The share of content words that makes one sentence another's repetition.
SAME = 0.8

#: Nothing is left out that reads badly on its own.
OFF = CandidateRules(quotations=True, headlines=True, dangling=True)

#: Prasad et al. (2008), The Penn Discourse TreeBank 2.0: connectives that open a sentence and
#: relate it to what was said before; the subordinating ones (*when*, *because*) do not. And a few
#: words that mean something said before.
CONNECTIVES = tuple(
    """as a result|as it turns out|by comparison|by contrast|by then|for example|for instance
    |in addition|in contrast|in fact|in other words|in particular|in short|in sum|in the end
    |in turn|on the contrary|on the other hand|accordingly|additionally|afterward|afterwards|also
    |alternatively|and|besides|but|consequently|conversely|earlier|else|finally|further|furthermore
    |hence|however|indeed|instead|later|likewise|meantime|meanwhile|moreover|nevertheless|next
    |nonetheless|nor|or|otherwise|overall|plus|previously|rather|regardless|separately|similarly
    |simultaneously|so|specifically|still|then|thereafter|thereby|therefore|thus|ultimately|yet
    |at the same time|since then|until then|after that|such|another|others|the latter|the same
    |the others""".replace("\n    ", "").split("|")
)
#: What makes something else of them: *in addition to*, *so far*, *such as*.
_NO_CONNECTIVE = {"to", "of", "than", "far", "as"}
#: Adjectives as well: *further details*, *earlier this week*, *next Tuesday*.
_ADJECTIVES = {"earlier", "further", "later", "next", "overall", "such"}
_THIRD = {"he", "she", "it", "they", "him", "her", "them", "his", "its", "their", "hers", "theirs"}
_POINTING = {"this", "that", "these", "those"}
#: *His Honor* is a name.
_TITLES = {"honor", "majesty", "holiness", "highness", "excellency"}
#: What words are that open a clause.
_BEFORE_SUBJECTS = {"marker", "case"}
_TIMES = frozenset(
    re.findall(
        r"\w+",
        """week month year morning afternoon evening night weekend time summer winter spring fall
        autumn season decade century day days monday tuesday wednesday thursday friday saturday
        sunday january february march april may june july august september october november
        december""",
    )
)
#: *It* whose clause follows: *it is not clear whether*, *it was announced on Monday that*.
_CLAUSE_FOLLOWS = re.compile(
    r"it(?:'s| is| was| has been| had been| will be| would be| may be| seems| seemed| appears"
    r"| appeared| remains| turned out| turns out| became)( \w+){0,5} (?:that|whether|how|why)\b",
    re.I,
)
#: A quotation of somebody who is not named.
_HE_SAID = re.compile(
    r"[\s,.]*(?:he|she|they|it)\b|[\s,.]*\w+(?:ed|id|ote|ys) (?:he|she|they)\b", re.I
)


@dataclass(frozen=True)
class Found:
    """What reads badly in a sentence of a summary."""

    kind: str
    sentence: ChosenSentence


@cache
def _parsed(text: str) -> tuple[ParsedWord, ...]:
    return tuple(load_parser("light").parse([text])[0])


def dangles(text: str) -> bool:
    """Return whether a sentence opens with what it does not explain."""
    words = [word for word in _parsed(text) if word.tag not in {"PUNCT", "SYM"}]
    if not words:
        return False
    return _goes_on(words) or _refers(words, text) or _quotes_nobody(text)


def _goes_on(words: Sequence[ParsedWord]) -> bool:
    opening = " ".join(word.text.lower() for word in words[:4]) + " "
    connective = next((phrase for phrase in CONNECTIVES if opening.startswith(phrase + " ")), "")
    if not connective:
        return False
    after = [word.text.lower() for word in words[len(connective.split()) :][:2]]
    if after[:1] and after[0] in _NO_CONNECTIVE:
        return False
    return not (
        connective in _ADJECTIVES and (words[0].tag == "ADJ" or {*after} & (_TIMES | {"this"}))
    )


def _quotes_nobody(text: str) -> bool:
    """Tell a quotation at the beginning that only a pronoun is said to have said."""
    match = _QUOTED.match(text)
    return match is not None and _HE_SAID.match(_QUOTED.sub("", text)) is not None


def _refers(words: Sequence[ParsedWord], text: str) -> bool:
    """Return whether the first word, or the subject of the first clause, points back."""
    low = words[0].text.lower()
    if low in _THIRD and words[1:] and words[1].text.lower() in _TITLES:
        return False
    if low in _THIRD:
        return not _CLAUSE_FOLLOWS.match(text)
    if low in _POINTING and words[0].tag in {"PRON", "DET"}:
        return _points(words, 0)
    index = next(
        (
            k
            for k, word in enumerate(words[:15])
            if word.relation == "subject" and not _is_relative(words, k)
        ),
        -1,
    )
    if index <= 0 or words[index].text.lower() not in _THIRD | _POINTING:
        return False
    if words[index].text.lower() in _POINTING and words[index].relation == "marker":
        return False
    # Somebody named before in the same sentence may be meant; a time or place is not.
    people = words[index].text.lower() in {"he", "she"}
    named = any(
        word.entity == "person"
        or word.relation in {"subject", "object"}
        or (people and word.tag == "PROPN" and word.text.lower() not in _TIMES)
        for word in words[:index]
    )
    follows = _CLAUSE_FOLLOWS.search(text, 0, 120) is not None
    return not (named or follows or _comes_first(words, index))


def _is_relative(words: Sequence[ParsedWord], index: int) -> bool:
    """Tell *that* after a noun that its clause says more about: *a strike that killed many*."""
    before = words[index - 1].tag if index else ""
    return words[index].text.lower() == "that" and before in {"NOUN", "PROPN"}


def _comes_first(words: Sequence[ParsedWord], index: int) -> bool:
    """Recognize *he* before its referent, in a clause before the subject: *when he came, Obama*."""
    if words[index].text.lower() not in {"he", "she"} or words[0].relation not in _BEFORE_SUBJECTS:
        return False
    later = (word for word in words[index + 1 : index + 25] if word.relation == "subject")
    subject = next(later, None)
    return subject is not None and subject.tag == "PROPN"


def _points(words: Sequence[ParsedWord], index: int) -> bool:
    after = [word.text.lower() for word in words[index + 1 : index + 3]]
    if not after or after[0] in {"who", "whose"} or _TIMES & {*after}:
        return False
    # A clause (*that he won*), or *this paper*, which names what one reads.
    return words[index].relation != "marker" and after[0] not in {"paper", "article", "section"}


def without_verb(text: str) -> bool:
    """Tell headlines and dates from sentences."""
    return not any(word.tag in {"VERB", "AUX"} for word in _parsed(text))


#: A mark that opens a quotation stands before a word, one that closes it after one.
_QUOTED = re.compile(
    r"(?:“|``|(?<![^\s(])\"(?=\S))[^\"“”]{1,1500}?(?:”|''|(?<=\S)\"(?![^\s.,;:!?)]))"
    r"|(?<![^\s(])‘[^‘\n]{1,1500}?[.,!?]’(?!\w)",
    re.S,
)
#: A straight mark that does not stand for inches.
_STRAIGHT = re.compile(r"(?<!\d)\"")


def unquoted(sentences: Sequence[str]) -> list[int]:
    """Count the words of each sentence that the quotations of its article do not hold.

    Where the marks of a sentence do not match, it is a piece of a quotation: none.
    """
    article = "\n".join(sentences)
    inside = [(match.start(), match.end()) for match in _QUOTED.finditer(article)]
    outside, start = [], 0
    for text in sentences:
        words = [start + match.start() for match in re.finditer(r"\w+", text)]
        free = sum(not any(a < at < b for a, b in inside) for at in words)
        alone = len(re.findall(r"\w+", _QUOTED.sub(" ", text)))
        outside.append(0 if _is_piece(text) else min(free, alone))
        start += len(text) + 1
    return outside


def _is_piece(text: str) -> bool:
    """Tell a sentence whose marks of quotation do not match."""
    if text.count("“") != text.count("”") or (
        "``" in text and text.count("``") != text.count("''")
    ):
        return True
    return text.count('"') % 2 == 1 and len(_STRAIGHT.findall(text)) % 2 == 1


#: Words that no sentence of a summary should open with, whatever follows them.
_PLAIN = _THIRD | _POINTING | {phrase for phrase in CONNECTIVES if " " not in phrase}


def opens_plainly(text: str) -> bool:
    """Return whether the first word of a sentence is on a list, and ask nothing further."""
    match = re.search(r"\w+", text)
    return match is not None and match[0].lower() in _PLAIN


def same_content(text: str, other: str) -> float:
    """Return the share of the shorter sentence's content words that the other one has."""
    first, second = (
        {stem(word) for word in tokenize(sentence) if not is_stop_word(word)}
        for sentence in (text, other)
    )
    return len(first & second) / max(min(len(first), len(second)), 1)


def faults(source: Source, extract: Extract) -> Iterator[Found]:
    """Find what reads badly in a summary."""
    unquoted_words: dict[tuple[str, int], int] = {}
    for document in {sentence.document for sentence in extract.sentences}:
        own_texts = [
            sentence.text for sentence in source.sentences if sentence.document == document
        ]
        unquoted_words |= {
            (document, index): count for index, count in enumerate(unquoted(own_texts))
        }
    before: ChosenSentence | None = None
    for sentence in extract.sentences:
        follows = before is not None and (sentence.document, sentence.index) == (
            before.document,
            before.index + 1,
        )
        if not follows and dangles(sentence.text):
            yield Found("dangling", sentence)
        if not follows and opens_plainly(sentence.text):
            yield Found("first word", sentence)
        if unquoted_words[sentence.document, sentence.index] < 2:
            yield Found("bare quotation", sentence)
        if without_verb(sentence.text):
            yield Found("no verb", sentence)
        if any(
            same_content(sentence.text, other.text) > SAME
            for other in extract.sentences
            if other.rank < sentence.rank
        ):
            yield Found("repeated", sentence)
        before = sentence


def opens_unclearly(source: Source, opening: ChosenSentence) -> bool:
    """Tell an opening that needs what its article says before it."""
    before = [
        sentence.text
        for sentence in source.sentences
        if sentence.document == opening.document and sentence.index < opening.index
    ]
    if dangles(opening.text):
        return True
    words = _parsed(opening.text)
    verb = next((k for k, word in enumerate(words) if word.fine in FINITE_TAGS), 0)
    nouns = [k for k in range(verb) if words[k].tag in {"NOUN", "PROPN"}]
    if not nouns or all(map(without_verb, before)):
        return False
    start = nouns[-1]
    while start and words[start - 1].tag in {"ADJ", "DET", "NOUN", "NUM", "PROPN"}:
        start -= 1
    phrase = words[start : nouns[-1] + 1]
    if start and words[start - 1].tag == "ADP":
        return False
    if any(word.tag == "PROPN" for word in phrase):
        full = re.compile(rf"[A-Z]\w+ {re.escape(phrase[0].text)}\b")
        return len(phrase) == 1 and any(map(full.search, before))
    return phrase[0].lemma == "the"


def count_openings(sets: dict[str, list[Case]]) -> None:
    """Print how many openings of summaries of news need what comes before them."""
    for name in (name for name in NEWS if name in sets):
        for part in (False, True):
            made = [summarized(case) for case in sets[name] if case.held_out == part]
            unclear = sum(opens_unclearly(source, e.sentences[0]) for source, e in made)
            share = unclear / max(len(made), 1)
            title = f"{name}, {'kept' if part else 'deciding'}"
            print(
                f"openings that are not clear: {title:30}{unclear:4} of {len(made):4} {share:.1%}"
            )


def show_openings(sets: dict[str, list[Case]], number: int, seed: int) -> None:
    """Print the openings of all clusters kept for the end and of some articles, to be read."""
    clusters = [case for name in NEWS[2:] for case in sets.get(name, ()) if case.held_out]
    articles = {
        f"{name.split()[0]} {case.id}": case
        for name in NEWS[:2]
        for case in sets.get(name, ())
        if case.held_out
    }
    drawn_ids = random.Random(seed).sample(sorted(articles), number - len(clusters))
    for case in (*clusters, *map(articles.__getitem__, drawn_ids)):
        opening = summarized(case)[1].sentences[0]
        print(f"{case.id}\t{opening.index}\t{opening.text}")


KINDS = ("dangling", "first word", "bare quotation", "no verb", "repeated")


def summarized(case: Case, rules: CandidateRules | None = None) -> tuple[Source, Extract]:
    """Summarize a case by ``auto``, whole sentences only."""
    source = case.source if rules is None else case.under(rules)
    return source, parse_summarizer("auto").summarize(source, Limit(case.words))


def all_sets() -> dict[str, list[Case]]:
    """Read all sets; articles of news one by one and in clusters."""
    sets = {name: article_cases(name, WORDS) for name in NEWS}
    sets |= {
        name: cases("several", name, words) for name, words in SEVERAL.items() if name not in sets
    }
    sets |= {name: cases("single", name, words) for name, words in SINGLE.items()}
    return {name: set_cases for name, set_cases in sets.items() if set_cases}


def counted(sets: dict[str, list[Case]], *, listed: bool) -> bool:
    """Print how many summaries have which fault, with the rules and without."""
    totals: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    _line("summaries with a fault", "rules", "number", *KINDS)
    for name, set_cases in sets.items():
        for what, rules in (("with", None), ("without", OFF)):
            counts: dict[str, Counter[str]] = defaultdict(Counter)
            for case in set_cases:
                case_faults = list(faults(*summarized(case, rules)))
                counts[_part(case)].update({"all", *(fault.kind for fault in case_faults)})
                for fault in case_faults if listed and rules is None and not case.held_out else ():
                    at = f"{fault.sentence.document} {fault.sentence.index}"
                    print(f"  {case.id} {fault.kind}: {at}: {fault.sentence.text}")
            for part, now in counts.items():
                for group in ("all sets", *(["news"] if name in NEWS else [])):
                    totals[f"{group}, {part}", what] += now
                    totals[group, what] += now
                _line(f"{name}, {part}", what, *(now[kind] for kind in ("all", *KINDS)))
    for (group, what), now in totals.items():
        _line(group, what, *(now[kind] for kind in ("all", *KINDS)))
    met = True
    for kind, most in (("dangling", MOST_DANGLING), ("bare quotation", MOST_BARE)):
        for group in ("all sets", "all sets, kept"):
            now = totals[group, "with"]
            share = now[kind] / max(now["all"], 1)
            met &= share <= most
            verdict = "passed" if share <= most else "MISSED"
            print(f"{kind}: {share:.2%} of summaries ({group}), bar {most:.0%}: {verdict}")
    return met


def _part(case: Case) -> str:
    """Return whether a case decided about rules, or was kept for the end."""
    return "kept" if case.held_out else "deciding"


def _line(name: str, rules: str, *cells: object) -> None:
    print(f"{name:30}{rules:>9}" + "".join(f"{cell!s:>16}" for cell in cells))


def rouge() -> bool:
    """Print ROUGE with and without the rules, and p of paired tests; return whether none lost."""
    print("\nROUGE recall at equal length: with the rules, without, p (paired permutation test)")
    losses: list[float] = []
    tests = 0
    kinds = {"several": SEVERAL, "single": SINGLE}
    read = {(kind, name): cases(kind, name, w) for kind in kinds for name, w in kinds[kind].items()}
    for part in ("deciding", "kept"):
        means: list[list[float]] = []
        for (_, name), all_cases in read.items():
            part_cases = [case for case in all_cases if case.held_out == (part == "kept")]
            if not part_cases:
                continue
            scores = score_cases(part_cases, {"with": _texts(None), "without": _texts(OFF)})
            line, row = f"{part:10}{name:14}{len(part_cases):>5}", []
            for measure in MEASURES[1:]:
                compared = against(scores[measure], "without")
                (mine, p), (other, _) = compared["with"], compared["without"]
                row += [mine, other]
                tests += 1
                losses += [p] if mine < other else []
                line += f"   {measure} {mine:.4f} {other:.4f} p {p:.3f}"
            means.append(row)
            print(line)
        mean = np.mean(means, axis=0)
        print(
            f"{part:10}{'mean over sets':19}"
            + "".join(
                f"   {measure} {mean[2 * k]:.4f} {mean[2 * k + 1]:.4f}        "
                for k, measure in enumerate(MEASURES[1:])
            )
        )
    # As many tests as lines and measures: one p under .05 among them is what chance gives.
    least = min(losses, default=1.0)
    corrected = min(1.0, tests * least)
    not_worse = corrected >= ALPHA
    print(
        f"less on any set: smallest p {least:.3f} of {tests} tests, {corrected:.3f} after Holm's "
        f"correction: {'passed' if not_worse else 'MISSED'}"
    )
    return not_worse


def _texts(rules: CandidateRules | None) -> Callable[[Case], tuple[str, ...]]:
    """Return what summarizes a case, cut off at its limit, as all methods are compared."""

    def summarize(case: Case) -> tuple[str, ...]:
        source = case.source if rules is None else case.under(rules)
        extract = parse_summarizer("auto").summarize(source, Limit(case.words, "truncate"))
        return tuple(sentence.text for sentence in extract.sentences)

    return summarize


#: What may be trimmed: each kind, and all but attributions, which make claims facts.
TRIMS = {kind: (kind,) for kind in TRIM_KINDS} | {"all but the last": TRIM_KINDS[:-1]}


def trimming() -> None:
    """Print ROUGE with sentences trimmed; it decided that none are by default."""
    print("\nROUGE recall with parts of sentences trimmed, p against none")
    method = parse_summarizer("auto")

    def texts(kinds: tuple[TrimKind, ...]) -> Callable[[Case], tuple[str, ...]]:
        def summarize(case: Case) -> tuple[str, ...]:
            source = trim_source(case.source, kinds)
            extract = method.summarize(source, Limit(case.words, "truncate"))
            return tuple(sentence.text for sentence in extract.sentences)

        return summarize

    systems = {"none": texts(())} | {name: texts(kinds) for name, kinds in TRIMS.items()}
    for kind, name in (("several", "ecbplus"), ("several", "scisumm"), ("single", "gum")):
        all_cases = cases(kind, name, (SEVERAL | SINGLE)[name])
        for part in (False, True):
            part_cases = [case for case in all_cases if case.held_out == part]
            scores = score_cases(part_cases, systems) if part_cases else {}
            for measure, matrix in scores.items():
                cells = (
                    f"{kind} {m:.4f} p {p:.3f}" for kind, (m, p) in against(matrix, "none").items()
                )
                print(f"{name} {'kept' if part else 'deciding'} {measure}: {', '.join(cells)}")


def show_trims(sets: dict[str, list[Case]], number: int, seed: int) -> None:
    """Print trims in articles drawn at random, to be read."""
    sampled = [case for name in NEWS[:2] for case in sets.get(name, ())]
    random.Random(seed).shuffle(sampled)
    for case in sampled:
        source = trim_source(case.source, TRIM_KINDS[:-1])
        for at, trim in source.trims.items():
            what = ", ".join(
                f"{replacement.reason} {replacement.before!r}" for replacement in trim.replacements
            )
            print(f"{case.id}-{at}: {what}\n    {source.texts[at]}")
            number -= 1
        if number <= 0:
            return


def read(sets: dict[str, list[Case]], number: int, seed: int) -> None:
    """Print summaries drawn at random, to be read."""
    sampled = [case for members in sets.values() for case in members if not case.held_out]
    for case in random.Random(seed).sample(sampled, min(number, len(sampled))):
        _, extract = summarized(case)
        print(f"## {case.id}")
        for sentence in extract.sentences:
            print(f"  {sentence.document} {sentence.index} | {sentence.text}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--list", action="store_true", help="print every fault")
    parser.add_argument("--read", type=int, default=0, help="print this many summaries instead")
    parser.add_argument("--trims", type=int, default=0, help="print this many trims instead")
    parser.add_argument("--openings", type=int, default=0, help="print this many openings instead")
    parser.add_argument("--seed", type=int, default=0, help="which summaries")
    parser.add_argument("--sets", default="", help="sets, with commas; all by default")
    arguments = parser.parse_args()
    sets = all_sets()
    if arguments.sets:
        sets = {name: sets[name] for name in arguments.sets.split(",")}
    if arguments.read:
        read(sets, arguments.read, arguments.seed)
        return 0
    if arguments.openings:
        show_openings(sets, arguments.openings, arguments.seed)
        return 0
    if arguments.trims:
        show_trims(sets, arguments.trims, arguments.seed)
        return 0
    count_openings(sets)
    met = counted(sets, listed=arguments.list)
    not_worse = rouge()
    trimming()
    return 0 if not_worse and met else 1


if __name__ == "__main__":
    sys.exit(main())
