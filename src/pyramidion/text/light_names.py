"""Names in tagged sentences, and what stands before people's names."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from pyramidion.text.grammar_tokens import Token
from pyramidion.text.light_name_kinds import NameKinds
from pyramidion.text.light_name_words import LightName, NamedSentence, name_words
from pyramidion.text.tagging import TagPair

__all__ = ["NameFinder"]


class NameFinder:
    """Finds names in the sentences of a text.

    Parameters
    ----------
    kinds
        What tells their kinds.

    Examples
    --------
    >>> tokens = [Token("Sen.", 0), Token("Ada", 5), Token("Lee", 9), Token("left", 13)]
    >>> pairs = [TagPair("NNP", "PROPN")] * 3 + [TagPair("VBD", "VERB")]
    >>> NameFinder().find([tokens], [pairs])
    [[LightName(first=1, last=2, kind='person', title=0, title_first=0)]]
    """

    def __init__(self, kinds: NameKinds | None = None) -> None:
        self.kinds = kinds or NameKinds()
        self._words = name_words()

    def find(
        self, sentences: Sequence[Sequence[Token]], pairs: Sequence[Sequence[TagPair]]
    ) -> list[list[LightName]]:
        """Find the names of sentences of one text, whose people are taken for the same.

        Parameters
        ----------
        sentences, pairs
            The words of each sentence, and their tags.
        """
        given = [NamedSentence.of(*own) for own in zip(sentences, pairs, strict=True)]
        found = [[self._typed(own, run) for run in self._runs(own)] for own in given]
        people = {
            own.text(name.last).rstrip(".")
            for own, names in zip(given, found, strict=True)
            for name in names
            if name.kind == "person"
        }
        return [
            [self._agreed(own, name, people) for name in names]
            for own, names in zip(given, found, strict=True)
        ]

    def _agreed(self, own: NamedSentence, name: LightName, people: set[str]) -> LightName:
        """Take a single word for a person if a person of the text is called so."""
        text = own.text(name.last)
        single = len(name) == 1 and not (name.kind == "place" and text in self._words["places"])
        return replace(name, kind="person") if single and text in people else name

    def _runs(self, own: NamedSentence) -> Iterator[LightName]:
        """Give words of names that stand together."""
        place = 0
        while place < len(own):
            if not self._opens(own, place):
                place += 1
                continue
            last = place
            while (following := self._next(own, last)) > last:
                last = following
            yield LightName(place, last)
            place = last + 1

    def _opens(self, own: NamedSentence, place: int) -> bool:
        if not own.is_proper(place):
            return False
        if own.text(place) not in self._words["others"]:
            return True
        after = own.text(place + 1)
        return own.is_proper(place + 1) and after in self._words["organizations"]

    def _next(self, own: NamedSentence, last: int) -> int:
        """Give the place of the next word of a name, or the last one again."""
        step = own.lower[last + 1] if last + 1 < len(own) else ""
        if own.is_proper(last + 1):
            return last if own.text(last + 1) in self._words["others"] else last + 1
        if step == "," and own.text(last + 2) in self._words["endings"]:
            return last + 2
        if step in {"-", "–"} and own.is_proper(last + 2):
            return last + 2 if own.glued[last + 1] and own.glued[last + 2] else last
        if step in self._words["particles"] or step in {"&", "-"}:
            reach = last + 2
            while own.text(reach).lower() in self._words["particles"]:
                reach += 1
            return reach if own.is_proper(reach) else last
        if step == "of" and own.text(last) in self._words["organizations"]:
            reach = last + 2 + (own.text(last + 2) == "the")
            return reach if own.is_proper(reach) else last
        return last

    def _typed(self, own: NamedSentence, run: LightName) -> LightName:
        """Take off a title, and tell the kind."""
        if all(self.kinds.is_title(own.text(place)) for place in range(run.first, run.last + 1)):
            return run
        name = self._without_title(own, run)
        if name.title >= 0:
            return name
        kind = self.kinds.kind(own, name)
        if kind in {"", "person"} and self._role_before(own, name):
            kind, title = "person", name.first - 1
            return replace(name, kind=kind, title=title, title_first=self._phrase(own, title))
        return replace(name, kind=kind)

    def _without_title(self, own: NamedSentence, run: LightName) -> LightName:
        for place in range(run.last - 1, run.first - 1, -1):
            rest = LightName(place + 1, run.last)
            if self.kinds.is_title(own.text(place)) and not self._is_institution(own, rest):
                first = self._described_from(own, run.first)
                return replace(rest, kind="person", title=place, title_first=first)
        of = run.first - 1
        # Secretary of State Ada Lee.
        if len(run) > 2 and own.text(of) == "of" and self.kinds.is_title(own.text(of - 1)):
            return LightName(run.first + 1, run.last, "person", run.first, of - 1)
        return run

    def _described_from(self, own: NamedSentence, first: int) -> int:
        """Give the place where *former* or *Russian* before a title begins."""
        while first and (
            own.lower[first - 1] in self._words["premodifiers"]
            or (own.pairs[first - 1].fine == "JJ" and own.text(first - 1)[:1].isupper())
        ):
            first -= 1
        return first

    def _is_institution(self, own: NamedSentence, rest: LightName) -> bool:
        """Whether what follows a title is none of a person: General Motors, King County."""
        words = self._words["organizations"] | self._words["places"]
        last = own.text(rest.last)
        given = own.text(rest.first) in self._words["given"] and len(rest) > 1
        return (last in words or self.kinds.is_title(last)) and not given

    def _role_before(self, own: NamedSentence, name: LightName) -> bool:
        before = name.first - 1
        return (
            before >= 0
            and own.pairs[before].fine in {"NN", "NNP", "JJ"}
            and self.kinds.is_role(own.lower[before])
        )

    def _phrase(self, own: NamedSentence, title: int) -> int:
        """Give the place of the first word that describes a title: *former bank* clerk."""
        first = title
        while first and own.pairs[first - 1].fine in {"JJ", "NN", "NNP", "NNPS", "NNS", "HYPH"}:
            first -= 1
        return first
