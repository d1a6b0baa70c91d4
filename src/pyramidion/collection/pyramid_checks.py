"""What is missing or inconsistent in pyramids and annotated peers."""

import re
from collections import Counter
from collections.abc import Iterator

from pyramidion.collection.collection import Collection
from pyramidion.collection.problems import Problem, address_name, repeated
from pyramidion.collection.pyramids import NOT_IN_PYRAMID, SCU, Contributor, PeerAnnotation, Pyramid
from pyramidion.collection.summaries import Summary

__all__ = ["differing_units", "pyramid_problems", "repeated_units"]

# DUCView writes a content unit's weight before its label: (4) Ice melts.
_WEIGHT = re.compile(r"\((\d{1,4})\)")


def repeated_units(collection: Collection) -> Iterator[Problem]:
    """List uids that stand for two content units of a pyramid, which is fatal.

    Parameters
    ----------
    collection
        What holds the pyramids, by topic and inside the annotated peers.

    Examples
    --------
    >>> twice = Pyramid("Ice melts.", (SCU("1", "Ice"), SCU("1", "It melts")))
    >>> [problem.subject for problem in repeated_units(Collection("", pyramids={("", "T"): twice}))]
    ['pyramid of T, SCU 1']
    """
    seen: set[int] = set()
    for address, pyramid in _all_pyramids(collection):
        if id(pyramid) not in seen:
            seen.add(id(pyramid))
            uids = (f"{address}, SCU {scu.uid}" for scu in pyramid.scus)
            yield from repeated("duplicated SCU", uids, "give it another uid")


def _all_pyramids(collection: Collection) -> Iterator[tuple[str, Pyramid]]:
    for key, pyramid in collection.pyramids.items():
        yield f"pyramid of {address_name(*key)}", pyramid
    for (task, topic, system), peer in collection.peer_annotations.items():
        if peer.pyramid != collection.pyramids.get((task, topic)):
            yield f"peer annotation of {address_name(task, topic, system)}", peer.pyramid


def pyramid_problems(collection: Collection) -> Iterator[Problem]:
    """List what else is wrong with a collection's pyramids and annotated peers.

    Parameters
    ----------
    collection
        What holds them.

    Examples
    --------
    >>> empty = Collection("mine", pyramids={("", "T1"): Pyramid("Ice melts.")})
    >>> [(problem.kind, problem.subject) for problem in pyramid_problems(empty)]
    [('empty pyramid', 'pyramid of T1')]
    """
    for (task, topic), pyramid in collection.pyramids.items():
        address = f"pyramid of {address_name(task, topic)}"
        yield from _of_pyramid(address, pyramid)
        yield from _unknown_writers(address, pyramid, collection.references(topic, task))
    weights: dict[int, dict[str, int]] = {}
    for (task, topic, system), peer in collection.peer_annotations.items():
        address = f"peer annotation of {address_name(task, topic, system)}"
        if id(peer.pyramid) not in weights:
            weights[id(peer.pyramid)] = _weights(peer.pyramid)
        yield from _of_peer(address, peer, weights[id(peer.pyramid)])
        yield from _other_pyramid(address, peer.pyramid, collection.pyramids.get((task, topic)))


def _weights(pyramid: Pyramid) -> dict[str, int]:
    return dict(zip((scu.uid for scu in pyramid.scus), pyramid.weights.tolist(), strict=True))


def _of_pyramid(address: str, pyramid: Pyramid) -> Iterator[Problem]:
    if not pyramid.weights.any():
        yield Problem("empty pyramid", address, _why_empty(pyramid))
    if not pyramid.regex_serves:
        message = "startDocumentRegEx finds no header; lines of dashes are taken for headers"
        yield Problem("headers not found", address, message)
    for scu in pyramid.scus:
        subject = f"{address}, SCU {scu.uid}"
        if scu.uid == NOT_IN_PYRAMID:
            message = "in annotations 0 is what the pyramid has not; give it another uid"
            yield Problem("content unit called 0", subject, message)
        owners = [pyramid.reference_of(contributor) for contributor in scu.contributors]
        if None in owners:
            yield Problem("contributor in no reference", subject, "check its offsets")
        for contributor in scu.contributors:
            if len(names := _names_of_parts(pyramid, contributor)) > 1:
                message = f"its parts are in {', '.join(names)}; it counts for the first"
                yield Problem("contributor in two references", subject, message)
        for owner, count in Counter(owner for owner in owners if owner).items():
            if count > 1:
                message = f"{count} contributors in {owner} count once"
                yield Problem("SCU twice in one reference", subject, message)


