"""Later mentions: the last name alone."""

from dataclasses import dataclass
from functools import cache
from typing import Final

from pyramidion.rewriting.people.apposition import (
    closing_commas,
    explains_somebody_new,
)
from pyramidion.rewriting.people.evidence import is_age
from pyramidion.rewriting.people.first_mentions import Change
from pyramidion.rewriting.people.mention import Mention, NameForm, Person
from pyramidion.rewriting.people.names import read_name, surnames
from pyramidion.rewriting.people.register import Named, PeopleRegister
from pyramidion.rewriting.people.relatives import is_relative
from pyramidion.rewriting.people.surroundings import is_predicate
from pyramidion.rewriting.people.wording import role_words
from pyramidion.rewriting.people.words import bare, folded, words_of
from pyramidion.text._tokens import stem

__all__ = ["LaterMentions"]

_FEWEST_NICKNAMES: Final = 1
_MOST_NEWS: Final = 3
_NEAR: Final = 7
_ALIKE: Final = 5
_STAYING: Final = frozenset({"late", "elder", "younger"})


@dataclass(frozen=True)
class LaterMentions:
    """What later mentions become.

    Parameters
    ----------
    register
        Who is there.
    keep_news
        Whether an apposition stays if what it says was not said before.
    nicknames
        Whether those whom the documents mostly call by their first name are called so.

    Examples
    --------
    >>> from pyramidion.rewriting.articles import Articles
    >>> LaterMentions(PeopleRegister(Articles(()), [])).keep_news
    True
    """

    register: PeopleRegister
    keep_news: bool = True
    nicknames: bool = True

    def changes(self, named: Named, said: str, form: NameForm = "last") -> list[Change]:
        """Give the changes of a later mention; none if it is right or must stay.

        Parameters
        ----------
        named
            The mention, and who is meant.
        said
            What the summary said about the person up to here.
        form
            How the name is to be given.
        """
        mention, person = named
        if mention.form == "nickname" or not mention.head or mention.post == "prepositional":
            return []
        name = self._name(mention, person, form)
        if not name or explains_somebody_new(mention) or is_predicate(mention):
            return []
        if is_relative(mention) and _is_like_another(name, mention):
            return []
        found = self._shortened(mention, _in_own_spelling(name, mention))
        return [*found, *self._without_apposition(mention, said)]

    def _name(self, mention: Mention, person: Person, form: NameForm) -> str:
        """Give the name, with a title that stays; nothing if the mention stays as it is."""
        titles = {bare(word) for word in mention.premodifier.split()}
        parts = read_name(person.name)
        called = self.register.is_called_by_last_name(person)
        if not parts.full or _is_royal(person) or (parts.family_first and not called):
            return ""
        if not called and len(surnames(parts)) > 1 and not _is_settled(person):
            return ""
        if form == "full":
            return person.name
        if form == "nickname" or (self.nicknames and self._is_known_by_first_name(person)):
            return parts.nickname or parts.first
        honor = titles & words_of("honorifics")
        if not honor or called:
            return person.last_name
        doctor = [
            word for word in mention.premodifier.split() if bare(word) in {"Dr", "Prof", "Rev"}
        ]
        return f"{doctor[-1]} {person.last_name}" if doctor and len(honor) == 1 else ""

    def _is_known_by_first_name(self, person: Person) -> bool:
        forms = [own.form for own in person.mentions]
        often = forms.count("nickname") > max(forms.count("last"), _FEWEST_NICKNAMES)
        return often and not self.register.has_namesake(person)

    def _shortened(self, mention: Mention, name: str) -> list[Change]:
        words = mention.sentence.words
        begin = mention.premodified_first
        premodifiers = [word.text.lower() for word in words[begin : mention.first]]
        if _STAYING & set(premodifiers) or (mention.opening and not mention.premodifiers):
            return []
        opening = words[begin - mention.opening].text.lower() if mention.opening else ""
        if opening == "the" and mention.opening == 1:
            begin -= 1
        elif opening:
            begin = mention.first
        start, end = words[begin].start, words[mention.last].end
        before = mention.sentence.text[start:end]
        if before == name or (mention.form == "last" and not mention.premodifiers):
            return []
        # An article cannot go without what it belongs to.
        if opening in {"a", "an"}:
            return []
        if not any(word.text[0].isalnum() for word in words[:begin]):
            name = name[0].upper() + name[1:]
        stop = "." if end == len(mention.sentence.text) and before.endswith(".") else ""
        return [Change(start, end, name + stop, f"later mention: {_form_of(name, mention)}")]

    def _without_apposition(self, mention: Mention, said: str) -> list[Change]:
        if mention.post != "apposition" or self._is_news(mention, said):
            return []
        part = closing_commas(mention)
        if part is None:
            return []
        start, end, after = part
        return [Change(start, end, after, "later mention: no apposition")]

    def _is_news(self, mention: Mention, said: str) -> bool:
        """Tell whether an apposition says what was not said before."""
        text = mention.postmodifier
        if is_age(text) or not self.keep_news:
            return False
        words = role_words(text)
        new = words - role_words(said) - _describing_stems()
        return 2 * len(new) >= len(words) > 0 or len(new) >= _MOST_NEWS or any(map(_has_digit, new))


@cache
def _describing_stems() -> frozenset[str]:
    return frozenset(map(stem, words_of("describing") - {"former"}))


def _has_digit(word: str) -> bool:
    return word[0].isdigit()


def _in_own_spelling(name: str, mention: Mention) -> str:
    """Write a last name with the accents that it has in this sentence."""
    end = mention.name[-len(name) :]
    return end if folded(end) == folded(name) and end.lower() != name.lower() else name


def _is_like_another(name: str, mention: Mention) -> bool:
    """*Morova's grandfather, Ilya Morov*: without the first name it would be hard to read."""
    near = mention.sentence.words[max(mention.first - _NEAR, 0) : mention.first]
    start = folded(name)[:_ALIKE]
    return any(word.text[0].isupper() and folded(word.text).startswith(start) for word in near)


def _form_of(name: str, mention: Mention) -> str:
    """Say what is left of a name: the last name, the first, or all of it."""
    if folded(name) == folded(mention.name):
        return "no description"
    parts = read_name(mention.name)
    first = {folded(parts.first), folded(parts.nickname)} - {""}
    return "first name" if folded(name) in first else "last name"


def _is_settled(person: Person) -> bool:
    """Tell which of two last names somebody is called by: the documents do so with a title."""
    return any(own.form == "last" for own in person.mentions) or (
        person.last_name != read_name(person.name).last
    )


def _is_royal(person: Person) -> bool:
    """Tell whether a title is somebody's whose last name is not used: *Pope John Paul*."""
    titles = (bare(word) for own in person.mentions for word in own.premodifier.split())
    return any(title in words_of("royal") for title in titles)
