"""Summaries whose texts are implausible."""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from itertools import combinations, pairwise
from statistics import median
from typing import Any

from pyramidion._types import Bools
from pyramidion.checks import _thresholds as limits
from pyramidion.checks._gathered import Key, TextsToCheck, Topic, evenly_spaced, one_line
from pyramidion.checks._kinds import new_finding
from pyramidion.checks._misplaced import misplaced
from pyramidion.checks._traces import NATURAL, STYLES, TRACES, Trace
from pyramidion.collection import Collection
from pyramidion.collection.findings import Finding, Repair, Severity
from pyramidion.collection.ids import grouped, natural_order
from pyramidion.text import is_stop_word
from pyramidion.text.languages import UNKNOWN, detect_language, language_name

_THE_REFERENCES = "the references"

# Texts with these findings match no topic anyway, so they are not compared any further.
_INCOMPARABLE_KINDS = {
    "one text for all topics", "system in another language", "references in another language",
    "missing spaces", "letters apart", "numbers in place of text", "names in place of text",
    "summary without words", "nothing in place of a summary", "error in place of a summary",
    "refusal in place of a summary",
}  # fmt: skip


def text_findings(collection: Collection, *, thorough: bool = False) -> Iterator[Finding]:
    """Find systems, references and documents whose texts are implausible.

    Topics of a large collection are sampled; if `thorough`, only where texts are compared.
    """
    if collection.summaries:
        texts = TextsToCheck.of(collection)
        yield from findings_of_texts(texts if thorough else texts.sample())


def findings_of_texts(texts: TextsToCheck) -> Iterator[Finding]:
    """Find what is implausible in texts; they are compared with each other in a sample."""
    explained_systems: set[str] = set()
    odd_keys: set[Key] = set()
    for check in (
        _trace_findings, _repeated_texts, _language_findings, _word_order, _length_findings,
        _cut_summaries, _same_ends, _words_missing, _numbered_texts,
    ):  # fmt: skip
        for finding in check(texts.without(odd_keys)):
            # A text that is not a summary has no plausible length or ending.
            odd_keys.update(finding.summaries)
            system = finding.subject.removeprefix("system ")
            every = texts.systems.get(system, {})
            if finding.kind in _INCOMPARABLE_KINDS and (
                len(finding.summaries) >= limits.USUAL_SHARE * len(every)
            ):
                explained_systems.add(system)
                odd_keys.update(every)
            yield finding
    sample = texts.sample()
    yield from _reference_texts(texts)
    yield from () if _are_short(texts) else _copy_findings(sample)
    yield from _document_findings(sample)
    yield from () if _are_short(texts) else misplaced(sample, explained_systems)


def _are_short(texts: TextsToCheck) -> bool:
    """Return whether texts are answers of a few words, of which many are equal."""
    usual_texts = evenly_spaced(
        [*(texts.references or texts.summaries).values()], limits.SAMPLE_SIZE
    )
    return bool(usual_texts) and median(_word_counts(usual_texts)) <= limits.MAX_ANSWER


def _finding_of_texts(
    kind: str, system: str, keys: Sequence[Key], number: int, message: str, **more: Any
) -> Finding:
    """Make a finding about some summaries of a system, or some references."""
    is_reference = system == _THE_REFERENCES
    noun = "references" if is_reference else "summaries"
    text = f"{len(keys):,} of {number:,} {noun} {message} (e.g. topic {keys[0][1]})"
    subject = system if is_reference else f"system {system}"
    summaries = () if is_reference else tuple(keys)
    finding = new_finding(kind, subject, text, system, summaries=summaries, **more)
    if is_reference or finding.severity != "severe":
        return replace(finding, repairs=())
    return replace(finding, repairs=(Repair("exclude", system),))


def _text_groups(texts: TextsToCheck) -> Iterator[tuple[str, dict[Key, str]]]:
    """Yield the texts of each system, and the references that are not summaries."""
    for system in sorted(texts.systems, key=natural_order):
        yield system, texts.systems[system]
    reference_texts = {
        k: t for k, t in texts.references.items() if k not in texts.summaries and t.strip()
    }
    if reference_texts:
        yield _THE_REFERENCES, reference_texts


# One text for all topics.


def _repeated_texts(texts: TextsToCheck) -> Iterator[Finding]:
    for system, system_texts in _text_groups(texts):
        # A topic may have several references, and the same ones for several tasks.
        beginnings = grouped(
            (tuple(text.split(None, 4)[:4]), key) for key, text in system_texts.items()
        )
        similar = (key for keys in beginnings.values() if len(keys) > 1 for key in keys)
        topics = grouped((one_line(system_texts[key]), key) for key in similar)
        n_topics = len({key[1] for key in system_texts})
        keys_by_text = {
            text: {k[1]: k for k in keys} for text, keys in topics.items() if len(keys) > 1
        }
        repeated_groups = [keys for keys in keys_by_text.values() if len(keys) > 1]
        if not repeated_groups or n_topics < limits.MIN_TEXTS:
            continue
        most_repeated = max(repeated_groups, key=len)
        noun = "references" if system == _THE_REFERENCES else "summaries"
        if len(most_repeated) >= max(3, limits.USUAL_SHARE * n_topics):
            message = (
                f"are the same text: {_quote(system_texts[next(iter(most_repeated.values()))])}"
            )
            yield _finding_of_texts(
                "one text for all topics", system, [*most_repeated.values()], n_topics, message
            )
            continue
        repeated_keys = [
            *{topic: key for keys in repeated_groups for topic, key in keys.items()}.values()
        ]
        if _are_short(texts):
            continue
        is_long = all(len(system_texts[key]) >= limits.MIN_CHARACTERS for key in repeated_keys)
        max_few = (
            2 if is_long and system == _THE_REFERENCES else max(3, limits.UNUSUAL_SHARE * n_topics)
        )
        if len(repeated_keys) >= max_few:
            message = f"are also {noun} of other topics, word for word; were rows repeated?"
            yield _finding_of_texts(
                "text of several topics", system, repeated_keys, n_topics, message
            )


