"""First mentions: the full name with the best description of the input."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final, NamedTuple

from pyramidion.rewriting._articles import FINITE, ParsedSentence
from pyramidion.rewriting._people.descriptions import (
    apposition_may_follow,
    in_apposition,
    stacked,
)
from pyramidion.rewriting._people.edit_guards import (
    has_room_for_description,
    in_list,
    is_cut_off,
    is_styled,
)
from pyramidion.rewriting._people.mention import Mention, Person
from pyramidion.rewriting._people.names import is_initial, is_title, read_name
from pyramidion.rewriting._people.summary_people import Named, PeopleRegister
from pyramidion.rewriting._word_lists import bare, words_of
from pyramidion.text._tokens import STOP_WORDS, stem

_LONGEST_PREMODIFIER: Final = 7
_LONGEST_APPOSITION: Final = 14
_OPENING: Final = frozenset({"a", "an", "the", "of", "from"})
_FULL: Final = {
    "gov": "governor",
    "sen": "senator",
    "rep": "representative",
    "dr": "doctor",
    "prof": "professor",
    "gen": "general",
    "capt": "captain",
    "lt": "lieutenant",
    "col": "colonel",
    "sgt": "sergeant",
    "rev": "reverend",
    "adm": "admiral",
    "maj": "major",
}


@dataclass(frozen=True, slots=True)
class Candidate:
    """A description from the documents."""

    text: str  # as it stands inside a sentence
    mention: Mention
    courtesy: bool = False  # only marks respect: *Dr.*, *Sir*
    definite: frozenset[str] = frozenset()  # nouns taken for known: *bank* in *the bank's director*
    opens: bool = False  # can only open a sentence

    @property
    def length(self) -> int:
        """How many words it has."""
        return len(self.text.split())


def role_words(text: str) -> set[str]:
    """Give the words of a description that carry its content: stems, abbreviations written out."""
    plain = (bare(word.strip(",;:\"'”“()")).lower() for word in text.split())
    words = {word.removesuffix("'s").removesuffix("’s").removeprefix("ex-") for word in plain}
    kept = (word for word in words if word and word not in STOP_WORDS - {"former"})
    return {stem(_FULL.get(word, word)) for word in kept}


def premodifier_of(mention: Mention, register: PeopleRegister) -> Candidate | None:
    """Make a candidate of what stands before a name, or nothing if it cannot be used elsewhere."""
    if not mention.premodifiers or not mention.head or _is_possessed(mention):
        return None
    if is_styled(mention):
        return None
    first = mention.premodified_first
    words = [word.text for word in mention.sentence.words[first : mention.first]]
    parts = mention.premodifier.split()
    text = " ".join(word for word in parts if bare(word) not in words_of("courtesy"))
    small = [word.lower() for word in words]
    bad = words_of("deictic") | words_of("pronouns") | {"late", "old"}
    if not text or len(text.split()) > _LONGEST_PREMODIFIER or bad & set(small):
        return None
    relations = words_of("relations")
    relation = small[-1] in relations or small[0] in relations - words_of("roles")
    several = mention.sentence.words[mention.first - 1].fine == "NNS"
    plural = bare(words[-1]) in words_of("plural_titles") or (
        several and words[-1] not in words_of("roles")
    )
    if relation or plural or _says_little(words) or any(mark in text for mark in '"“”()'):
        return None
    if _in_coordination(mention) or is_cut_off(mention):
        return None
    inside = _as_inside_sentence(text, mention, first, register)
    courtesy = all(bare(word) in words_of("honorifics") for word in text.split())
    return Candidate(inside or text, mention, courtesy, opens=not inside)


def apposition_of(mention: Mention, register: PeopleRegister) -> Candidate | None:
    """Make a candidate of an apposition, without an age before it; nothing if it cannot be used."""
    if mention.post != "apposition" or not mention.head:
        return None
    parts = stacked(mention.sentence, mention.post_first)
    words = mention.sentence.words
    for number, (first, last) in enumerate(parts):
        if first == last or words[first].text.isdecimal() or words[first].text in {"of", "from"}:
            continue
        # A part that opens like no description of its own goes on with a list.
        rest = [words[begin].text for begin, _ in parts[number + 1 :]]
        if any(own.lower() not in _OPENING and not own.isdecimal() for own in rest):
            return None
        text = mention.sentence.between(first, last)
        part = [word.text for word in words[first : last + 1]]
        named = (own.mention.first for own in register.in_sentence(mention.sentence))
        good = _can_be_said(part, text) and not any(first <= own <= last for own in named)
        definite = _definite_nouns(mention, first, last)
        return Candidate(text, mention, definite=definite) if good else None
    return None


def _says_little(words: Sequence[str]) -> bool:
    """*player*, *former star*, *Belgian*, *delighted*: vague, or true for a moment."""
    small = [word.lower() for word in words]
    informative = set(small) - words_of("vague") - words_of("always_small")
    if not informative or all(word in words_of("never") for word in words):
        return True
    moment = small[0].endswith(("ed", "ing")) and small[0] not in words_of("describing")
    named = len(words) > 1 and words[1][0].isupper()
    return moment and not named and words[0] not in words_of("titles")


def _is_possessed(mention: Mention) -> bool:
    """*his lawyer Rosa Kemmel*; not *Italy's Prime Minister*, which is one elsewhere, too."""
    if not mention.opening or (mention.opening > 1 and mention.titles and not mention.external):
        return False
    opening = mention.sentence.words[mention.phrase_first].text.lower()
    return opening not in {"the", "a", "an"} or mention.opening > 1


