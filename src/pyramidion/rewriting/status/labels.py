"""Who matters and who is known, as human summaries and GUM's annotators show it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pyramidion.errors import InputError
from pyramidion.rewriting.people.mention import Mention, Person
from pyramidion.rewriting.status.bodies import bodies_in

__all__ = ["Labels", "gum_labels", "short_form", "summary_labels"]

_ATTACHED = ("apposition", "relative clause")
_SALIENT, _OTHER = "s", "n"


@dataclass(frozen=True, slots=True)
class Labels:
    """What summaries show of a person.

    Parameters
    ----------
    summaries
        How many there are.
    named
        How many of them name the person.
    old_forms
        How many name the person first as somebody whom readers know, see `short_form`; nothing
        where forms were not looked at.
    described
        How many have an apposition or relative clause at the first mention.
    known
        What an annotator says instead of the forms in summaries, if one did.

    Examples
    --------
    >>> labels = Labels(4, named=3, old_forms=2)
    >>> labels.major, labels.hearer_old
    (True, True)
    """

    summaries: int
    named: int = 0
    old_forms: int | None = 0
    described: int = 0
    known: bool | None = None

    @property
    def major(self) -> bool:
        """Whether at least one summary names the person."""
        return self.named > 0

    @property
    def hearer_old(self) -> bool | None:
        """Whether most of those who name the person use a short form; nothing if nobody does."""
        if self.known is not None or self.old_forms is None:
            return self.known
        return 2 * self.old_forms > self.named if self.named else None

    @property
    def postmodified(self) -> bool | None:
        """Whether at least one describes the person after the name; nothing if nobody names."""
        return self.described > 0 if self.named else None


def short_form(mention: Mention) -> bool:
    """Tell whether a first mention takes a person for known.

    It does if it is a title or role and the last name, or the bare full name, and nothing follows
    (section 5.2.3). A country or organization before the title is an introduction.

    Parameters
    ----------
    mention
        The first mention of a text.

    Examples
    --------
    >>> from pyramidion.rewriting.articles import ParsedSentence
    >>> from pyramidion.text._parsing import ParsedWord
    >>> words = (ParsedWord("President", "president", "PROPN", 1, "title", 0),
    ...          ParsedWord("Ode", "Ode", "PROPN", 1, "root", 10))
    >>> sentence = ParsedSentence("President Ode", words)
    >>> short_form(Mention(sentence, 1, 1, "last", titles=1))
    True
    >>> short_form(Mention(sentence, 1, 1, "last"))
    False
    """
    if mention.post != "none":
        return False
    if mention.form == "full":
        return not mention.premodifiers and not mention.opening
    return mention.form == "last" and _titled(mention)


def _titled(mention: Mention) -> bool:
    """Tell whether nothing but a title or role stands before a name; *her friend* is neither."""
    before = range(mention.premodified_first, mention.first)
    bodies = bodies_in(mention.sentence, beside=before)
    return bool(before) and not mention.opening and not any(own.first in before for own in bodies)


def summary_labels(person: Person, summaries: Sequence[str]) -> Labels:
    """Label a person from summaries (section 5.2.3).

    Parameters
    ----------
    person
        Somebody, with all mentions in the summaries, perhaps among others.
    summaries
        The ids under which the summaries were parsed.

    Examples
    --------
    >>> summary_labels(Person("Ode", "Ode", ()), ["A", "B"]).major
    False
    """
    chains = [person.in_document(id) for id in summaries]
    first = [chain[0] for chain in chains if chain]
    heads = [_first_head(chain) for chain in chains if chain]
    return Labels(
        summaries=len(summaries),
        named=len(first),
        old_forms=sum(short_form(mention) for mention in heads if mention is not None),
        described=sum(mention.post in _ATTACHED for mention in heads if mention is not None),
    )


def _first_head(chain: Iterable[Mention]) -> Mention | None:
    """Give the first mention that is about the person, not about *the Bush administration*."""
    return next((mention for mention in chain if mention.head), None)


def gum_labels(salience: str, status: str) -> Labels:
    """Label a person from GUM's annotation of the first mention.

    Parameters
    ----------
    salience
        A letter for each summary: ``s`` if it mentions the person, ``n`` if not; later mentions
        may have an underscore for summaries that only the first one counts for.
    status
        Information status: ``acc:com`` is known to everybody, ``new`` is new; others say neither.

    Examples
    --------
    >>> labels = gum_labels("ssnnn", "new")
    >>> labels.major, labels.named, labels.hearer_old
    (True, 2, False)
    """
    if not salience or set(salience) - {_SALIENT, _OTHER, "_"}:
        raise InputError(f"{salience!r} is no salience", hint="give letters s and n")
    known = {"acc:com": True, "new": False}.get(status)
    return Labels(len(salience), named=salience.count(_SALIENT), old_forms=None, known=known)