def _quote(text: str, max_length: int = 40) -> str:
    line = one_line(text)
    return repr(line if len(line) <= max_length else f"{line[: max_length - 3]}...")


# What programs leave in texts.


def _trace_findings(texts: TextsToCheck) -> Iterator[Finding]:
    has_references = bool(texts.references)
    groups = dict(_text_groups(texts))
    n_machines = len(groups) - (_THE_REFERENCES in groups)
    marks: dict[str, dict[str, Bools]] = {}
    for system, system_texts in groups.items():
        marks[system] = _find_traces([*system_texts.values()])
    reference_marks = marks.get(_THE_REFERENCES, {})
    if has_references and len(groups.get(_THE_REFERENCES, ())) < len(texts.references):
        reference_marks = _find_traces([*texts.references.values()])
    for system, system_texts in groups.items():
        for trace in (*TRACES, *STYLES):
            hits = marks[system][trace.kind]
            n_hits, n_texts = int(hits.sum()), len(hits)
            if not n_hits or not _is_odd(trace, n_hits, n_texts, has_references):
                continue
            other_marks = [
                marks_of_system for name, marks_of_system in marks.items() if name != system
            ]
            if has_references and system != _THE_REFERENCES:
                other_marks = [reference_marks]
            usual_share = (
                median(
                    [float(marks_of_system[trace.kind].mean()) for marks_of_system in other_marks]
                )
                if other_marks
                else 0.0
            )
            has_many = trace.kind in NATURAL and (
                n_machines > limits.MIN_SYSTEMS or not has_references
            )
            has_no_others = system == _THE_REFERENCES or (
                not has_references and len(other_marks) < 2
            )
            if usual_share > n_hits / n_texts / 4 or (
                trace in STYLES and (has_many or has_no_others)
            ):
                continue
            keys = [key for key, hit in zip(system_texts, hits.tolist(), strict=True) if hit]
            message = trace.message.format(trace.example(system_texts[keys[0]]))
            severity = trace.severity
            if severity == "severe" and n_hits < limits.UNUSUAL_SHARE * n_texts:
                severity = "warning"
            effect = trace.effect
            yield _finding_of_texts(
                trace.kind, system, keys, n_texts, message, severity=severity, effect=effect
            )
            if trace.kind in _INCOMPARABLE_KINDS and n_hits >= limits.USUAL_SHARE * n_texts:
                break  # other oddities follow from it


def _is_odd(trace: Trace, number: int, size: int, has_references: bool) -> bool:
    if trace.only_beside and not has_references:
        return size >= limits.MIN_TEXTS and number >= limits.USUAL_SHARE * size
    return number >= max(1 if trace.share == limits.ANY_SHARE else 2, trace.share * size)


def _find_traces(texts: Sequence[str]) -> dict[str, Bools]:
    lowercase_texts = [text.lower() for text in texts]
    # Joined by spaces, since other separators are traces themselves.
    joined_texts = " ".join(texts), " ".join(lowercase_texts)
    return {
        trace.kind: trace.find(texts, lowercase_texts, joined_texts) for trace in (*TRACES, *STYLES)
    }


# Languages.


def _language_of(texts: Iterable[str], language: Callable[[str], str]) -> str:
    """Return the language that most of the texts are in."""
    sample = evenly_spaced([text for text in texts if len(text) >= limits.MIN_CHARACTERS], 12)
    return _most_common(map(language, sample))


