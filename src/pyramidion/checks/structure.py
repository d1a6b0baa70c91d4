"""Finds what is missing or inconsistent in a collection."""

import re
from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence, Set
from dataclasses import replace
from itertools import pairwise

import numpy as np

from pyramidion.checks._thresholds import MIN_TEXTS, SAMPLED_TOPICS, USUAL_SHARE
from pyramidion.collection import Collection
from pyramidion.collection.checking import ambiguous_addresses, pyramid_name
from pyramidion.collection.findings import Finding, Severity, address_name
from pyramidion.collection.ids import brief_list, grouped, natural_order, natural_orders
from pyramidion.collection.pyramids import NOT_IN_PYRAMID, Contributor, PeerAnnotation, Pyramid
from pyramidion.collection.summaries import TAC_CATEGORIES

# DUCView writes a content unit's weight before its label: (4) Ice melts.
_WEIGHT_PATTERN = re.compile(r"\((\d{1,4})\)")


def pyramid_problems(collection: Collection) -> Iterator[Finding]:
    """Find other problems of pyramids and annotated peers."""
    for (task, topic, version), pyramid in collection.named_pyramids.items():
        address = pyramid_name(task, topic, version)
        yield from _pyramid_findings(address, pyramid)
        n_expected, number = len(collection.references(topic, task)), len(pyramid.references)
        if n_expected and n_expected != number:
            message = f"{number} references, the collection has {n_expected}"
            yield Finding("pyramid of other references", address, message)
    weights: dict[int, dict[str, int]] = {}
    versions = list(collection.versions.values())
    for key, peer in collection.peer_annotations.items():
        address = f"peer annotation of {address_name(*key)}"
        if id(peer.pyramid) not in weights:
            uids = (scu.uid for scu in peer.pyramid.scus)
            weights[id(peer.pyramid)] = dict(zip(uids, peer.pyramid.weights.tolist(), strict=True))
        yield from _peer_findings(address, peer, weights[id(peer.pyramid)])
        current_pyramid = collection.pyramids.get((key[0], key[1]), peer.pyramid)
        units = () if peer.pyramid in versions else differing_units(peer.pyramid, current_pyramid)
        if units:
            suffix = f" and {len(units) - 1} more differ" if len(units) > 1 else " differs"
            message = f"SCU {units[0]}{suffix} from the topic's pyramid; the annotation is "
            message += "scored with the pyramid that it contains"
            yield Finding("other pyramid", address, message)


def _pyramid_findings(address: str, pyramid: Pyramid) -> Iterator[Finding]:
    if not pyramid.weights.any():
        unmarked_message = "no reference expresses a content unit; annotate the references"
        no_references = (
            "its text has no references; each needs three header lines: dashes, its name, dashes"
        )
        yield Finding(
            "empty pyramid", address, unmarked_message if pyramid.references else no_references
        )
    if not pyramid.regex_works:
        message = "startDocumentRegEx finds no header; lines of dashes are used instead"
        yield Finding("headers not found", address, message)
    for scu in pyramid.scus:
        subject = f"{address}, SCU {scu.uid}"
        if scu.uid == NOT_IN_PYRAMID:
            message = "uid 0 is reserved for content outside the pyramid; give it another uid"
            yield Finding("content unit called 0", subject, message)
        owners = [pyramid.reference_of(contributor) for contributor in scu.contributors]
        if None in owners:
            yield Finding("contributor in no reference", subject, "check its offsets")
        for contributor in scu.contributors:
            if len(names := _names_of_parts(pyramid, contributor)) > 1:
                message = f"its parts are in {', '.join(names)}; it counts for the first"
                yield Finding("contributor in two references", subject, message)
        for owner, count in Counter(owner for owner in owners if owner).items():
            if count > 1:
                message = f"{count} contributors in {owner} add {count} to its weight, as in "
                message += "DUCView, or 1 with --weights references"
                yield Finding("SCU twice in one reference", subject, message)


def _names_of_parts(pyramid: Pyramid, contributor: Contributor) -> list[str]:
    """Name the references that a contributor's parts are in, in order."""
    parts = sorted(contributor.parts, key=lambda part: part.start)
    names = (pyramid.reference_of(Contributor((part,))) for part in parts)
    return list(dict.fromkeys(name for name in names if name is not None))


