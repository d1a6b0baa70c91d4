"""Summaries whose texts are implausible."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import combinations, pairwise
from statistics import median
from typing import TypeVar

import numpy as np

from pyramidion._types import Bools
from pyramidion.collection._collection import Collection
from pyramidion.collection.checks import thresholds as limits
from pyramidion.collection.checks.finding import Finding, Repair, Severity
from pyramidion.collection.checks.gathered import Key, TextsToCheck, one_line
from pyramidion.collection.checks.misplaced import misplaced
from pyramidion.collection.checks.traces import NATURAL, STYLES, TRACES, Trace
from pyramidion.collection.ids import grouped, natural_order
from pyramidion.text import is_stop_word
from pyramidion.text.languages import UNKNOWN, detect_language, language_name

T = TypeVar("T")

_THE_REFERENCES = "the references"

# TextsToCheck of these kinds match no topic; their cause is found already.
_INCOMPARABLE = {
    "one text for all topics", "system in another language", "references in another language",
    "missing spaces", "letters apart", "names in place of text", "summary without words",
    "nothing in place of a summary", "error in place of a summary",
    "refusal in place of a summary",
}  # fmt: skip


def text_findings(collection: Collection, *, thorough: bool = False) -> Iterator[Finding]:
    """Find systems, references and documents whose texts are implausible.

    Topics of a large collection are sampled; if `thorough`, only where texts are compared.
    """
    if collection.summaries:
        texts = TextsToCheck.of(collection)
        yield from findings_of_texts(texts if thorough else texts.sampled())


def findings_of_texts(texts: TextsToCheck) -> Iterator[Finding]:
    """Find what is implausible in texts; they are compared with each other in a sample."""
    explained_systems: set[str] = set()
    doubtful: set[Key] = set()
    for check in (_traces, _constant, _languages, _lengths, _cut, _same_ends):
        for finding in check(texts.without(doubtful)):
            # What is no summary has no plausible length or end.
            doubtful.update(finding.summaries)
            system = finding.subject.removeprefix("system ")
            system_texts = texts.systems.get(system, {})
            if finding.kind in _INCOMPARABLE and (
                len(finding.summaries) >= limits.USUAL_SHARE * len(system_texts)
            ):
                explained_systems.add(system)
                doubtful.update(system_texts)
            yield finding
    sample = texts.sampled()
    yield from _copies(sample)
    yield from _of_documents(sample)
    yield from misplaced(sample, explained_systems)


def _finding(
    kind: str,
    system: str,
    keys: Sequence[Key],
    number: int,
    message: str,
    severity: Severity,
    effect: str,
    **fields: object,
) -> Finding:
    """Make a finding about some summaries of a system, or some references."""
    is_reference = system == _THE_REFERENCES
    noun = "references" if is_reference else "summaries"
    example = f" (e.g. topic {keys[0][1]})" if keys else ""
    lead = f"{len(keys):,} of {number:,} {noun} " if keys else ""
    subject = system if is_reference else f"system {system}"
    repairs = () if is_reference or severity != "severe" else (Repair("exclude", system),)
    return Finding(
        kind, subject, f"{lead}{message}{example}", severity=severity, effect=effect,
        repairs=repairs, summaries=() if is_reference else tuple(keys), **fields,  # type: ignore[arg-type]
    )  # fmt: skip


def _groups(texts: TextsToCheck) -> Iterator[tuple[str, dict[Key, str]]]:
    """Yield the texts of each system, and the references that are not summaries."""
    for system in sorted(texts.systems, key=natural_order):
        yield system, texts.systems[system]
    only_references = {
        k: t for k, t in texts.references.items() if k not in texts.summaries and t.strip()
    }
    if only_references:
        yield _THE_REFERENCES, only_references


# One text for all topics.


def _constant(texts: TextsToCheck) -> Iterator[Finding]:
    for system, of_system in _groups(texts):
        # A topic may have several references, and the same ones for several tasks.
        topics = grouped((one_line(text), key) for key, text in of_system.items())
        number = len({key[1] for key in of_system})
        spread = {text: {k[1]: k for k in keys} for text, keys in topics.items() if len(keys) > 1}
        repeated = [keys for keys in spread.values() if len(keys) > 1]
        if not repeated or number < limits.MIN_TEXTS:
            continue
        longest = max(repeated, key=len)
        noun = "references" if system == _THE_REFERENCES else "summaries"
        if len(longest) >= max(3, limits.USUAL_SHARE * number):
            message = f"are the same text: {_quoted(of_system[next(iter(longest.values()))])}"
            effect = "a text for all topics says nothing about the system"
            yield _finding(
                "one text for all topics", system, [*longest.values()], number, message, "severe",
                effect,
            )  # fmt: skip
            continue
        repeats = [*{topic: key for keys in repeated for topic, key in keys.items()}.values()]
        if len(repeats) >= max(3, limits.UNUSUAL_SHARE * number):
            message = f"are also {noun} of other topics, word for word; were rows repeated?"
            effect = "they are judged by the wrong topic"
            yield _finding(
                "text of several topics", system, repeats, number, message, "warning", effect
            )


def _quoted(text: str, width: int = 40) -> str:
    line = one_line(text)
    return repr(line if len(line) <= width else f"{line[: width - 3]}...")


# What programs leave in texts.


def _traces(texts: TextsToCheck) -> Iterator[Finding]:
    has_references = bool(texts.references)
    groups = dict(_groups(texts))
    machines = len(groups) - (_THE_REFERENCES in groups)
    marks: dict[str, dict[str, Bools]] = {}
    reference_traces = _traces_of([*texts.references.values()]) if has_references else {}
    for system, of_system in groups.items():
        marks[system] = _traces_of([*of_system.values()])
    for system, of_system in groups.items():
        for trace in (*TRACES, *STYLES):
            hits = marks[system][trace.kind]
            number, size = int(hits.sum()), len(hits)
            if not number or not _is_odd(trace, number, size, has_references):
                continue
            other_marks = [m for name, m in marks.items() if name != system]
            if has_references and system != _THE_REFERENCES:
                other_marks = [reference_traces]
            base = (
                median([float(marks_of_other[trace.kind].mean()) for marks_of_other in other_marks])
                if other_marks
                else 0.0
            )
            is_common = trace.kind in NATURAL and (
                machines > limits.MIN_SYSTEMS or not has_references
            )
            is_only_source = system == _THE_REFERENCES or (
                not has_references and len(other_marks) < 2
            )
            if base > number / size / 4 or (trace in STYLES and (is_common or is_only_source)):
                continue
            keys = [key for key, hit in zip(of_system, hits.tolist(), strict=True) if hit]
            message = trace.message.format(trace.example(of_system[keys[0]]))
            severity = trace.severity
            if severity == "severe" and number < limits.UNUSUAL_SHARE * size:
                severity = "warning"
            yield _finding(trace.kind, system, keys, size, message, severity, trace.effect)
            if trace.kind in _INCOMPARABLE and number >= limits.USUAL_SHARE * size:
                break  # what else is odd follows from it


def _is_odd(trace: Trace, number: int, size: int, has_references: bool) -> bool:
    if trace.only_beside and not has_references:
        return size >= limits.MIN_TEXTS and number >= limits.USUAL_SHARE * size
    return number >= max(1 if trace.share == limits.ANY else 2, trace.share * size)


def _traces_of(texts: Sequence[str]) -> dict[str, Bools]:
    lowered = [text.lower() for text in texts]
    joined = "\0\n".join(texts), "\0\n".join(lowered)
    return {trace.kind: trace.find(texts, lowered, joined) for trace in (*TRACES, *STYLES)}


# Languages.


def _evenly_spaced(items: Sequence[T], number: int) -> list[T]:
    """Choose some items at equal distances."""
    number = min(number, len(items))
    return [items[index * len(items) // number] for index in range(number)]


def _language_of(texts: Sequence[str]) -> str:
    """Return the language of most of some texts."""
    sample = _evenly_spaced([text for text in texts if len(text) >= limits.MIN_CHARACTERS], 12)
    codes = Counter(detect_language([text]) for text in sample)
    return codes.most_common(1)[0][0] if codes else UNKNOWN


def _languages(texts: TextsToCheck) -> Iterator[Finding]:
    source = texts.references or texts.documents
    languages = {system: _language_of([*t.values()]) for system, t in texts.systems.items()}
    expected = _language_of([*source.values()]) if source else _most_common(languages.values())
    if expected == UNKNOWN:
        return
    comparison = (
        "the references" if texts.references else "the documents" if source else "the others"
    )
    other_systems = [name for name, code in languages.items() if code not in (expected, UNKNOWN)]
    effect = "words of two languages hardly match"
    if len(other_systems) == len(languages) > 1 and len({*languages.values()}) == 1:
        code = languages[other_systems[0]]
        message = f"they are in {language_name(expected)}, all summaries in {language_name(code)}"
        kind, subject = "references in another language", comparison
        yield Finding(kind, subject, message, severity="severe", effect=effect)
        return
    for system in sorted(texts.systems, key=natural_order):
        of_system = {
            k: t for k, t in texts.systems[system].items() if len(t) >= limits.MIN_CHARACTERS
        }
        codes = {key: detect_language([of_system[key]]) for key in _evenly_spaced([*of_system], 24)}
        keys = [key for key, code in codes.items() if code not in (expected, UNKNOWN)]
        if keys and len(keys) >= max(2, limits.UNUSUAL_SHARE * len(codes)):
            code = _most_common(codes[key] for key in keys)
            message = f"are in {language_name(code)}, {comparison} in {language_name(expected)}"
            if len(codes) < len(texts.systems[system]):
                message += f" (of {len(codes)} that were looked at)"
            is_most = len(keys) >= limits.USUAL_SHARE * len(codes)
            finding = _finding(
                "system in another language", system, keys, len(codes), message,
                "severe" if is_most else "warning", effect,
            )  # fmt: skip
            summaries = tuple(texts.systems[system]) if is_most else finding.summaries
            yield replace(finding, summaries=summaries)


def _most_common(values: Iterable[str]) -> str:
    counts = Counter(values)
    return counts.most_common(1)[0][0] if counts else UNKNOWN


# Lengths.


def _words(texts: Iterable[str]) -> list[int]:
    return [text.count(" ") + text.count("\n") + 1 for text in texts]


def _lengths(texts: TextsToCheck) -> Iterator[Finding]:
    for task in sorted({key[0] for key in texts.summaries}):
        written = grouped(
            (k[2], len(t.split())) for k, t in texts.summaries.items() if k[0] == task and t.strip()
        )  # Empty ones are reported as such.
        medians = {system: float(median(sizes)) for system, sizes in written.items()}
        references = [t for k, t in texts.references.items() if k[0] == task and t.strip()]
        target = float(median(_words(references))) if references else None
        for system in sorted(medians, key=natural_order):
            other_lengths = [size for name, size in medians.items() if name != system]
            is_enough = len(written[system]) >= limits.MIN_TEXTS and (
                target is not None or len(other_lengths) > 1
            )
            sizes = [
                size
                for size in (target, median(other_lengths) if other_lengths else None)
                if size is not None
            ]
            if not is_enough or not (message := _length_question(medians[system], sizes)):
                continue
            other = f"the references {target:g}" if target is not None else f"others {sizes[0]:g}"
            yield Finding(
                "texts of another length", f"system {system}",
                f"its summaries have {medians[system]:g} words, {other}: {message}",
                effect="recall and precision depend on the length",
                summaries=tuple(k for k in texts.summaries if k[0] == task and k[2] == system),
                bars=tuple(medians.items()), bars_title="median number of words",
            )  # fmt: skip


def _length_question(size: float, sizes: Sequence[float]) -> str:
    """Ask why a length is far from all others; empty if it is not."""
    if size >= limits.MUCH_LONGER * max(sizes) and size > limits.LONG_TEXT:
        return "do they contain the prompt or the document?"
    is_short = size <= limits.MUCH_SHORTER * min(sizes)
    return "was only a part of them read?" if is_short else ""


_ENDS = frozenset(".!?…。！？؟।\"'”’)]}*|>:;")


def _is_cut(text: str) -> bool:
    return text.rstrip()[-1:] not in _ENDS


def _cut(texts: TextsToCheck) -> Iterator[Finding]:
    """Find summaries that end in mid-sentence, many of them at the same length."""
    systems = texts.systems
    shares = {name: float(np.mean([*map(_is_cut, t.values())])) for name, t in systems.items()}
    base = texts.references.values()
    target = median(_words(base or texts.summaries.values())) if texts.summaries else 0
    for system in sorted(systems, key=natural_order):
        of_system = systems[system]
        number = len(of_system)
        other_shares = [share for name, share in shares.items() if name != system]
        expected = (
            float(np.mean([*map(_is_cut, base)]))
            if base
            else median(other_shares)
            if other_shares
            else 1.0
        )
        if number < limits.MIN_TEXTS or expected > limits.ENDING:
            continue
        keys = [key for key, text in of_system.items() if _is_cut(text)]
        if len(keys) < max(3, (limits.UNUSUAL_SHARE + expected) * number):
            continue
        cut = [of_system[key] for key in keys]
        word_limits = {texts.word_limits.get(key[0]) for key in keys}
        for unit, size in (("characters", len), ("words", lambda text: len(text.split()))):
            sizes = [size(text) for text in cut]
            longest = max(sizes)
            n_longest = sum(number >= longest - (unit == "characters") for number in sizes)
            if n_longest >= max(3, limits.PILED * len(sizes)):
                message = f"end in mid-sentence, {n_longest:,} of them after {longest:,} {unit}; "
                message += "were they cut?"
                break
        else:
            n_inside = sum(any(mark in text for mark in ".!?。") for text in cut)
            open_ends = sum(is_stop_word(text.split()[-1].lower()) for text in cut)
            mark = _cut_mark([*of_system.values()], [*base], target)
            # Extracts may lack final marks, but hardly end with an article or a preposition.
            is_open = open_ends >= limits.OPEN * len(cut)
            is_cut = is_open or n_inside >= limits.USUAL_SHARE * len(cut)
            threshold = (
                limits.USUAL_SHARE if is_open else limits.STYLE - limits.UNUSUAL_SHARE
            ) + expected
            ends = Counter(_phrase(text.split()[-limits.SAME_WORDS :]) for text in cut)
            if ends.most_common(1)[0][1] >= limits.STYLE * len(cut):
                continue  # a footer
            if not mark and (len(keys) < threshold * number or not is_cut):
                continue
            reason = f"at the first {mark!r}" if mark else "after some tokens"
            message, longest, unit = f"end in mid-sentence; were they cut {reason}?", 0, ""
        if unit == "words" and longest in word_limits:
            continue  # as the task demands
        severity: Severity = "severe" if len(keys) >= limits.USUAL_SHARE * number else "warning"
        if unit == "words" and longest >= target:
            severity = "note"  # there is enough for a summary
        effect = "recall suffers from what was cut off"
        yield _finding("truncated texts", system, keys, number, message, severity, effect)


def _cut_mark(texts: Sequence[str], other_texts: Sequence[str], target: float) -> str:
    """Return a mark inside sentences that short texts never have, although it is frequent."""
    words = _words(texts)
    if not other_texts or median(words) > limits.MAJORITY * target:
        return ""
    share = sum(words) / sum(_words(other_texts))
    for mark in (",", ";", ":", '"', "'", "-", "("):
        is_frequent = sum(text.count(mark) for text in other_texts) * share >= limits.MISSED_MARKS
        if is_frequent and not any(mark in text for text in texts):
            return mark
    return ""


def _same_ends(texts: TextsToCheck) -> Iterator[Finding]:
    """Find systems whose summaries all begin or end with the same words."""
    size = limits.SAME_WORDS
    for system, of_system in sorted(texts.systems.items(), key=lambda item: natural_order(item[0])):
        if len(of_system) < limits.MIN_TEXTS:
            continue
        words = {key: text.split() for key, text in of_system.items()}
        words = {key: parts for key, parts in words.items() if len(parts) > 2 * size}
        for verb, part in (("begin", slice(0, size)), ("end", slice(-size, None))):
            ends = grouped((_phrase(parts[part]), key) for key, parts in words.items())
            if not ends:
                continue
            phrase, keys = max(ends.items(), key=lambda item: len(item[1]))
            if len(keys) >= max(limits.MIN_TEXTS, limits.STYLE * len(of_system)):
                if len({one_line(of_system[key]) for key in keys}) < limits.USUAL_SHARE * len(keys):
                    continue  # one text for all topics
                other_texts = [t for k, t in (*texts.references.items(), *texts.summaries.items())
                        if k[2] != system]  # fmt: skip
                if sum(
                    _phrase(t.split()[part]) == phrase for t in other_texts
                ) > limits.UNUSUAL_SHARE * len(other_texts):
                    continue  # as others do
                shown = _quoted(phrase, 60)
                message = f"{verb} with the same words, {shown}: is it a prompt or a footer?"
                effect = "metrics count it as words of the summary"
                kind = f"same {verb}ning" if verb == "begin" else "same ending"
                yield _finding(kind, system, keys, len(of_system), message, "warning", effect)


def _phrase(words: Sequence[str]) -> str:
    return " ".join(words).strip(".,;:!?")


# Copies.


def _copies(texts: TextsToCheck) -> Iterator[Finding]:
    yield from _equal_systems(texts)
    yield from _copied_references(texts)


def _equal_systems(texts: TextsToCheck) -> Iterator[Finding]:
    """Find pairs of systems with the same, or nearly the same, summaries, or one in the other."""
    folded = {
        name: {key[:2]: one_line(text).casefold() for key, text in of_system.items()}
        for name, of_system in texts.systems.items()
    }
    names = sorted(folded, key=natural_order)
    pairs = len(names) * (len(names) - 1) // 2
    limit = max(limits.MIN_TEXTS, limits.COMPARED // max(pairs, 1))
    sets: dict[tuple[str, tuple[str, str]], frozenset[str]] = {}

    def words(name: str, topic: tuple[str, str]) -> frozenset[str]:
        if (name, topic) not in sets:
            sets[name, topic] = frozenset(folded[name][topic].split())
        return sets[name, topic]

    for a, b in combinations(names, 2):
        shared = [topic for topic in folded[a] if topic in folded[b]]
        if len(shared) < limits.MIN_TOPICS_TO_COMPARE:
            continue
        equal_topics = [topic for topic in shared if folded[a][topic] == folded[b][topic]]
        keys = tuple((*topic, name) for topic in equal_topics for name in (a, b))
        subject = f"systems {a} and {b}"
        same_on = f"the same summaries on {len(equal_topics)} of {len(shared)} topics"
        if len(equal_topics) >= max(
            limits.MIN_TOPICS_TO_COMPARE, limits.NEARLY_ALL_SHARE * len(shared)
        ):
            message = f"{same_on}; is it one system?"
            yield Finding(
                "identical systems", subject, message, summaries=keys,
                effect="one system counts twice", repairs=(Repair("exclude", b),),
            )  # fmt: skip
            continue
        if len(equal_topics) >= max(limits.MIN_TEXTS, limits.USUAL_SHARE * len(shared)):
            yield Finding(
                "partly identical systems", subject, f"{same_on}; was a part copied?",
                summaries=keys, effect="their difference is too small",
            )  # fmt: skip
            continue
        step = max(1, len(shared) // limit)
        sampled = shared[::step]
        n_near = sum(
            _overlap(words(a, topic), words(b, topic)) >= limits.NEAR_COPY for topic in sampled
        )
        if n_near >= max(limits.MIN_TOPICS_TO_COMPARE, limits.NEARLY_ALL_SHARE * len(sampled)):
            message = f"nearly the same summaries on {n_near} of {len(sampled)} topics that were "
            message += "compared; is one a copy of the other?"
            effect = "one system counts twice"
            yield Finding("nearly identical systems", subject, message, effect=effect)
            continue
        for inner, outer in ((a, b), (b, a)):
            contained = [t for t in sampled if _contains(folded[outer][t], folded[inner][t])]
            if len(contained) >= max(limits.MIN_TEXTS, limits.NEARLY_ALL_SHARE * len(sampled)):
                message = (
                    f"its summaries contain those of {inner} on {len(contained)} of {len(sampled)} "
                )
                message += "topics that were compared; were outputs joined?"
                keys = tuple((*topic, outer) for topic in contained)
                yield Finding(
                    "system that contains another", f"system {outer}", message, severity="note",
                    effect="its recall is at least that of the other", summaries=keys,
                )  # fmt: skip


def _overlap(a: frozenset[str], b: frozenset[str]) -> float:
    return len(a & b) / max(1, len(a | b))


def _contains(outer: str, inner: str) -> bool:
    return (
        len(inner) >= limits.MIN_CHARACTERS // 2
        and len(outer) > 1.2 * len(inner)
        and inner in outer
    )


def _copied_references(texts: TextsToCheck) -> Iterator[Finding]:
    references = {
        topic: [(key, one_line(text)) for key, text in written if text.strip()]
        for topic, written in texts.by_topic.items()
    }
    for system in sorted(texts.systems, key=natural_order):
        equal: list[Key] = []
        near_copies: list[Key] = []
        contained: list[Key] = []
        number = len(texts.systems[system])
        for key, text in texts.systems[system].items():
            line = one_line(text)
            written = [r for other, r in references.get(key[:2], ()) if other != key]
            if line in written:
                equal.append(key)
                continue
            line, written = line.casefold(), [reference.casefold() for reference in written]
            if any(_contains(line, reference) for reference in written):
                contained.append(key)
            elif len(line) >= limits.MIN_CHARACTERS and any(_is_near(line, r) for r in written):
                near_copies.append(key)
        if finding := equal_to_references(system, equal, number):
            yield finding
        elif len(equal) + len(near_copies) >= max(limits.MIN_TEXTS, limits.STYLE * number):
            yield _finding(
                "system like a reference", system, near_copies or equal, number,
                "are nearly a reference; are these references, not outputs?", "severe",
                "it scores as well as the references",
            )  # fmt: skip
        elif len(contained) >= max(limits.MIN_TOPICS_TO_COMPARE, limits.UNUSUAL_SHARE * number):
            yield _finding(
                "reference in the summary", system, contained, number,
                "contain their reference; does the output include the target?", "severe",
                "recall is perfect",
            )  # fmt: skip
        elif len(equal) >= max(limits.MIN_TEXTS, limits.UNUSUAL_SHARE * number):
            yield _finding(
                "references among the summaries", system, equal, number,
                "are their reference, word for word", "warning", "they score as well as references",
            )  # fmt: skip


def _is_near(line: str, reference: str) -> bool:
    if not 0.8 < len(line) / max(1, len(reference)) < 1.25:
        return False
    return _overlap(frozenset(line.split()), frozenset(reference.split())) >= limits.NEAR_COPY


def equal_to_references(system: str, keys: Sequence[Key] | int, topics: int) -> Finding | None:
    """Describe a system whose summaries are references on nearly every topic."""
    number = keys if isinstance(keys, int) else len(keys)
    if number < max(limits.MIN_TOPICS_TO_COMPARE, limits.NEARLY_ALL_SHARE * topics):
        return None
    message = f"its summaries are references on {number} of {topics} topics"
    return Finding(
        "system equal to a reference", f"system {system}", message,
        effect="it scores as well as the references", repairs=(Repair("exclude", system),),
        summaries=() if isinstance(keys, int) else tuple(keys),
    )  # fmt: skip


# Documents.


def _of_documents(texts: TextsToCheck) -> Iterator[Finding]:
    yield from _documents_as_references(texts)
    documents = {topic: text for topic, text in texts.documents.items() if text.strip()}
    names = {topic for _, topic in documents}
    if len(names) < limits.MIN_TEXTS:
        return
    written = [*texts.references.values(), *texts.summaries.values()]
    size, summary_size = (
        median(_words(documents.values())),
        median(_words(written)) if written else 0,
    )
    if size < summary_size:
        message = f"they have {size:g} words, the summaries {summary_size:g}; are they references?"
        effect = "metrics that read documents are wrong"
        yield Finding("documents shorter than summaries", "the documents", message, effect=effect)
    for system, of_system in texts.systems.items():
        keys = [
            key for key, text in of_system.items()
            if key[:2] in documents and _contains_document(text, documents[key[:2]])
        ]  # fmt: skip
        if len(keys) >= max(limits.MIN_TOPICS_TO_COMPARE, limits.UNUSUAL_SHARE * len(of_system)):
            yield _finding(
                "document in the summary", system, keys, len(of_system),
                "contain their document; keep the output only", "severe", "recall is too high",
            )  # fmt: skip
    # Several tasks may read the same documents.
    copies = grouped({(one_line(text), topic) for (_, topic), text in documents.items()})
    text, topics = max(copies.items(), key=lambda item: len(item[1]))
    if len(topics) >= max(limits.MIN_TEXTS, limits.USUAL_SHARE * len(names)):
        message = f"{len(topics)} of {len(names)} topics have the same ones: {_quoted(text)}"
        effect = "metrics that read documents are wrong"
        kind = "one document for all topics"
        yield Finding(kind, "the documents", message, severity="severe", effect=effect)


def _contains_document(text: str, document: str) -> bool:
    if len(text) < limits.USUAL_SHARE * len(document) or len(document.split()) < limits.LONG_TEXT:
        return False
    pairs = {*pairwise(document.casefold().split())}
    return len(pairs & {*pairwise(text.casefold().split())}) >= limits.STYLE * len(pairs)


def _documents_as_references(texts: TextsToCheck) -> Iterator[Finding]:
    topics = [topic for topic in texts.by_topic if any(t.strip() for _, t in texts.by_topic[topic])]
    if len(topics) < limits.MIN_TOPICS_TO_COMPARE:
        return
    effect = "metrics compare with the input, not with a summary"
    equal = [
        topic for topic in topics if topic in texts.documents
        and any(_is_same(texts.documents[topic], text) for _, text in texts.by_topic[topic])
    ]  # fmt: skip
    if len(equal) >= max(limits.MIN_TOPICS_TO_COMPARE, limits.USUAL_SHARE * len(topics)):
        message = f"{len(equal)} of {len(topics)} topics have their document as a reference; "
        message += "which of them is it?"
        kind = "documents equal to references"
        yield Finding(kind, _THE_REFERENCES, message, severity="severe", effect=effect)
        return
    without_references = [key for key in texts.summaries if key not in texts.references]
    sizes = _words(texts.references.values())
    shorter = _words(texts.summaries[key] for key in without_references)
    if not shorter or median(sizes) < max(limits.DOCUMENT_RATIO * median(shorter), limits.DOCUMENT):
        return
    contained = [key for key in without_references if _is_inside(texts, key)]
    are_inside = len(contained) >= limits.USUAL_SHARE * len(without_references)
    suffix = ", most words of which are in them" if are_inside else ""
    message = f"they have {median(sizes):g} words, the summaries {median(shorter):g}{suffix}; "
    message += "are these the documents?"
    severity: Severity = "severe" if are_inside else "warning"
    kind = "documents as references"
    yield Finding(kind, _THE_REFERENCES, message, severity=severity, effect=effect)


def _is_same(document: str, reference: str) -> bool:
    if not 0.8 < len(document) / max(1, len(reference)) < 1.25:
        return False
    return _overlap(frozenset(document.split()), frozenset(reference.split())) >= limits.NEAR_COPY


def _is_inside(texts: TextsToCheck, key: Key) -> bool:
    words = {*texts.summaries[key].casefold().split()}
    reference_words = {
        w for _, text in texts.by_topic.get(key[:2], ()) for w in text.casefold().split()
    }
    return len(words & reference_words) >= limits.INSIDE * len(words)