def _language_findings(texts: TextsToCheck) -> Iterator[Finding]:
    source = texts.references or texts.documents
    language = cache(lambda text: detect_language([text]))
    language_of = {
        name: _language_of(texts_of_system.values(), language)
        for name, texts_of_system in texts.systems.items()
    }
    usual_language = (
        _language_of(source.values(), language) if source else _most_common(language_of.values())
    )
    if usual_language == UNKNOWN:
        return
    comparison_name = (
        "the references" if texts.references else "the documents" if source else "the others"
    )
    odd_systems = [
        name for name, code in language_of.items() if code not in (usual_language, UNKNOWN)
    ]
    if len(odd_systems) == len(language_of) > 1 and len({*language_of.values()}) == 1:
        code = language_of[odd_systems[0]]
        message = (
            f"they are in {language_name(usual_language)}, but all summaries are in "
            f"{language_name(code)}"
        )
        yield new_finding("references in another language", comparison_name, message)
        return
    for system in sorted(texts.systems, key=natural_order):
        system_texts = {
            k: texts_of_system
            for k, texts_of_system in texts.systems[system].items()
            if len(texts_of_system) >= limits.MIN_CHARACTERS
        }
        codes = {key: language(system_texts[key]) for key in evenly_spaced([*system_texts], 24)}
        keys = [key for key, code in codes.items() if code not in (usual_language, UNKNOWN)]
        if keys and len(keys) >= max(2, limits.UNUSUAL_SHARE * len(codes)):
            code = _most_common(codes[key] for key in keys)
            message = (
                f"are in {language_name(code)}, {comparison_name} in "
                f"{language_name(usual_language)}"
            )
            if len(codes) < len(texts.systems[system]):
                message += f" (of {len(codes)} that were checked)"
            is_usual = len(keys) >= limits.USUAL_SHARE * len(codes)
            kind, severity = "system in another language", "severe" if is_usual else "warning"
            finding = _finding_of_texts(kind, system, keys, len(codes), message, severity=severity)
            every = tuple(texts.systems[system]) if is_usual else finding.summaries
            yield replace(finding, summaries=every)


def _most_common(values: Iterable[str]) -> str:
    counts = Counter(values)
    return counts.most_common(1)[0][0] if counts else UNKNOWN


# Lengths.


def _word_counts(texts: Iterable[str]) -> list[int]:
    return [text.count(" ") + text.count("\n") + 1 for text in texts]


def _length_findings(texts: TextsToCheck) -> Iterator[Finding]:
    for task in sorted({key[0] for key in texts.summaries}):
        texts_by_system = grouped(
            (k[2], t) for k, t in texts.summaries.items() if k[0] == task and t.strip()
        )  # Empty ones are reported as such.
        usual_sizes = {
            system: float(
                median(
                    len(t.split()) for t in evenly_spaced(system_texts, limits.FIRST_SAMPLE_SIZE)
                )
            )
            for system, system_texts in texts_by_system.items()
        }
        references = [t for k, t in texts.references.items() if k[0] == task and t.strip()]
        target = float(median(_word_counts(references))) if references else None
        usual_size = median(usual_sizes.values()) if usual_sizes else 0
        if target and len(references) >= limits.MIN_TEXTS and (
            target <= limits.MAX_LENGTH_RATIO * usual_size
        ):  # fmt: skip
            message = f"they have {target:g} words, the summaries {usual_size:g}; are these "
            message += "titles, or answers to questions?"
            yield new_finding("references of another length", _THE_REFERENCES, message)
        for system in sorted(usual_sizes, key=natural_order):
            other_sizes = [size for name, size in usual_sizes.items() if name != system]
            has_enough = len(texts_by_system[system]) >= limits.MIN_TEXTS and (
                target is not None or len(other_sizes) > 1
            )
            sizes = [
                size
                for size in (target, median(other_sizes) if other_sizes else None)
                if size is not None
            ]
            if not has_enough or not (message := _length_question(usual_sizes[system], sizes)):
                continue
            other = f"the references {target:g}" if target is not None else f"others {sizes[0]:g}"
            message = f"its summaries have {usual_sizes[system]:g} words, {other}: {message}"
            yield new_finding(
                "texts of another length", f"system {system}", message,
                summaries=tuple(k for k in texts.summaries if k[0] == task and k[2] == system),
                bars=tuple(usual_sizes.items()), bars_title="median number of words",
            )  # fmt: skip


def _length_question(size: float, sizes: Sequence[float]) -> str:
    """Ask why a length is far from all others; empty if it is not."""
    if size >= limits.MIN_LENGTH_RATIO * max(sizes) and size > limits.MIN_LONG_TEXT:
        return "do they contain the prompt or the document?"
    is_short = size <= limits.MAX_LENGTH_RATIO * min(sizes)
    return "was only a part of them read?" if is_short else ""


_NUMBER_BEFORE = re.compile(r"\s*[\[(]?(\d{1,6})(?:[\])]?[).:\]-]+\s|\t)\s*\S")
_WORD_PATTERN = re.compile(r"\w+")
_END_MARKS = frozenset(".!?…。！？؟।\"'”’)]}*|>:;")


def _is_cut(text: str) -> bool:
    return text.rstrip()[-1:] not in _END_MARKS