def _peer_findings(
    address: str, peer: PeerAnnotation, weights: dict[str, int]
) -> Iterator[Finding]:
    for scu in peer.scus:
        subject = f"{address}, SCU {scu.uid}"
        if scu.uid not in weights and scu.uid != NOT_IN_PYRAMID:
            yield Finding("unknown SCU", subject, "it is not in the pyramid")
        weight_match, weight = _WEIGHT_PATTERN.match(scu.label), weights.get(scu.uid)
        if weight_match and weight is not None and int(weight_match[1]) != weight:
            message = (
                f"its label says {weight_match[1]}, it has {weight} contributors; are some missing?"
            )
            yield Finding("weight unlike the label's", subject, message)
    for uid, count in Counter(scu.uid for scu in peer.scus).items():
        if count > 1:
            message = f"it occurs {count} times; its contributors are combined"
            yield Finding("SCU twice in one annotation", f"{address}, SCU {uid}", message)
    if not any(scu.contributors for scu in peer.scus):
        message = "it expresses no content unit and scores 0; is that intended?"
        yield Finding("peer without content", address, message)


def differing_units(annotated_pyramid: Pyramid, pyramid: Pyramid) -> tuple[str, ...]:
    """Name the content units that differ between two versions of a pyramid."""
    if annotated_pyramid is pyramid:
        return ()
    first, second = (
        {
            scu.uid: (scu, weight)
            for scu, weight in zip(version.scus, version.weights.tolist(), strict=True)
        }
        for version in (annotated_pyramid, pyramid)
    )
    return tuple(uid for uid in {**second, **first} if first.get(uid) != second.get(uid))


def _unknown_topics(collection: Collection) -> Iterator[Finding]:
    if not collection.topics:
        return
    declared_ids = {topic.id for topic in collection.topics}
    for topic in (id for id in collection.topic_ids if id not in declared_ids):
        yield Finding("unknown topic", topic, "add it to the topics, or fix the id")


def _topics_without_summaries(collection: Collection) -> Iterator[Finding]:
    covered_topics = {(summary.task, summary.topic) for summary in collection.summaries}
    by_task = {task: {*topics} for task, topics in grouped(covered_topics).items()}
    for topic in dict.fromkeys(topic.id for topic in collection.topics):
        # A task may have topics of its own.
        other_tasks = [topics for topics in by_task.values() if topic in topics]
        for task in sorted(task for task, topics in by_task.items() if topic not in topics):
            if other_tasks and not any(topics & by_task[task] for topics in other_tasks):
                continue
            if collection.topic(topic).documents and not collection.documents(topic, task):
                continue  # The task has no documents on this topic.
            name = address_name(task, topic)
            yield Finding("topic without summaries", name, "add some, or remove the topic")


def _document_findings(collection: Collection) -> Iterator[Finding]:
    if not any(topic.documents for topic in collection.topics):
        return
    n_bare = sum(not topic.documents for topic in collection.topics)
    # Where most topics lack them, a few documents were added for other purposes.
    severity: Severity = "note" if n_bare > USUAL_SHARE * len(collection.topics) else "warning"
    for topic in collection.topics:
        if not topic.documents:
            yield Finding(
                "topic without documents", topic.id, "add its documents", severity=severity
            )
        for document in topic.documents:
            if not document.text.strip():
                name = f"{topic.id}, document {document.id}"
                yield Finding("empty document", name, "add its text, or remove it")
    yield from _unknown_sets(collection)


def _unknown_sets(collection: Collection) -> Iterator[Finding]:
    """Compare the sets of documents with those that tasks name."""
    sets = sorted({document.set for topic in collection.topics for document in topic.documents})
    for task in collection.tasks:
        if not any(map(task.summarizes, sets)):
            message = f"no document is in set {task.documents!r}; available: {brief_list(sets)}"
            yield Finding("task without documents", task.id, message)
    tasks = collection.tasks
    for name in sets:
        if tasks and not any(task.summarizes(name) or name in task.known for task in tasks):
            yield Finding("documents without a task", name, "no task refers to this set")


def _category_findings(collection: Collection) -> Iterator[Finding]:
    categories = {category.id: category for category in (*TAC_CATEGORIES, *collection.categories)}
    for topic in collection.topics:
        if topic.category and topic.category not in categories:
            yield Finding("unknown category", topic.id, f"declare category {topic.category}")
    declared_aspects = {
        aspect.id for category in categories.values() for aspect in category.aspects
    }
    for summary in collection.summaries:
        for aspect in sorted({span.aspect for span in summary.aspects} - declared_aspects):
            yield Finding("unknown aspect", f"{address_name(*summary.key)}: {aspect}", "declare it")


def _reference_findings(collection: Collection) -> Iterator[Finding]:
    addresses = {(summary.task, summary.topic) for summary in collection.summaries}
    without_references = [
        (task, topic) for task, topic in addresses if not collection.references(topic, task)
    ]
    if len(without_references) == len(addresses) > 1:
        message = "no topic has any; metrics that need them cannot be computed"
        yield Finding("no references", "all topics", message, severity="note")
        return
    for task, topic in sorted(without_references, key=natural_orders):
        yield Finding("no references", address_name(task, topic), "add reference summaries")