def _in_coordination(mention: Mention) -> bool:
    """Tell whether the description may be of several people: *the brothers Josef and Adrian*."""
    follows = mention.sentence.text_at(mention.last + 1) in {"and", "&", "or"}
    return follows and mention.form == "nickname"


def _as_inside_sentence(text: str, mention: Mention, first: int, register: PeopleRegister) -> str:
    """Write a premodifier as it is written inside a sentence; nothing if that is not known."""
    words = mention.sentence.words
    opener, *rest = text.split(" ")
    if not mention.sentence.opens_at(first) or not opener[0].isupper():
        return text
    small = opener.lower()
    if small in words_of("always_small") or small.split("-")[0] in words_of("always_small"):
        return f"{small} {' '.join(rest)}".strip()
    if opener in words_of("never") or (opener.isupper() and len(opener) > 1):
        return text
    if not rest:
        return text if is_title(opener) or small not in words_of("roles") else small
    if rest[0] == "of" and rest[-1][0].isupper():
        return text
    known = opener in register.capital_words or bool(words[first].entity)
    if rest[0][0].islower():
        body = small in words_of("bodies") and small in register.small_words
        listed = body or small in words_of("describing") | words_of("roles")
        if listed or is_title(opener) or (small in register.small_words and not known):
            return f"{small} {' '.join(rest)}"
        if small in register.small_words:
            return ""
        return text if known or words[first].tag == "PROPN" else ""
    titled = is_title(opener) or small in words_of("describing") | words_of("bodies")
    return text if titled or known else ""


def _definite_nouns(mention: Mention, first: int, last: int) -> frozenset[str]:
    """Find the common nouns after *the*, but for the one that an apposition itself begins with."""
    words = mention.sentence.words
    found = set()
    for place in range(first, last):
        if words[place].text not in {"the", "this", "both"}:
            continue
        after = range(place + 1, min(place + 5, last + 1))
        nouns = [at for at in after if words[at].tag == "NOUN"]
        possessor = next((at for at in after if words[at].text in {"'s", "’s"}), None)
        if place == first and possessor is None:
            continue
        names = range(place + 1, min(nouns[0] + 2, last + 1)) if nouns else ()
        # The group Eckiger Tisch needs nothing that was said before.
        if nouns and not any(words[at].tag == "PROPN" for at in names):
            close = [at for at in nouns if at == nouns[0] or words[at - 1].tag in {"NOUN", "ADJ"}]
            found.add(words[close[-1] if possessor is None else nouns[0]].text.lower())
    return frozenset(found)