def _cut_summaries(texts: TextsToCheck) -> Iterator[Finding]:
    """Find summaries that end in mid-sentence, many of them at the same length."""
    systems = texts.systems
    shares = {name: sum(map(_is_cut, t.values())) / len(t) for name, t in systems.items()}
    reference_texts = texts.references.values()
    reference_share, lengths = (
        sum(map(_is_cut, reference_texts)) / (len(reference_texts) or 1),
        Counter(map(len, reference_texts)),
    )
    usual_words = (
        median(_word_counts(reference_texts or texts.summaries.values())) if texts.summaries else 0
    )
    for system in sorted(systems, key=natural_order):
        system_texts = systems[system]
        n_texts = len(system_texts)
        other_shares = [share for name, share in shares.items() if name != system]
        usual_share = reference_share if reference_texts else median(other_shares or [1.0])
        if equally_long := _texts_of_same_length(system_texts, lengths):
            problem = f"have {len(system_texts[equally_long[0]]):,} characters; were they cut?"
            yield _finding_of_texts("truncated texts", system, equally_long, n_texts, problem)
            continue
        if n_texts < limits.MIN_TEXTS or usual_share > limits.ENDING:
            continue
        keys = [key for key, text in system_texts.items() if _is_cut(text)]
        if len(keys) < max(3, (limits.UNUSUAL_SHARE + usual_share) * n_texts):
            continue
        cut_texts = [system_texts[key] for key in keys]
        word_limits = {texts.word_limits.get(key[0]) for key in keys}
        for unit, size in (("characters", len), ("words", lambda text: len(text.split()))):
            sizes = [size(text) for text in cut_texts]
            largest_size = max(sizes)
            n_at_limit = sum(n_texts >= largest_size - (unit == "characters") for n_texts in sizes)
            if n_at_limit >= max(3, limits.MIN_PILED_SHARE * len(sizes)):
                problem = (
                    f"end in mid-sentence, {n_at_limit:,} of them after {largest_size:,} {unit}; "
                    "were they cut?"
                )
                break
        else:
            n_inside = sum(any(mark in text for mark in ".!?。") for text in cut_texts)
            open_ends = sum(is_stop_word(text.split()[-1].lower()) for text in cut_texts)
            mark = _cut_mark([*system_texts.values()], [*reference_texts], usual_words)
            # Extracts may lack final marks, but hardly end with an article or a preposition.
            is_open = open_ends >= limits.OPEN * len(cut_texts)
            is_cut = is_open or n_inside >= limits.USUAL_SHARE * len(cut_texts)
            min_share = (
                limits.USUAL_SHARE if is_open else limits.STYLE_SHARE - limits.UNUSUAL_SHARE
            ) + usual_share
            end_counts = Counter(_phrase(text.split()[-limits.SAME_WORDS :]) for text in cut_texts)
            if end_counts.most_common(1)[0][1] >= limits.STYLE_SHARE * len(cut_texts):
                continue  # a footer
            if not mark and (len(keys) < min_share * n_texts or not is_cut):
                continue
            manner = f"at the first {mark!r}" if mark else "after some tokens"
            problem, largest_size, unit = f"end in mid-sentence; were they cut {manner}?", 0, ""
        if unit == "words" and largest_size in word_limits:
            continue  # as the task demands
        usual_severity: Severity = (
            "severe" if len(keys) >= limits.USUAL_SHARE * n_texts else "warning"
        )
        # There is enough for a summary.
        severity: Severity = (
            "note" if unit == "words" and largest_size >= usual_words else usual_severity
        )
        yield _finding_of_texts(
            "truncated texts", system, keys, n_texts, problem, severity=severity
        )


def _texts_of_same_length(texts: Mapping[Key, str], lengths: Counter[int]) -> list[Key]:
    """Return texts that have a number of characters in common, as those of `lengths` do not."""
    length, number = Counter(map(len, texts.values())).most_common(1)[0]
    are_few = number < max(limits.MIN_TEXTS, limits.USUAL_SHARE * len(texts))
    are_few |= length <= limits.MIN_CHARACTERS
    if are_few or lengths[length] > limits.UNUSUAL_SHARE * lengths.total():
        return []
    return [key for key, text in texts.items() if len(text) == length]


def _cut_mark(texts: Sequence[str], usual_texts: Sequence[str], target: float) -> str:
    """Return a mark inside sentences that short texts never have, although it is frequent."""
    words = _word_counts(texts)
    if not usual_texts:
        return ""
    is_short = median(words) <= limits.MAJORITY_SHARE * target
    min_missed = limits.MISSED_MARKS * (1 if is_short else limits.MANY_MISSED)
    share = sum(words) / sum(_word_counts(usual_texts))
    for mark in (",", ";", ":", '"', "'", "-", "("):
        is_frequent = sum(text.count(mark) for text in usual_texts) * share >= min_missed
        if is_frequent and not any(mark in text for text in texts):
            return mark
    return ""


_MIN_SAME_WORDS = limits.SAME_WORDS
_LABEL_PATTERN = re.compile(r"\s*((?:[^\s:]+ ){0,4}[^\s:]+:)\s+\S")


