"""One object for all equal pyramids: every annotated peer's file repeats its topic's."""

from dataclasses import dataclass, field, replace

from pyramidion.collection.pyramids import PeerAnnotation, Pyramid

__all__ = ["SharedPyramids"]


@dataclass(frozen=True, slots=True)
class SharedPyramids:
    """The different pyramids met so far.

    Examples
    --------
    >>> shared = SharedPyramids()
    >>> first = shared.pyramid(Pyramid("Ice melts."))
    >>> shared.peer(PeerAnnotation(Pyramid("Ice melts."), "Ice.")).pyramid is first
    True
    """

    _by_text: dict[tuple[str, str], list[Pyramid]] = field(default_factory=dict)
    _by_xml: dict[str, Pyramid] = field(default_factory=dict)

    def written(self, xml: str) -> Pyramid | None:
        """Give the pyramid that was written in these very letters, if it was met before."""
        return self._by_xml.get(xml)

    def remember(self, xml: str, pyramid: Pyramid) -> None:
        """Keep a pyramid by the letters it was written in, which need not be read again."""
        if xml:
            self._by_xml[xml] = pyramid

    def pyramid(self, pyramid: Pyramid) -> Pyramid:
        """Give the first pyramid that is equal to this one, or this one if it is new.

        One in whose own file something was mended is given back itself, for its notes.
        """
        same = self._first(pyramid)
        return same if set(pyramid.notes) <= set(same.notes) else pyramid

    def _first(self, pyramid: Pyramid) -> Pyramid:
        # The content units are compared one by one, since hashing them would take longer.
        known = self._by_text.setdefault((pyramid.text, pyramid.start_document_regex), [])
        for same in known:
            if same.scus == pyramid.scus:
                return same
        known.append(pyramid)
        return pyramid

    def peer(self, peer: PeerAnnotation) -> PeerAnnotation:
        """Give a peer the shared pyramid; what was noted of that one is not noted again."""
        pyramid = self._first(peer.pyramid)
        if pyramid is peer.pyramid:
            return peer
        fresh = tuple(note for note in peer.notes if note not in pyramid.notes)
        return replace(peer, pyramid=pyramid, notes=fresh)
