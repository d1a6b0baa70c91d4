"""More kinds of made sentences, for names alone: bodies, companies, datelines, names of things."""

from collections.abc import Callable

from templates import Maker
from trees import Node, mark, word

__all__ = ["WideMaker"]


class WideMaker(Maker):
    """Makes sentences with invented places and organizations too."""

    @property
    def kinds(self) -> tuple[Callable[[], Node], ...]:
        """What is made: a third of it of these kinds."""
        more = (self.body, self.company, self.thing, self.dated, self.dated, self.owned_by_body)
        return (*super().kinds, *more, *more)

    def invented(self) -> str:
        """Invent a name."""
        return self.pick("onsets") + self._middle() + self.pick("place_endings")

    def location(self) -> Node:
        """Make a place's name, a third of them invented."""
        if self.maybe(0.67):
            return super().location()
        head = word(self.invented(), "NNP", "nmod")
        if self.maybe(0.25):
            head.left.append(
                word(self.pick(("Port", "Mount", "Lake", "Fort", "New")), "NNP", "compound")
            )
        head.name = "place"
        return head

    def organization(self) -> Node:
        """Make an organization's name, half of them bodies and companies."""
        if self.maybe(0.5):
            return super().organization()
        return self._body() if self.maybe(0.4) else self._company()

    def _body(self) -> Node:
        head = word(self.pick("bodies"), "NNP", "nmod")
        head.left.append(word(self.pick("ministries"), "NNP", "compound"))
        head.name = "organization"
        return head

    def _company(self) -> Node:
        *before, last = self.pick("companies").split()
        head = word(last, "NNP", "nmod")
        first = self.last_name() if self.maybe(0.5) else self.invented()
        head.left.extend(word(part, "NNP", "compound") for part in (first, *before))
        head.name = "organization"
        return head

    def body(self) -> Node:
        """Let a public body do something."""
        body = self._body()
        # The article is no part of the name.
        article = word("the", "DT", "det")
        body.left.insert(0, article)
        return self.action(body) if self.maybe(0.5) else self._says(body)

    def company(self) -> Node:
        """Let a company do something."""
        company = self._company()
        return self.action(company) if self.maybe(0.5) else self._says(company)

    def _says(self, subject: Node) -> Node:
        verb = self.verb(self.pick("speech"))
        verb.right.append(self.clause("events").as_("ccomp"))
        return self.with_subject(verb, subject)

    def owned_by_body(self) -> Node:
        """Let somebody work for a body or a company."""
        person = self.name()
        role = self.noun_phrase(self.pick(("a spokesman", "a director", "the head", "an official")))
        office = (self._body() if self.maybe(0.5) else self._company()).as_("nmod")
        office.left.insert(0, word(self.pick(("of", "at", "with", "for")), "IN", "case"))
        if office.left[-1].text in ("Transport", "Health"):
            office.left.insert(1, word("the", "DT", "det"))
        role.as_("appos").right.append(office)
        return self.action(self.set_off(person, role))

    def thing(self) -> Node:
        """Name a thing, which is no name here."""
        noun = self.noun_phrase(self.pick("things"))
        first = word(self.first_name() if self.maybe(0.4) else self.invented(), "NNP", "appos")
        if self.maybe(0.7):
            last = self.pick(("Star", "Dawn", "Rose", "Pearl", "Queen", "River", "Night", "Line"))
            first.right.append(word(last, "NNP", "flat"))
        noun.right.append(first)
        return self.action(noun)

    def dated(self) -> Node:
        """Begin with where and when a report was written."""
        root = self.chance.choice(super().kinds)()
        location = self.location().as_("dep")
        for part in (location, *location.left, *location.right):
            part.text = part.text.upper()
        if self.maybe(0.7):
            month = word(self.pick("months"), "NNP", "nmod:unmarked")
            month.left.append(mark(","))
            month.right.append(word(str(self.chance.randint(1, 30)), "CD", "nummod"))
            location.right.append(month)
        if self.maybe(0.6):
            location.right.append(self._agency())
        location.right.append(mark(self.pick(("-", "--", "—")), ":dash"))
        first = root
        while first.left:
            first = first.left[0]
        first.text = first.text[:1].upper() + first.text[1:]
        root.left.insert(0, location)
        return root

    def _agency(self) -> Node:
        if self.maybe(0.5):
            agency = self._company()
        else:
            agency = word(self.pick(("AP", "HNS", "UPI", "AFP", "Reuters", "KNA")), "NNP")
        agency.as_("dep").name = "organization"
        agency.left.insert(0, mark("(", "-LRB-"))
        agency.right.append(mark(")", "-RRB-"))
        return agency