def _same_ends(texts: TextsToCheck) -> Iterator[Finding]:
    """Find systems whose summaries all begin or end with the same words."""
    for system, system_texts in _text_groups(texts):
        has_phrase = False
        for end_name, end in (
            ("begin", slice(0, _MIN_SAME_WORDS)),
            ("end", slice(-_MIN_SAME_WORDS, None)),
            ("begin", None),
        ):
            sample = evenly_spaced([*system_texts.values()], limits.FIRST_SAMPLE_SIZE)
            phrase, number = Counter(_phrase_at_end(text, end) for text in sample).most_common(1)[0]
            if not phrase or number < limits.USUAL_SHARE * len(sample) or (has_phrase and not end):
                continue
            keys = [
                key for key, text in system_texts.items() if _phrase_at_end(text, end) == phrase
            ]
            if len(keys) < max(limits.MIN_TEXTS, limits.STYLE_SHARE * len(system_texts)):
                continue
            if len({one_line(system_texts[key]) for key in keys}) < limits.USUAL_SHARE * len(keys):
                continue  # one text for all topics
            all_texts = (*texts.references.items(), *texts.summaries.items())
            other_texts = [
                text for key, text in all_texts if key[2] != system and key not in system_texts
            ]
            n_alike = sum(
                (_phrase_at_end(text, end) if end is None else _phrase(text.split()[end])) == phrase
                for text in other_texts
            )
            if n_alike > limits.UNUSUAL_SHARE * len(other_texts):
                continue  # as others do
            message = f"{end_name} with the same words, {_quote(phrase, 60)}: is it a prompt or a "
            kind = "same beginning" if end_name == "begin" else "same ending"
            has_phrase |= end_name == "begin"
            yield _finding_of_texts(kind, system, keys, len(system_texts), f"{message}footer?")


def _phrase_at_end(text: str, end: slice | None) -> str:
    """Return the label, or the first or last words, of a text that is longer; else nothing."""
    if end is None:
        label = _LABEL_PATTERN.match(text)
        return label[1] if label else ""
    split = str.rsplit if end.stop is None else str.split
    words = split(text, None, 2 * _MIN_SAME_WORDS)
    return _phrase(words[end]) if len(words) > 2 * _MIN_SAME_WORDS else ""


def _sampled_words(texts: TextsToCheck) -> dict[str, list[str]]:
    """Return words from a sample of the texts of each system that has enough texts."""
    samples = {
        name: evenly_spaced([*texts_of_system.values()], limits.SAMPLE_SIZE)
        for name, texts_of_system in _text_groups(texts)
    }
    large_samples = (
        (n, sample) for n, sample in samples.items() if len(sample) >= limits.MIN_TEXTS
    )
    words = {
        name: _WORD_PATTERN.findall("\n".join(sample).lower()) for name, sample in large_samples
    }
    return {name: sample for name, sample in words.items() if len(sample) >= limits.MIN_WORDS}


def _word_order(texts: TextsToCheck) -> Iterator[Finding]:
    """Find systems in which pairs of words that are frequent in other texts are reversed."""
    pairs = {name: Counter(pairwise(words)) for name, words in _sampled_words(texts).items()}
    all_pairs = Counter[tuple[str, str]]()
    for numbers in pairs.values():
        all_pairs.update(numbers)
    frequent = [pair for pair, _ in all_pairs.most_common(20 * limits.N_FREQUENT_PAIRS)]
    for name, numbers in pairs.items() if len(pairs) > 1 else ():
        by_others = sorted(frequent, key=lambda pair: numbers[pair] - all_pairs[pair])
        usual_pairs = [
            (a, b) for a, b in by_others[: limits.N_FREQUENT_PAIRS]
            if all_pairs[a, b] - numbers[a, b]
            > limits.MIN_ORDER_RATIO * (all_pairs[b, a] - numbers[b, a])
        ]  # fmt: skip
        n_forward, n_backward = (
            sum(numbers[pair_of_words] for pair_of_words in way)
            for way in (usual_pairs, [pair_of_words[::-1] for pair_of_words in usual_pairs])
        )
        n_both = n_forward + n_backward
        if (
            name == _THE_REFERENCES
            or n_both < limits.MIN_PAIRS
            or n_forward > limits.MIN_ORDERED_SHARE * n_both
        ):
            continue
        pair = max(usual_pairs, key=lambda pair: numbers[pair[::-1]])
        message = f"has words in another order, such as {' '.join(pair[::-1])!r} instead of "
        message += f"{' '.join(pair)!r}; were they reversed or shuffled?"
        keys = tuple(texts.systems[name])
        yield new_finding("words in another order", f"system {name}", message, name, summaries=keys)


def _numbered_texts(texts: TextsToCheck) -> Iterator[Finding]:
    """Find systems whose texts begin with a number, another one on each topic."""
    for system, system_texts in texts.systems.items():
        n_texts = len(system_texts)
        min_numbered = max(limits.MIN_TEXTS, limits.NEARLY_ALL_SHARE * n_texts)
        keys_with_id = [
            key for key, text in system_texts.items() if text.lstrip("[( ").startswith(key[1])
        ]
        if len(keys_with_id) >= min_numbered:
            message = f"begin with the id of their topic, such as {keys_with_id[0][1]!r}; remove it"
            yield _finding_of_texts(
                "number before the text", system, keys_with_id, n_texts, message
            )
            continue
        matches = {key: _NUMBER_BEFORE.match(text) for key, text in system_texts.items()}
        keys = [key for key, match in matches.items() if match]
        if len(keys) < min_numbered:
            continue
        numbers = {match[1] for match in matches.values() if match}
        other_references = [text for key, text in texts.references.items() if key[2] != system]
        n_numbered_references = sum(bool(_NUMBER_BEFORE.match(text)) for text in other_references)
        if (
            len(numbers) > limits.STYLE_SHARE * len(keys)
            and n_numbered_references < len(other_references) / 2 + 1
        ):
            message = f"begin with a number such as {system_texts[keys[-1]][:12]!r}, another on "
            message += "each topic; are these numbers of lines? Remove them"
            yield _finding_of_texts("number before the text", system, keys, n_texts, message)