def _empty_summaries(collection: Collection) -> Iterator[Finding]:
    for summary in collection.summaries:
        if not summary.plain.strip():
            finding = empty_summary(summary.key)
            hint = "it is an empty reference, which nothing can match; add its text or leave it out"
            yield replace(finding, message=hint) if summary.is_reference else finding


def empty_summary(key: tuple[str, str, str], n_more: int = 0) -> Finding:
    """Describe an empty summary, and how many more its system has."""
    suffix = f"; {n_more:,} more of its system are empty" if n_more else ""
    return Finding("empty summary", address_name(*key), f"it scores 0; is that intended?{suffix}")


def _summaries_over_limit(collection: Collection) -> Iterator[Finding]:
    word_limits = {task.id: task.word_limit for task in collection.tasks}
    for summary in collection.summaries:
        limit = word_limits.get(summary.task)
        if limit is not None and summary.words > limit:
            message = f"{summary.words} words, the limit is {limit}: NIST would truncate it"
            yield Finding("summary over the limit", address_name(*summary.key), message)


def _missing_peers(collection: Collection) -> Iterator[Finding]:
    """Find machines that lack a topic of others; people need not summarize every topic."""
    machines = [
        summary for summary in collection.summaries if summary.kind == "machine" and summary.is_peer
    ]
    topics = grouped({(summary.task, summary.topic) for summary in machines})
    present_keys = {summary.key for summary in machines}
    pairs = {(summary.task, summary.system) for summary in machines}
    numbers = Counter((task, system) for task, _, system in present_keys)
    max_counts = {
        task: max(count for (task_name, _), count in numbers.items() if task_name == task)
        for task in topics
    }
    # Where no system has nearly as many topics as there are, each was given some of them.
    sampled_tasks = {
        task for task in topics if max_counts[task] < SAMPLED_TOPICS * len(topics[task])
    }
    for task in topics:
        topics_by_system = grouped(
            (system, topic) for task_name, topic, system in present_keys if task_name == task
        )
        if are_variants({system: {*topics_of} for system, topics_of in topics_by_system.items()}):
            sampled_tasks.add(task)
    pairs_with_gaps = (pair for pair in pairs if numbers[pair] < len(topics[pair[0]]))
    for task, system in sorted(pairs_with_gaps, key=natural_orders):
        absent_topics = (
            topic for topic in topics[task] if (task, topic, system) not in present_keys
        )
        missing_peers = sorted(absent_topics, key=natural_order)
        finding = missing_summaries(task, system, len(missing_peers), missing_peers)
        yield replace(finding, severity="note") if task in sampled_tasks else finding


def are_variants(topics: Mapping[str, Set[Hashable]]) -> bool:
    """Return whether systems are versions such as drafts: each topic has all up to some number."""
    names = sorted(topics, key=natural_order)
    if len({re.sub(r"\d+", "", name) for name in names}) > 1 or len(names) < MIN_TEXTS:
        return False
    return all(topics[later] <= topics[earlier] for earlier, later in pairwise(names))


def missing_summaries(task: str, system: str, number: int, topics: Sequence[str]) -> Finding:
    """Describe a system that lacks topics, some of which may be listed."""
    subject = f"{system}, task {task}" if task else system
    message = f"{number} {'topic' if number == 1 else 'topics'} that other systems have"
    topics_text = f" ({brief_list(topics)})" if topics else ""
    return Finding("missing summaries", subject, message + topics_text)


def _scores_off_scale(collection: Collection) -> Iterator[Finding]:
    for measure, scale in collection.scales.items():
        scores = collection.scores.select(measure=measure)
        wrong_values = [value for value in np.unique(scores.value) if not scale.allows(value)]
        range_text = f"{scale.low:g} to {scale.high:g}"
        range_text += f" in steps of {scale.step:g}" if scale.step else ""
        for row in scores.rows(np.isin(scores.value, wrong_values)):
            address = address_name(row.task, row.topic, row.system)
            message = f"{row.value:g} is not on the scale from {range_text}"
            yield Finding("score off its scale", f"{address}, {measure}", message)


def doubtful_data(collection: Collection) -> Iterator[Finding]:
    """List what is missing, empty or off its scale, which every user of the data should know."""
    for check in (_empty_summaries, _missing_peers, _scores_off_scale):
        yield from check(collection)


def structure_findings(collection: Collection) -> Iterator[Finding]:
    """List what is missing or inconsistent."""
    for check in (
        ambiguous_addresses, _unknown_topics, _topics_without_summaries, _document_findings,
        _category_findings, _reference_findings, _summaries_over_limit, pyramid_problems,
    ):  # fmt: skip
        yield from check(collection)