def _can_be_said(words: Sequence[str], text: str) -> bool:
    small = [word.lower() for word in words]
    bad = words_of("deictic") | words_of("pronouns")
    marked = any(mark in text for mark in '"“”()')
    if len(text.split()) > _LONGEST_APPOSITION or bad & set(small) or marked:
        return False
    if small[0] not in {"a", "an", "the"} | words_of("roles") | words_of("describing"):
        return False
    head = next((word for word in small if word in words_of("roles") | words_of("relations")), "")
    if not head or (head in words_of("relations") and head not in {"aide", "victim"}):
        return False
    told = {"of", "at", "who", "for", "in", "whose", "former"} & set(small)
    return small[0] != "the" or bool(told)


def premodifiers(person: Person, register: PeopleRegister, document: str) -> list[Candidate]:
    """Give the premodifiers of somebody's first mentions that can be used, the best first.

    That of the summary sentence's own document comes first, then what most documents say, then
    the longest; if it is only *Dr.*, others are not asked, for they may have had another office
    then. Where documents differ on whether somebody is *former*, only the latest of the others
    counts; what was true for a moment (*outgoing*, *acting*) is used for its own document alone.
    """
    found = [premodifier_of(own, register) for own in register.first_mentions(person)]
    usable = [own for own in found if own is not None]
    own = [one for one in usable if one.mention.sentence.document == document]
    if any(one.courtesy for one in own):
        return own
    others = [one for one in usable if one not in own and not _is_passing(one)]
    if len({_is_former(one) for one in usable}) > 1:
        others = [one for one in others[-1:] if one.mention is usable[-1].mention]
    support = Counter(map(_main, usable))
    return own + sorted(others, key=lambda one: (one.courtesy, -support[_main(one)], -one.length))


def appositions(person: Person, register: PeopleRegister, document: str) -> list[Candidate]:
    """Give usable appositions of first mentions: own document, not *former*, support, length."""
    found = [apposition_of(own, register) for own in register.first_mentions(person)]
    usable = [own for own in found if own is not None and not _is_passing(own)]
    support = Counter(map(_main, usable))
    return sorted(
        usable,
        key=lambda one: (
            one.mention.sentence.document != document,
            _is_former(one),
            -support[_main(one)],
            -one.length,
        ),
    )


def first_name_form(person: Person, register: PeopleRegister, mention: Mention) -> Candidate | None:
    """Give the full name for a first mention: as the own document has it, or the usual one."""
    full = [own for own in person.mentions if own.form == "full" and not register.is_foreign(own)]
    if not full or not _has_first_name(person):
        return None
    document = mention.sentence.document
    near = [own for own in full if own.sentence.document == document and own.head]
    usual = [own for own in full if own.name == person.name]
    # The same spelling: Apesteguía is not Sebastian Apesteguia.
    same = [own for own in (*near, *usual, *full) if mention.name in own.name]
    source = (same or near or usual or full)[0]
    return Candidate(source.name.replace(",", ""), source)


def _main(candidate: Candidate) -> str:
    """Give the word that says what somebody is: the last one, or the first that is a role."""
    words = [word.strip(",") for word in candidate.text.split()]
    roles = (word for word in words if word.lower() in words_of("roles"))
    apposition = candidate.mention.post == "apposition" and not candidate.mention.premodifiers
    return stem((next(roles, words[0]) if apposition else words[-1]).lower())


def _has_first_name(person: Person) -> bool:
    """Tell whether more than an initial is known: not of *B. Maya*."""
    name = read_name(person.name)
    given = f"{name.first} {name.middle}".split()
    return name.full and (not all(map(is_initial, given)) or len(name.first) > len("B."))


