"""Pyramids that call a content unit 0, which means something else in annotations."""

from dataclasses import replace

from pyramidion.collection.pyramids import NOT_IN_PYRAMID, Pyramid

__all__ = ["with_free_zero"]


def with_free_zero(pyramid: Pyramid) -> tuple[Pyramid, list[str]]:
    """Rename a content unit whose uid means content outside the pyramid in an annotation.

    Parameters
    ----------
    pyramid
        A pyramid, perhaps with a content unit called 0.

    Returns
    -------
    tuple
        The pyramid to annotate with, and what to say of it.

    Examples
    --------
    >>> from pyramidion.collection.pyramids import SCU
    >>> pyramid, notes = with_free_zero(Pyramid("", (SCU("0", "Ice melts"),)))
    >>> pyramid.scus[0].uid, len(notes)
    ('1', 1)
    """
    uids = {scu.uid for scu in pyramid.scus}
    if NOT_IN_PYRAMID not in uids:
        return pyramid, []
    new = next(str(number) for number in range(1, len(uids) + 2) if str(number) not in uids)
    scus = (replace(s, uid=new) if s.uid == NOT_IN_PYRAMID else s for s in pyramid.scus)
    note = f"SCU {NOT_IN_PYRAMID} is called {new} in annotations, where 0 is what is not in it"
    return replace(pyramid, scus=tuple(scus)), [note]
