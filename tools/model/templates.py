"""News-like sentences made at random, with names, tags and heads known beforehand.

The treebanks have few titles before names, ages, party tags and the like, of which news is full.
The kinds were chosen with the ten sentences of ``people.json`` in view, so that figures on these
say little about other news; ``tests/gold/people_second.json`` has ten of other patterns.
"""

from collections.abc import Callable
from random import Random

from clauses import Clauses
from treebank import Sentence
from trees import Node, mark, sentence_of, word
from wordlists import listed

__all__ = ["Maker", "made_sentences"]

_SENATORS = ("Sen.", "Rep.", "Sen.", "Rep.", "Senator")
_ARTICLES = ("a", "an", "the")


class Maker(Clauses):
    """Makes sentences of all kinds."""

    @property
    def kinds(self) -> tuple[Callable[[], Node], ...]:
        """What is made; some more often than others."""
        return (
            *(self.plain, self.plain, self.plain, self.apposition, self.apposition, self.aged),
            *(self.arrest, self.relative, self.relative, self.whose, self.quoted, self.quoted),
            *(self.reported, self.reported, self.agent, self.party_tag, self.owner, self.both),
            *(self.described_first, self.said_after, self.of_place, self.group, self.copula),
            *(self.relative_in_apposition, self.accord, self.kin, self.event, self.told_court),
        )

    def sentence(self) -> Sentence:
        """Make a sentence."""
        root = self.chance.choice(self.kinds)().as_("root")
        begins = bool(root.left) and root.left[0].relation.startswith("nsubj")
        if begins and self.maybe(0.12):
            self.front(root)
        root.right.append(mark("."))
        return sentence_of(root)

    def plain(self) -> Node:
        """Make ``Sen. Ann Lee resigned``."""
        return self.action(self.person(described=0.75))

    def apposition(self) -> Node:
        """Make ``Ann Lee, a lawyer, resigned``."""
        return self.action(self.apposed())

    def aged(self) -> Node:
        """Make ``Ann Lee, 41, of Ur, resigned``."""
        person = self.name()
        self.add_age(person)
        if self.maybe(0.5):
            self.set_off(person, self.origin(), closed=False)
        if self.maybe(0.4):
            part = self.noun_phrase(self.pick("appositions")).as_("appos")
            self.set_off(person, part, closed=False)
        person.right.append(mark(","))
        return self.action(person)

    def arrest(self) -> Node:
        """Make ``Police arrested Ann Lee, 41, a lawyer``."""
        verb = self.verb(self.pick("police_verbs"))
        person = self.name().as_("obj")
        if self.maybe(0.7):
            self.add_age(person)
        if self.maybe(0.5):
            self.set_off(person, self.origin(), closed=False)
        part = self.noun_phrase(self.pick("appositions")).as_("appos")
        if self.maybe(0.5):
            part.right.append(self.participle())
        self.set_off(person, part, closed=False)
        verb.right.append(person)
        return self.with_subject(verb, self.noun_phrase(self.pick("police")))

    def relative(self) -> Node:
        """Make ``Ann Lee, who left the party, resigned``."""
        person = self.person(described=0.6)
        return self.action(self.set_off(person, self.relative_clause()))

    def whose(self) -> Node:
        """Make ``Ann Lee, whose house burned down, resigned``."""
        person = self.person(described=0.6)
        clause = self.whose_clause()
        if self.maybe(0.5):
            return self.action(self.set_off(person, clause))
        main = self.agent(person)
        self.set_off(person, clause, closed=False)
        return main

    def quoted(self) -> Node:
        """Make ``"We will wait," said Ann Lee, a lawyer``."""
        quote = self.quotation()
        verb = self.verb(
            self.pick(("said/say", "said/say", "said/say", "says/say", "added/add", "told/tell"))
        )
        if verb.text == "told":
            verb.right.append(self.noun_phrase(self.pick("addressed")).as_("obj"))
            verb.left.append(self.person().as_("nsubj"))
        elif self.maybe(0.6):
            person = self.apposed(closed=False) if self.maybe(0.6) else self.person()
            verb.right.append(person.as_("nsubj"))
            if self.maybe(0.2):
                self.add_meanwhile(verb)
        else:
            verb.left.append(self.person().as_("nsubj"))
        verb.left.insert(0, quote.as_("ccomp"))
        return verb

    def reported(self) -> Node:
        """Make ``Ann Lee of Harvard said that talks have failed``."""
        verb = self.verb(self.pick("speech"))
        clause = self.clause("events").as_("ccomp")
        if self.maybe(0.75):
            clause.left.insert(0, word("that", "IN", "mark", upos="SCONJ"))
        person = self.person(described=0.7)
        if self.maybe(0.35):
            organization = self.organization().as_("nmod")
            organization.left.insert(0, word(self.pick(("of", "at", "from")), "IN", "case"))
            person.right.append(organization)
        elif self.maybe(0.3):
            self.set_off(person, self.relative_clause())
        if self.maybe(0.3):
            verb.right.append(self.noun("DAY").as_("obl:unmarked"))
        verb.right.append(clause)
        return self.with_subject(verb, person)

    def told_court(self) -> Node:
        """Make ``Ann Lee told the court that prices rose``."""
        verb = self.predicate(self.pick("told_predicates"))
        clause = self.clause("events").as_("ccomp")
        clause.left.insert(0, word("that", "IN", "mark", upos="SCONJ"))
        verb.right.append(clause)
        person = self.person(described=0.8)
        if self.maybe(0.4):
            self.set_off(person, self.relative_clause())
        return self.with_subject(verb, person)

    def agent(self, person: Node | None = None) -> Node:
        """Make ``The book was written by Ann Lee``."""
        person = person or self.person(described=0.7)
        person.as_("obl:agent").left.insert(0, word("by", "IN", "case"))
        verb = self.verb(f"was {self.pick('agent_verbs')}")
        verb.right.append(person)
        return self.with_subject(verb, self.noun_phrase(self.pick("agent_subjects")))

    def party_tag(self) -> Node:
        """Make ``Sen. Ann Lee, R-Maine, resigned``."""
        person = self.name()
        person.left.append(word(self.pick(_SENATORS), "NNP", "nmod:desc"))
        tag = self.party()
        if self.maybe(0.3):
            tag.left.insert(0, mark("(", "-LRB-"))
            tag.right.append(mark(")", "-RRB-"))
            person.right.append(tag)
            return self.action(person)
        closed = self.maybe(0.6)
        self.set_off(person, tag, closed=closed)
        if not closed:
            self.set_off(person, self.relative_clause())
        return self.action(person)

    def owner(self) -> Node:
        """Make ``Ann Lee's novel surprised the market``."""
        person = self.person(described=0.5).as_("nmod:poss")
        person.right.append(word("'s", "POS", "case"))
        noun = word(self.pick("owned"), "NN")
        noun.left.append(person)
        if self.maybe(0.3):
            new = self.pick(("new", "second", "late", "controversial", "latest"))
            noun.left.append(word(new, "JJ", "amod"))
        return self.with_subject(self.predicate(self.pick("owned_predicates")), noun)

    def both(self) -> Node:
        """Make ``Ann Lee and Bo Diaz met``."""
        first, second = self.person(), self.person()
        second.as_("conj").left.insert(0, word("and", "CC", "cc"))
        first.right.append(second)
        return self.with_subject(self.predicate(self.pick("both_predicates")), first)

    def _described_noun(self) -> Node:
        return self.noun_phrase(
            self.pick(
                [phrase for phrase in listed("appositions") if phrase.split()[0] in _ARTICLES]
            )
        )

    def described_first(self) -> Node:
        """Make ``A lawyer, Ann Lee, resigned``."""
        noun = self._described_noun()
        person = self.person(described=0.1).as_("appos")
        return self.action(self.set_off(noun, person))

    def said_after(self) -> Node:
        """Make ``Ann Lee resigned, police said``."""
        if self.maybe(0.5):
            clause = self.clause("events")
        else:
            clause = self.action(self.apposed() if self.maybe(0.5) else self.person())
        clause.as_("ccomp").right.append(mark(","))
        verb = self.verb(self.pick(("said/say", "said/say", "says/say")))
        teller = self.person() if self.maybe(0.4) else self.noun_phrase(self.pick("tellers"))
        verb.left = [clause, teller.as_("nsubj")]
        return verb

    def of_place(self) -> Node:
        """Make ``Ann Lee of Ur resigned``."""
        person = self.person(described=0.5)
        location = (self.organization() if self.maybe(0.5) else self.location()).as_("nmod")
        location.left.insert(0, word(self.pick(("of", "of", "from")), "IN", "case"))
        person.right.append(location)
        return self.action(person)

    def group(self) -> Node:
        """Make ``Ann Lee met voters who left the party``."""
        group = self.noun_phrase(self.pick("groups"))
        group.right.append(self.relative_clause(self.pick(("who", "that", "that"))))
        verb = self.predicate(self.pick("group_verbs"))
        verb.right.append(group.as_("obj"))
        return self.with_subject(verb, self.person(described=0.8))

    def copula(self) -> Node:
        """Make ``Ann Lee is a lawyer``."""
        noun = self._described_noun()
        text = self.pick(("is", "was"))
        fine = "VBD" if text == "was" else "VBZ"
        noun.left.insert(0, word(text, fine, "cop", lemma="be", upos="AUX"))
        noun.left.insert(0, self.person().as_("nsubj"))
        return noun

    def relative_in_apposition(self) -> Node:
        """Make ``Ann Lee, the nurse who won the race, resigned``."""
        person = self.name()
        part = self.noun_phrase(self.pick("relative_appositions")).as_("appos")
        part.right.append(self.relative_clause())
        return self.action(self.set_off(person, part))

    def accord(self) -> Node:
        """Make ``Prices rose, according to Ann Lee``."""
        clause = self.clause("events")
        person = self.apposed(closed=False) if self.maybe(0.5) else self.person()
        case = word("according", "VBG", "case", lemma="accord")
        case.right.append(word("to", "IN", "fixed"))
        person.as_("obl").left[:0] = [mark(","), case]
        clause.right.append(person)
        return clause

    def kin(self) -> Node:
        """Make ``His wife, Ann Lee, resigned``."""
        noun = self.noun_phrase(self.pick("kin"))
        return self.action(self.set_off(noun, self.name().as_("appos")))

    def event(self) -> Node:
        """Make ``Prices rose``."""
        return self.clause("events")


def made_sentences(
    number: int, chance: Random, maker: Callable[[Random], Maker] = Maker
) -> list[Sentence]:
    """Make sentences."""
    tree = maker(chance)
    return [tree.sentence() for _ in range(number)]
