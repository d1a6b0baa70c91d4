"""Clauses of made sentences: actions, appositions, relative clauses, quotations."""

from phrases import Phrases, passive
from trees import Node, mark, word

__all__ = ["Clauses"]

_PRONOUNS = ("we", "I", "they", "it", "he", "she", "you")


class Clauses(Phrases):
    """Clauses filled in at random."""

    def action(self, subject: Node) -> Node:
        """Let somebody do something."""
        return self.with_subject(self.predicate(self.pick("actions")), subject)

    def with_subject(self, verb: Node, subject: Node) -> Node:
        """Return a verb its subject."""
        subject.as_("nsubj:pass" if passive(verb) else "nsubj")
        verb.left.insert(0, subject)
        return verb

    def clause(self, name: str) -> Node:
        """Make a clause of a list, whose first part is the subject."""
        subject, _, rest = self.pick(name).partition(" | ")
        verb = self.predicate(rest)
        if subject in _PRONOUNS:
            return self.with_subject(verb, word(subject, "PRP", lemma=subject))
        if subject == "nobody":
            return self.with_subject(verb, word(subject, "NN", upos="PRON"))
        return self.with_subject(verb, self.noun_phrase(subject))

    def set_off(self, head: Node, part: Node, *, closed: bool = True) -> Node:
        """Put a part between commas after its head."""
        part.left.insert(0, mark(","))
        head.right.append(part)
        if closed:
            head.right.append(mark(","))
        return head

    def front(self, root: Node) -> None:
        """Begin with when or where."""
        preposition, _, rest = self.pick("fronts").partition(" ")
        when = self.noun_phrase(rest).as_("obl")
        when.left.insert(0, word(preposition, "IN", "case"))
        when.right.append(mark(","))
        root.left.insert(0, when)

    def apposed(self, *, closed: bool = True) -> Node:
        """Make a person with an apposition."""
        person = self.person(described=0.2)
        part = self.noun_phrase(self.pick("appositions")).as_("appos")
        return self.set_off(person, part, closed=closed)

    def relative_clause(self, pronoun: str = "who") -> Node:
        """Make a relative clause."""
        fine = "WP" if pronoun == "who" else "WDT"
        return self.action(word(pronoun, fine, upos="PRON")).as_("acl:relcl")

    def whose_clause(self) -> Node:
        """Make a relative clause about what somebody has."""
        noun = word(self.pick("owned"), "NN")
        noun.left = [word("whose", "WP$", "nmod:poss")]
        if self.maybe(0.4):
            which = self.pick(("first", "latest", "young", "late", "early", "second"))
            noun.left.append(word(which, "JJ", "amod"))
        verb = self.predicate(self.pick("whose_predicates"))
        return self.with_subject(verb, noun).as_("acl:relcl")

    def quotation(self) -> Node:
        """Make a clause between quotation marks."""
        quote = self.clause("quotes")
        first = quote
        while first.left:
            first = first.left[0]
        first.text = first.text[:1].upper() + first.text[1:]
        quote.left.insert(0, mark('"', "``"))
        quote.right += [mark(","), mark('"', "''")]
        return quote

    def add_meanwhile(self, verb: Node) -> None:
        """Add what happens at the same time."""
        clause = self.clause("events").as_("advcl")
        when = word(self.pick(("as", "after", "while", "before")), "IN", "mark", upos="SCONJ")
        clause.left[:0] = [mark(","), when]
        verb.right.append(clause)

    def add_age(self, person: Node) -> None:
        """Add ``, 41``."""
        age = word(str(self.chance.randint(17, 93)), "CD", "nmod:unmarked")
        self.set_off(person, age, closed=False)

    def origin(self) -> Node:
        """Make ``of PLACE``."""
        location = self.location().as_("nmod")
        location.left.insert(0, word(self.pick(("of", "from")), "IN", "case"))
        return location

    def participle(self) -> Node:
        """Make ``accused of fraud``."""
        verb, _, rest = self.pick("participles").partition(" | ")
        form, _, lemma = verb.partition("/")
        participle = word(form, "VBN", "acl", lemma=lemma)
        preposition, first, *remaining = rest.split()
        if "ing/" in first and remaining:
            form, _, lemma = first.partition("/")
            child = word(form, "VBG", "advcl", lemma=lemma)
            child.left.append(word(preposition, "IN", "mark", upos="SCONJ"))
            child.right.append(self.noun_phrase(" ".join(remaining)).as_("obj"))
        else:
            child = self.noun_phrase(" ".join([first, *remaining])).as_("obl")
            child.left.insert(0, word(preposition, "IN", "case"))
        participle.right.append(child)
        return participle