def _words_missing(texts: TextsToCheck) -> Iterator[Finding]:
    """Find systems that hardly use the words that are frequent in all other texts."""
    words = {name: Counter(system_words) for name, system_words in _sampled_words(texts).items()}
    totals = {name: counts.total() for name, counts in words.items()}
    summed_shares: dict[str, float] = defaultdict(float)
    for name, counts in words.items():
        for word, number in counts.most_common(2 * limits.N_FREQUENT_WORDS):
            summed_shares[word] += number / totals[name]
    usual_words = sorted(summed_shares, key=lambda word: (-summed_shares[word], word))[
        : limits.N_FREQUENT_WORDS
    ]
    shares = {
        name: sum(counts[word] for word in usual_words) / totals[name]
        for name, counts in words.items()
    }
    for name, share in shares.items() if len(shares) > 1 else ():
        min_other_share = min(other_share for other, other_share in shares.items() if other != name)
        absent_words = [
            word
            for word in usual_words
            if not words[name][word]
            and all(counts[word] for other, counts in words.items() if other != name)
            and summed_shares[word] / len(words) * totals[name] >= limits.MIN_EXPECTED
        ]
        if name != _THE_REFERENCES and (
            share < limits.MIN_FREQUENT_WORD_RATIO * min_other_share
            or len(absent_words) >= limits.MIN_TOPICS_TO_COMPARE
        ):
            example_words = ", ".join(
                sorted(usual_words, key=lambda word: (words[name][word], -summed_shares[word]))[:3]
            )
            message = f"{share:.0%} of its words are among the most frequent of all texts, "
            message += f"{min_other_share:.0%} or more of those of others; it lacks words such as "
            message += f"{example_words}: were they removed?"
            keys = tuple(texts.systems[name])
            yield new_finding("words missing", f"system {name}", message, summaries=keys)


def _reference_texts(texts: TextsToCheck) -> Iterator[Finding]:
    """Find duplicate references, and references cut off at a fixed number of characters."""
    reference_sets = [
        topic_references
        for topic_references in texts.by_topic.values()
        if len(topic_references) > 1
    ]
    sets_with_duplicates = [
        reference_set
        for reference_set in reference_sets
        if len({text for _, text in reference_set}) < len(reference_set)
    ]
    if len(sets_with_duplicates) >= max(limits.MIN_TEXTS, limits.USUAL_SHARE * len(reference_sets)):
        message = f"{len(sets_with_duplicates)} of {len(reference_sets)} topics have the same "
        message += "reference twice"
        yield new_finding("references listed twice", _THE_REFERENCES, message)
    lengths = Counter(map(len, texts.summaries.values()))
    cut_references = _texts_of_same_length(texts.references, lengths) if texts.references else []
    if cut_references and sum(
        _is_cut(texts.references[key]) for key in cut_references
    ) >= limits.USUAL_SHARE * len(cut_references):
        message = f"have {len(texts.references[cut_references[0]]):,} characters; were they cut?"
        yield _finding_of_texts(
            "truncated texts", _THE_REFERENCES, cut_references, len(texts.references), message
        )


def _phrase(words: Sequence[str]) -> str:
    return " ".join(words).strip(".,;:!?")


# Copies.


def _copy_findings(texts: TextsToCheck) -> Iterator[Finding]:
    yield from _equal_systems(texts)
    yield from _copied_references(texts)