def _is_passing(candidate: Candidate) -> bool:
    small = candidate.text.lower().replace("-", " ").split()
    return any(word in words_of("passing") for word in small)


def _is_former(candidate: Candidate) -> bool:
    small = candidate.text.lower()
    return "former" in small.split() or small.startswith(("ex-", "fallen", "ousted", "deposed"))


_FEWEST_SAID: Final = 0.5


class ReadSoFar(NamedTuple):
    """A place in a summary."""

    sentences: Sequence[ParsedSentence]  # of the summary
    sentence: int
    word: int  # which is read now


#: Decides whether somebody is described at all.
Describe = Callable[[Person], bool]
#: Decides whether a description keeps its country or organization.
Affiliation = Callable[[Person, Mention, ReadSoFar], bool]


@dataclass(frozen=True, slots=True)
class Change:
    """A change of a mention that could be made."""

    start: int
    end: int
    after: str
    reason: str
    source: Mention | None = None  # the wording comes from it
    describes: bool = False  # says who somebody is


@dataclass(frozen=True)
class FirstMentions:
    """What first mentions can become."""

    register: PeopleRegister
    describe: Describe | None = None
    affiliation: Affiliation | None = None

    def options(self, named: Named, read: ReadSoFar) -> list[Change]:
        """Give what a first mention can become, the best first."""
        mention, person = named
        full = first_name_form(person, self.register, mention)
        if full is None or not mention.head or mention.possessive or _is_unclear(mention):
            return []
        if any(map(is_styled, person.mentions)):
            return []
        name_only = [self._name_only(mention, full)] if mention.form != "full" else []
        before = {bare(word) for word in mention.premodifier.split()}
        courteous = not mention.external and before <= words_of("courtesy")
        if mention.premodifiers and not courteous:
            return name_only
        if self._may_describe(mention, person):
            return [*self._described(named, full, read), *name_only]
        return name_only

    def _may_describe(self, mention: Mention, person: Person) -> bool:
        if self.describe is not None and not self.describe(person):
            return False
        if mention.form == "full" and (_somebody_is_described(mention) or in_list(mention)):
            return False
        return has_room_for_description(mention)

    def _name_only(self, mention: Mention, full: Candidate) -> Change:
        words, begin = mention.sentence.words, mention.first
        courtesy, first = words_of("courtesy"), mention.first - mention.titles
        while begin > first and bare(words[begin - 1].text) in courtesy:
            begin -= 1
        return self._change(mention, begin, full.text, "first mention: full name", full.mention)

    def _described(self, named: Named, full: Candidate, read: ReadSoFar) -> Iterator[Change]:
        mention, person = named
        document = mention.sentence.document
        begin = mention.first - mention.titles
        name = mention.name if mention.form == "full" else full.text
        before = [
            own
            for own in premodifiers(person, self.register, document)
            if not _is_said(own, mention) and _fits(own, mention)
        ]
        for own in before:
            if not own.courtesy:
                text = self._with_affiliation(own, named, read)
                reason = "first mention: full name and premodifier"
                yield self._change(mention, begin, f"{text} {name}", reason, own.mention, True)
        honor = f"{before[0].text} " if before and before[0].courtesy else ""
        if not any(not own.courtesy for own in before) and apposition_may_follow(mention):
            for own in appositions(person, self.register, document):
                if _is_understood(own, read) and not _is_said(own, mention):
                    yield self._with_apposition(mention, f"{honor}{name}", own)
        if honor and mention.form != "full":
            reason = "first mention: full name"
            yield self._change(mention, begin, honor + name, reason, before[0].mention)

    def _with_apposition(self, mention: Mention, name: str, own: Candidate) -> Change:
        words, after = mention.sentence.words, mention.last + 1
        comma = "," if words[after].text[0].isalnum() else ""
        text = f"{name}, {own.text}{comma}"
        reason = "first mention: full name and apposition"
        begin = mention.first - mention.titles
        return self._change(mention, begin, text, reason, own.mention, True)

    def _with_affiliation(self, own: Candidate, named: Named, read: ReadSoFar) -> str:
        """Leave out a country or organization where it is decided so."""
        if self.affiliation is None or self.affiliation(named.person, own.mention, read):
            return own.text
        words = own.mention.sentence.words
        first = own.mention.premodified_first
        affiliated = {
            word.text
            for word in words[first : own.mention.first - own.mention.titles]
            if word.entity in {"place", "organization"} or word.text in words_of("never")
        }
        kept = [word for word in own.text.split() if word not in affiliated]
        return " ".join(kept) if kept else own.text

    def _change(
        self,
        mention: Mention,
        begin: int,
        text: str,
        reason: str,
        source: Mention,
        describes: bool = False,
    ) -> Change:
        words = mention.sentence.words
        start, end = words[begin].start, words[mention.last].end
        if mention.sentence.opens_at(begin):
            text = text[0].upper() + text[1:]
        return Change(start, end, text, reason, source, describes)