def _names_of_parts(pyramid: Pyramid, contributor: Contributor) -> list[str]:
    """Name the references that a contributor's parts are in, in the text's order."""
    parts = sorted(contributor.parts, key=lambda part: part.start)
    names = (pyramid.reference_of(Contributor((part,))) for part in parts)
    return list(dict.fromkeys(name for name in names if name is not None))


def _why_empty(pyramid: Pyramid) -> str:
    if pyramid.references:
        return "no reference expresses a content unit of it; annotate the references"
    return "its text has no references: each begins with a line of dashes, its name, and dashes"


def _unknown_writers(
    address: str, pyramid: Pyramid, references: tuple[Summary, ...]
) -> Iterator[Problem]:
    """Compare the pyramid's references with the collection's, where it has any."""
    if references and len(references) != len(pyramid.references):
        message = f"{len(pyramid.references)} references, the collection has {len(references)}"
        yield Problem("pyramid of other references", address, message)


def _of_peer(address: str, peer: PeerAnnotation, weights: dict[str, int]) -> Iterator[Problem]:
    seen: Counter[str] = Counter(scu.uid for scu in peer.scus)
    for scu in peer.scus:
        subject = f"{address}, SCU {scu.uid}"
        if scu.uid not in weights and scu.uid != NOT_IN_PYRAMID:
            yield Problem("unknown SCU", subject, "it is not in the pyramid")
        elif wrong := _wrong_weight(scu, weights):
            yield Problem("weight unlike the label's", subject, wrong)
    for uid, count in seen.items():
        if count > 1:
            message = f"it stands there {count} times, and its contributors are taken together"
            yield Problem("SCU twice in one annotation", f"{address}, SCU {uid}", message)
    if not any(scu.contributors for scu in peer.scus):
        message = "it expresses no content unit and scores 0; is it meant?"
        yield Problem("peer without content", address, message)


def _wrong_weight(scu: SCU, weights: dict[str, int]) -> str:
    """Compare the weight DUCView wrote before a label with the pyramid's."""
    said = _WEIGHT.match(scu.label)
    weight = weights.get(scu.uid)
    if not said or weight is None or int(said[1]) == weight:
        return ""
    return f"its label says {said[1]}, its references are {weight}; were all of them found?"


def _other_pyramid(address: str, own: Pyramid, pyramid: Pyramid | None) -> Iterator[Problem]:
    uids = () if pyramid is None else differing_units(own, pyramid)
    if uids:
        more = f" and {len(uids) - 1} more differ" if len(uids) > 1 else " differs"
        message = (
            f"SCU {uids[0]}{more} from the topic's pyramid; the annotation is scored by its own"
        )
        yield Problem("other pyramid", address, message)


def differing_units(own: Pyramid, pyramid: Pyramid) -> tuple[str, ...]:
    """Name the content units in which an annotation's pyramid differs from its topic's.

    Parameters
    ----------
    own, pyramid
        The two pyramids. Units differ that one of them lacks, or whose label, contributors or
        weight are not the same.

    Examples
    --------
    >>> differing_units(Pyramid("Ice.", (SCU("1", "Ice"),)), Pyramid("Ice.", (SCU("2", "Ice"),)))
    ('2', '1')
    """
    if own is pyramid:
        return ()
    here, there = _shapes(own), _shapes(pyramid)
    return tuple(uid for uid in {**there, **here} if here.get(uid) != there.get(uid))


def _shapes(pyramid: Pyramid) -> dict[str, tuple[object, ...]]:
    return {
        scu.uid: (scu, weight)
        for scu, weight in zip(pyramid.scus, pyramid.weights.tolist(), strict=True)
    }