def _equal_systems(texts: TextsToCheck) -> Iterator[Finding]:
    """Find pairs of systems with the same, or nearly the same, summaries, or one in the other."""
    folded_texts = {
        name: {key[:2]: one_line(text).casefold() for key, text in system_texts.items()}
        for name, system_texts in texts.systems.items()
    }
    names = sorted(folded_texts, key=natural_order)
    n_pairs = len(names) * (len(names) - 1) // 2
    max_topics = max(limits.MIN_TEXTS, limits.MAX_COMPARED // max(n_pairs, 1))

    @cache
    def words(name: str, topic: Topic) -> frozenset[str]:
        return frozenset(_WORD_PATTERN.findall(folded_texts[name][topic]))

    for first, second in combinations(names, 2):
        shared_topics = [topic for topic in folded_texts[first] if topic in folded_texts[second]]
        if len(shared_topics) < limits.MIN_TOPICS_TO_COMPARE:
            continue
        equal_topics = [
            topic
            for topic in shared_topics
            if folded_texts[first][topic] == folded_texts[second][topic]
        ]
        keys = tuple((*topic, name) for topic in equal_topics for name in (first, second))
        subject = f"systems {first} and {second}"
        same_on = f"the same summaries on {len(equal_topics)} of {len(shared_topics)} topics"
        if len(equal_topics) >= max(
            limits.MIN_TOPICS_TO_COMPARE, limits.NEARLY_ALL_SHARE * len(shared_topics)
        ):
            kind = "identical systems"
            yield new_finding(
                kind, subject, f"{same_on}; is it one system?", second, summaries=keys
            )
            continue
        if len(equal_topics) >= max(limits.MIN_TEXTS, limits.USUAL_SHARE * len(shared_topics)):
            message = f"{same_on}; was a part copied?"
            yield new_finding("partly identical systems", subject, message, summaries=keys)
            continue
        step = max(1, len(shared_topics) // max_topics)
        sampled_topics = shared_topics[::step]
        min_equal = max(limits.MIN_TOPICS_TO_COMPARE, limits.NEARLY_ALL_SHARE * len(sampled_topics))
        are_alike = (
            _is_alike(words(first, topic), words(second, topic)) for topic in sampled_topics
        )
        if n_similar := _count_if_enough(are_alike, len(sampled_topics), min_equal):
            message = f"nearly the same summaries on {n_similar} of {len(sampled_topics)} topics "
            message += "that were "
            message += "compared; is one a copy of the other?"
            # Versions of a system may be nearly the same.
            severity: Severity = "note" if _are_versions(first, second) else "warning"
            yield new_finding("nearly identical systems", subject, message, severity=severity)
            continue
        for inner, outer in ((first, second), (second, first)):
            contained_topics = [
                t
                for t in sampled_topics
                if _contains(folded_texts[outer][t], folded_texts[inner][t])
            ]
            if len(contained_topics) >= max(
                limits.MIN_TEXTS, limits.NEARLY_ALL_SHARE * len(sampled_topics)
            ):
                message = f"its summaries contain those of {inner} on {len(contained_topics)} of "
                message += f"{len(sampled_topics)} "
                message += "topics that were compared; were outputs joined?"
                keys = tuple((*topic, outer) for topic in contained_topics)
                kind = "system that contains another"
                yield new_finding(kind, f"system {outer}", message, summaries=keys)


def _are_versions(first: str, second: str) -> bool:
    """Return whether two names differ in numbers, or in what is added to one."""
    name_words = [re.sub(r"[\d_.-]+", " ", name.casefold()).split() for name in (first, second)]
    shorter_words, longer_words = sorted(name_words, key=len)
    are_numbered = bool(re.search(r"\d", first + second)) and len("".join(shorter_words)) > 2
    return are_numbered and longer_words[: len(shorter_words)] == shorter_words


def _count_if_enough(tests: Iterable[bool], size: int, min_count: float) -> int:
    """Count how many of `size` tests hold, but stop with 0 when there cannot be enough."""
    n_missed = 0
    for is_true in tests:
        n_missed += not is_true
        if size - n_missed < min_count:
            return 0
    return size - n_missed


def _is_alike(first_words: frozenset[str], second_words: frozenset[str]) -> bool:
    n_common = len(first_words & second_words)
    return n_common >= limits.MIN_NEAR_COPY * max(
        1, len(first_words) + len(second_words) - n_common
    )


def _contains(outer: str, inner: str) -> bool:
    return (
        len(inner) >= limits.MIN_CHARACTERS // 2
        and len(outer) > 1.2 * len(inner)
        and inner in outer
    )


def _copied_references(texts: TextsToCheck) -> Iterator[Finding]:
    references = {
        topic: [(key, one_line(text)) for key, text in topic_references if text.strip()]
        for topic, topic_references in texts.by_topic.items()
    }
    for system in sorted(texts.systems, key=natural_order):
        equal_keys: list[Key] = []
        similar_keys: list[Key] = []
        contained_keys: list[Key] = []
        n_summaries, is_telling = len(texts.systems[system]), False
        for n_before, (key, text) in enumerate(texts.systems[system].items()):
            line = one_line(text)
            other_references = [r for other, r in references.get(key[:2], ()) if other != key]
            if line in other_references:
                equal_keys.append(key)
                is_telling |= len(line) >= limits.MIN_CHARACTERS
                continue
            line, other_references = (
                line.casefold(),
                [reference.casefold() for reference in other_references],
            )
            # Nearly all must be near, which a few tests can refute.
            may_be_similar = (
                n_summaries - n_before + len(equal_keys) + len(similar_keys)
                >= limits.STYLE_SHARE * n_summaries
            )
            if any(_contains(line, reference) for reference in other_references):
                contained_keys.append(key)
            elif may_be_similar and len(line) >= limits.MIN_CHARACTERS:
                similar_keys += [key] if any(_is_near(line, r) for r in other_references) else []
        if finding := equal_to_references(system, equal_keys, n_summaries):
            yield finding
        elif len(equal_keys) + len(similar_keys) >= max(
            limits.MIN_TEXTS, limits.STYLE_SHARE * n_summaries
        ):
            message = "are nearly a reference; are these references, not outputs?"
            yield _finding_of_texts(
                "system like a reference", system, similar_keys or equal_keys, n_summaries, message
            )
        elif len(contained_keys) >= max(
            limits.MIN_TOPICS_TO_COMPARE, limits.UNUSUAL_SHARE * n_summaries
        ):
            message = "contain their reference; does the output include the target?"
            yield _finding_of_texts(
                "reference in the summary", system, contained_keys, n_summaries, message
            )
        elif is_telling and len(equal_keys) >= max(
            limits.MIN_TEXTS, limits.UNUSUAL_SHARE * n_summaries
        ):
            message = "are their reference, word for word"
            yield _finding_of_texts(
                "references among the summaries", system, equal_keys, n_summaries, message
            )


def _is_near(line: str, reference: str) -> bool:
    if not 0.8 < len(line) / max(1, len(reference)) < 1.25:
        return False
    return _is_alike(frozenset(line.split()), frozenset(reference.split()))


def equal_to_references(system: str, keys: Sequence[Key] | int, topics: int) -> Finding | None:
    """Describe a system whose summaries are references on nearly every topic."""
    number = keys if isinstance(keys, int) else len(keys)
    if number < max(limits.MIN_TOPICS_TO_COMPARE, limits.NEARLY_ALL_SHARE * topics):
        return None
    message = f"its summaries are references on {number} of {topics} topics"
    summaries = () if isinstance(keys, int) else tuple(keys)
    kind = "system equal to a reference"
    return new_finding(kind, f"system {system}", message, system, summaries=summaries)


# Documents.


def _document_findings(texts: TextsToCheck) -> Iterator[Finding]:
    yield from _documents_as_references(texts)
    documents = {topic: text for topic, text in texts.documents.items() if text.strip()}
    names = {topic for _, topic in documents}
    if len(names) < limits.MIN_TEXTS:
        return
    summary_texts = [*texts.references.values(), *texts.summaries.values()]
    document_size, usual_size = (
        median(_word_counts(documents.values())),
        median(_word_counts(summary_texts)) if summary_texts else 0,
    )
    if document_size < usual_size:
        message = (
            f"they have {document_size:g} words, the summaries {usual_size:g}; are they references?"
        )
        yield new_finding("documents shorter than summaries", "the documents", message)
    for system, system_texts in texts.systems.items():
        keys = [
            key for key, text in system_texts.items()
            if key[:2] in documents and _contains_document(text, documents[key[:2]])
        ]  # fmt: skip
        if len(keys) >= max(limits.MIN_TOPICS_TO_COMPARE, limits.UNUSUAL_SHARE * len(system_texts)):
            message = "contain their document; keep the output only"
            yield _finding_of_texts(
                "document in the summary", system, keys, len(system_texts), message
            )
    # Several tasks may read the same documents.
    topics_by_text = grouped({(one_line(text), topic) for (_, topic), text in documents.items()})
    text, topics = max(topics_by_text.items(), key=lambda item: len(item[1]))
    if len(topics) >= max(limits.MIN_TEXTS, limits.USUAL_SHARE * len(names)):
        message = f"{len(topics)} of {len(names)} topics have the same ones: {_quote(text)}"
        yield new_finding("one document for all topics", "the documents", message)


def _contains_document(text: str, document: str) -> bool:
    if (
        len(text) < limits.USUAL_SHARE * len(document)
        or len(document.split()) < limits.MIN_LONG_TEXT
    ):
        return False
    pairs = {*pairwise(document.casefold().split())}
    return len(pairs & {*pairwise(text.casefold().split())}) >= limits.STYLE_SHARE * len(pairs)


def _documents_as_references(texts: TextsToCheck) -> Iterator[Finding]:
    topics = [topic for topic in texts.by_topic if any(t.strip() for _, t in texts.by_topic[topic])]
    if len(topics) < limits.MIN_TOPICS_TO_COMPARE:
        return
    copied_topics = [
        topic for topic in topics if topic in texts.documents
        and any(_is_near(texts.documents[topic], text) for _, text in texts.by_topic[topic])
    ]  # fmt: skip
    if len(copied_topics) >= max(limits.MIN_TOPICS_TO_COMPARE, limits.USUAL_SHARE * len(topics)):
        message = (
            f"{len(copied_topics)} of {len(topics)} topics have their document as a reference; "
        )
        message += "which of the two is it?"
        yield new_finding("documents equal to references", _THE_REFERENCES, message)
        return
    keys_without_reference = [key for key in texts.summaries if key not in texts.references]
    sizes = _word_counts(texts.references.values())
    summary_words = _word_counts(texts.summaries[key] for key in keys_without_reference)
    if not summary_words or median(sizes) < max(
        limits.DOCUMENT_RATIO * median(summary_words), limits.MIN_DOCUMENT_WORDS
    ):
        return
    contained_keys = [key for key in keys_without_reference if _is_inside(texts, key)]
    are_inside = len(contained_keys) >= limits.USUAL_SHARE * len(keys_without_reference)
    suffix = ", most words of which are in them" if are_inside else ""
    message = (
        f"they have {median(sizes):g} words, the summaries {median(summary_words):g}{suffix}; "
    )
    message += "are these the documents?"
    severity: Severity = "severe" if are_inside else "warning"
    yield new_finding("documents as references", _THE_REFERENCES, message, severity=severity)


def _is_inside(texts: TextsToCheck, key: Key) -> bool:
    words = {*texts.summaries[key].casefold().split()}
    document_words = {
        word for _, text in texts.by_topic.get(key[:2], ()) for word in text.casefold().split()
    }
    return len(words & document_words) >= limits.MIN_SHARE_INSIDE * len(words)