def _fits(own: Candidate, mention: Mention) -> bool:
    """Tell whether a premodifier can stand there: in lists, only titles can."""
    if own.opens and not mention.sentence.opens_at(mention.first):
        return False
    return not (in_list(mention) and own.text.split()[-1][0].islower())


def _is_unclear(mention: Mention) -> bool:
    """Tell whether a name may stand for something else: a first name alone that does nothing."""
    after = mention.sentence.words[mention.last + 1 : mention.last + 2]
    return mention.form == "nickname" and not any(word.fine in FINITE for word in after)


def _is_said(own: Candidate, mention: Mention) -> bool:
    """Tell whether the sentence itself says what a description says."""
    if own.courtesy:
        return False
    words = role_words(own.text)
    elsewhere = mention.sentence.text.replace(mention.name, " ")
    said = words & role_words(elsewhere)
    return bool(said & _role_stems()) or len(said) >= _FEWEST_SAID * len(words)


@cache
def _role_stems() -> frozenset[str]:
    return frozenset(map(stem, words_of("roles")))


def _is_understood(own: Candidate, read: ReadSoFar) -> bool:
    """Tell whether an apposition needs nothing that was not read: *the bank's director* does."""
    earlier = " ".join(one.text for one in read.sentences[: read.sentence + 1])
    return role_words(" ".join(own.definite)) <= role_words(earlier)


def _somebody_is_described(mention: Mention) -> bool:
    """Tell whether a sentence has a phrase such as *the former chairman*, perhaps for the name."""
    words = mention.sentence.words
    return any(
        word.text in words_of("roles")
        and any(one.text.lower() == "the" for one in words[max(place - 5, 0) : place])
        for place, word in enumerate(words)
    )


def is_explained(mention: Mention) -> bool:
    """Tell whether the sentence says who somebody is: by modifiers, or as an apposition."""
    return mention.modified or in_apposition(mention)


def alike_in_pairs(
    changes: Sequence[tuple[Named, Change]], named: Sequence[Named]
) -> list[tuple[Named, Change]]:
    """Leave out changes that would drop one of two titles: *Gen. Orr and Gen. Vale*."""
    changed = {id(own.mention) for own, _ in changes}
    return [
        (own, change)
        for own, change in changes
        if change.reason.startswith("first")
        or not any(_keeps_title(other.mention, own.mention, changed) for other in named)
    ]


def _keeps_title(other: Mention, mention: Mention, changed: set[int]) -> bool:
    """Tell whether a name beside another keeps a title that the other would lose."""
    if not (mention.titles and other.titles) or id(other) in changed:
        return False
    return other.form == "last" and (_joined(mention, other) or _joined(other, mention))


def _joined(mention: Mention, other: Mention) -> bool:
    begin = other.phrase_first
    between = mention.sentence.words[mention.last + 1 : begin]
    return [word.text for word in between] in (["and"], ["&"], ["or"])
