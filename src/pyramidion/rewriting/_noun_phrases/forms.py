"""What the input calls a thing: forms of its noun phrases, as they may be written elsewhere."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from pyramidion.rewriting._articles import FINITE
from pyramidion.rewriting._noun_phrases.phrases import NounPhrase
from pyramidion.rewriting._noun_phrases.referring import (
    Context,
    Referring,
    content,
    is_courtesy,
    is_role,
    is_title,
    tells_office,
)
from pyramidion.rewriting._word_lists import measures, nouns_of
from pyramidion.text import stem
from pyramidion.text._parsing import ParsedWord


@dataclass(frozen=True, slots=True)
class LowercaseWords:
    """Which words an input writes in small letters, and which with capitals within sentences."""

    small_words: frozenset[str] = frozenset()
    capital_words: frozenset[str] = frozenset()

    @classmethod
    def of(cls, sentences: Iterable[Sequence[ParsedWord]]) -> "LowercaseWords":
        """Look at the words of sentences."""
        rest = [word.text for words in sentences for word in words[1:]]
        small = frozenset(text for text in rest if text.islower())
        capital = (text for text in rest if text[:1].isupper() and not text.isupper())
        return cls(small, frozenset(text.lower() for text in capital))

    def small(self, words: Sequence[ParsedWord]) -> bool:
        """Tell whether the first word of a description is written small: *analyst Korda*."""
        text = words[0].text.lower()
        if len(words) < 2 or text in self.capital_words - self.small_words:
            return False
        if words[0].entity or not words[1].text.islower():
            return is_role(text)
        return text in self.small_words or is_title(text) or words[0].fine == "NN"

    def capital(self, word: ParsedWord) -> bool:
        """Tell whether a word is known to have a capital, as a name or a title."""
        name = word.text.isupper() or bool(word.entity)
        return name or is_title(word.text) or word.text.lower() in self.capital_words


#: Words; a longer phrase is not put into another sentence.
LONGEST = 14
_RELATIVE = ("WDT", "WP")
_DESCRIBING = ("DET", "ADJ", "NOUN", "PROPN", "NUM")
#: What goes on into the phrase after it.
_OPEN = ("NOUN", "PROPN", "ADJ", "NUM", "DET", "X")
_MARKS = frozenset(',;:"“”()[]—–`')


@dataclass(frozen=True, slots=True)
class Form:
    """A wording of a noun phrase."""

    text: str  # as it stands within a sentence
    own: Referring  # the phrase it comes from
    postmodified: bool = False
    comma: bool = False  # needs one after it within a sentence
    numbers: bool = False  # has some, which articles on one event differ in
    introduced: frozenset[str] = frozenset()  # nouns with *a*, as stems
    presumed: frozenset[str] = frozenset()

    @property
    def words(self) -> tuple[str, ...]:
        """The words that count in it, as stems."""
        return content(self.text)


def forms_of(members: Iterable[Referring], letters: LowercaseWords | None = None) -> list[Form]:
    """Give the wordings of phrases that are about the same thing, each once.

    From each phrase come the noun with what stands before it, the same with what follows *of*, and
    the whole phrase where it is certain where it ends: before its verb, or with the sentence. What
    was introduced with *a* is spoken of with *the* from then on.
    """
    members = list(members)
    with_article = {own.name for own in members if own.phrase.definiteness == "definite"}
    found: dict[str, Form] = {}
    for own in members:
        if own.phrase.definiteness == "name" and own.name in with_article:
            continue
        for form in _variants(own, letters or LowercaseWords()):
            found.setdefault(form.text, form)
    return list(found.values())


def raw_form(own: Referring) -> Form:
    """Give a phrase as it stands."""
    return Form(own.phrase.text, own, own.phrase.postmodified)


def _variants(own: Referring, letters: LowercaseWords) -> Iterator[Form]:
    phrase = own.phrase
    if phrase.quoted or phrase.predicate or not _can_be_definite(own):
        return
    if phrase.unsafe.startswith("a name") or phrase.sentence.text.isupper():
        return
    if own.name and not (_title_before(own) if own.person else _kind_before(own)):
        return
    strange = any(word.text[0] in _MARKS or word.tag == "ADV" for word in phrase.core_words)
    if strange or _is_cut(own):
        return
    for last in _ends(phrase):
        form = _form(own, last, letters)
        if form is not None:
            yield form


def _is_cut(own: Referring) -> bool:
    """Tell whether what stands before a phrase may belong to it: *leader of [Opposition Vond]*."""
    phrase = own.phrase
    if phrase.first == 0:
        return False
    before = phrase.sentence.words[phrase.first - 1]
    if before.end == phrase.start and before.text[-1] in "-–/&":
        return True
    if phrase.words[0].tag == "DET" or not own.described:
        return False
    if before.tag == "CCONJ" or before.text in ("of", "for"):
        names = max(own.name_words, 1)
        return not own.person or not is_title(phrase.core_words[-names - 1].text)
    return before.tag in _OPEN or before.text in ("&", "/")


def _can_be_definite(own: Referring) -> bool:
    """Tell whether a phrase can be spoken of with *the*, or by its name."""
    phrase = own.phrase
    if phrase.definiteness in ("definite", "name"):
        return True
    article = phrase.words[0].text.lower() in ("a", "an")
    return phrase.definiteness == "indefinite" and article and not phrase.plural


def _title_before(own: Referring) -> bool:
    """Tell whether what stands before a person's name can be a title or description."""
    words = own.phrase.core_words[: -own.name_words]
    if words and (words[-1].tag not in ("NOUN", "PROPN") or words[-1].fine in ("NNS", "NNPS")):
        return False
    return all(word.tag in _DESCRIBING or word.text in ("of", "-", "'s", "’s") for word in words)


def _kind_before(own: Referring) -> bool:
    """Tell whether at most a kind stands before a name: *the (passenger) ferry Maren Star*."""
    phrase = own.phrase
    words = phrase.sentence.words[phrase.first : phrase.core + 1 - own.name_words]
    kinds = [word for word in words if word.tag != "DET"]
    if not kinds:
        return True
    common = all(word.tag == "NOUN" and word.text.lower() == word.lemma for word in kinds)
    return common and len(kinds) <= 2 and words[0].text.lower() == "the"


def _ends(phrase: NounPhrase) -> list[int]:
    """Give the places where a phrase may be taken to end."""
    ends = [phrase.core]
    if phrase.postmodified and not phrase.unsafe and not phrase.coordinated:
        after = _after_of(phrase)
        if after > phrase.core:
            ends.append(after)
        if _ends_for_certain(phrase) and phrase.last not in ends:
            ends.append(phrase.last)
    return ends


def _after_of(phrase: NounPhrase) -> int:
    """Go on through *of the Linden Road depot* or *released by the institute*."""
    words, place = phrase.sentence.words, phrase.core
    if place + 2 < phrase.last and words[place + 1].fine == "VBN" and words[place + 2].text == "by":
        place += 1
    while place + 1 < phrase.last and words[place + 1].text in ("of", "by"):
        end = place + 1
        while end < phrase.last and words[end + 1].tag in ("DET", "ADJ", "NOUN", "PROPN", "NUM"):
            end += 1
        if words[end].tag not in ("NOUN", "PROPN"):
            break
        place = end
    return place if words[place].tag in ("NOUN", "PROPN") else phrase.core


def _ends_for_certain(phrase: NounPhrase) -> bool:
    """Tell whether a phrase ends before its verb, or with the sentence after a comma."""
    words = phrase.sentence.words
    if words[phrase.head].relation not in ("subject", "object") or phrase.last + 1 >= len(words):
        return False
    commas = "," in [word.text for word in phrase.words]
    after = phrase.last + 1
    if commas and after == len(words) - 1 and words[after].tag == "PUNCT":
        return words[phrase.core + 1].text == ","
    after += words[after].text == "," and commas
    while after < len(words) - 1 and words[after].tag == "ADV":
        after += 1
    return words[after].tag == "AUX" or words[after].fine in FINITE


def _form(own: Referring, last: int, letters: LowercaseWords) -> Form | None:
    phrase = own.phrase
    words = phrase.sentence.words[phrase.first : last + 1]
    if len(words) > LONGEST or any(map(_points, words)) or not _finished(words):
        return None
    post = phrase.sentence.words[phrase.core + 1 : last + 1]
    text = _within_a_sentence(own, last, letters)
    if not text or _goes_on(phrase, last) or not _describes(post):
        return None
    return Form(
        text,
        own,
        postmodified=bool(post),
        comma=any(word.text == "," for word in post),
        numbers=any(map(_counts, words)),
        introduced=frozenset(_introduced(words[1:])),
        presumed=frozenset(_presumed(words)),
    )


def _points(word: ParsedWord) -> bool:
    """Tell whether a word points at something that is not clear elsewhere."""
    relative = word.fine in _RELATIVE or (word.text == "that" and word.tag != "DET")
    return word.text.lower() in nouns_of("pointing") and not relative


def _finished(words: Sequence[ParsedWord]) -> bool:
    """Tell whether a wording begins and ends in words that it can begin and end in."""
    begun = words[0].tag in ("DET", "ADJ", "NOUN", "PROPN", "NUM")
    return begun and words[-1].tag not in ("ADP", "DET", "CCONJ", "SCONJ", "PUNCT", "AUX", "PART")


def _goes_on(phrase: NounPhrase, last: int) -> bool:
    """Tell whether a word goes on after its end: *a meat[-eating animal]*."""
    after = phrase.sentence.text[phrase.sentence.words[last].end :]
    return bool(after) and after[0] in "-–/&" and not after[1:2].isspace()


def _describes(post: Sequence[ParsedWord]) -> bool:
    """Tell whether what follows a comma has a noun, a number or a clause."""
    if not post or post[0].text != ",":
        return True
    return any(word.tag in ("NOUN", "PROPN", "NUM") or word.fine in _RELATIVE for word in post)


def _introduced(words: Sequence[ParsedWord]) -> Iterator[str]:
    for place, word in enumerate(words):
        if word.text.lower() in ("a", "an"):
            nouns = [own for own in words[place + 1 : place + 5] if own.tag == "NOUN"]
            yield from (stem(own.text.lower()) for own in nouns[-1:])


def _presumed(words: Sequence[ParsedWord]) -> Iterator[str]:
    """Find common nouns that possess something."""
    for word, after in pairwise(words):
        if word.tag == "NOUN" and (after.fine == "POS" or after.text in ("'s", "’s")):
            yield stem(word.text.lower())


def _counts(word: ParsedWord) -> bool:
    """Tell whether a word has a number that articles may differ in; ages of things are none."""
    return (word.tag == "NUM" or measures(word.text)) and not word.text.endswith("-old")


def _within_a_sentence(own: Referring, last: int, letters: LowercaseWords) -> str:
    """Write a phrase as it stands within a sentence; nothing if that is not known."""
    phrase = own.phrase
    text = " ".join(phrase.sentence.between(phrase.first, last).split())
    first = phrase.words[0]
    if first.text.lower() in ("a", "an"):
        return "the" + text[len(first.text) :]
    small = text[:1].lower() + text[1:]
    if first.tag == "DET" or first.text == "The" or first.text.lower() in nouns_of("qualifying"):
        return small
    if phrase.first > 0 or not own.described or not first.text[0].isupper():
        return text
    if len(phrase.core_words) > own.name_words + 1 and phrase.words[1].text[0].isupper():
        return text
    return small if letters.small(phrase.words[:2]) else text if letters.capital(first) else ""


#: What stands beside a number where only an age is told.
_AGE = frozenset((",", "who", "is", "was", "aged", "age", "years", "old", "now"))


def name_objection(form: Form, context: Context) -> str:
    """Say why a wording must not replace a name; nothing if it may."""
    return (
        _loss_of_name(form, context)
        or _loss_of_whose(form, context)
        or _loss_before(form, context)
        or _loss_after(form, context)
        or _gain_of_courtesy(form, context)
    )


def is_introduced(own: Referring) -> bool:
    """Tell whether a phrase with a name tells who or what that is."""
    phrase = own.phrase
    if own.noun or tells_office(_before(own)) or phrase.postmodified:
        return True
    return bool(phrase.words) and phrase.sentence.words[phrase.head].relation == "apposition"


def _loss_of_name(form: Form, context: Context) -> str:
    name, own = context.target.name, form.own.name
    if len(own) >= len(name):
        return ""
    if not context.mentioned:
        return "the name is shortened before it was read"
    if own[-1].lower() != context.target.last_name and not own[0].isupper():
        return "the end of the name is lost"
    first = set(content(name[0])) - set(form.words)
    return "the first name was not read before" if first - context.said_of_it else ""


def _loss_of_whose(form: Form, context: Context) -> str:
    """Object to *chief executive Vond* of *Vond, the chief executive of Tessaly Bank*."""
    if not _before(form.own):
        return ""
    target = context.target
    rest = [*target.phrase.core_words[: -target.name_words], *_after(target)]
    names = set(content(" ".join(word.text for word in rest if word.tag == "PROPN")))
    titles = {word for word in names if is_title(word)}
    lost = names - titles - set(form.words)
    return "it drops whose office that is" if lost else ""


def _gain_of_courtesy(form: Form, context: Context) -> str:
    added = set(_before(form.own)) - set(_before(context.target))
    longer = len(form.own.name) > len(context.target.name)
    courtesy = added and not longer and all(map(is_courtesy, added))
    return "a courtesy title says nothing" if courtesy else ""


def _loss_before(form: Form, context: Context) -> str:
    """Object to a title that is lost where it is needed."""
    lost = set(content(" ".join(_before(context.target)))) - set(form.words)
    if not lost or (tells_office(_before(form.own)) and not lost - context.said):
        return ""
    if len(form.own.name) > 1 or _before(form.own):
        return "a title is lost before a full name"
    known = context.mentioned and not lost - context.said_of_it
    return "" if known else "it drops what was not said"


def _loss_after(form: Form, context: Context) -> str:
    """Object to a description that is lost where it is needed."""
    dropped = _after(context.target)
    lost = set(content(" ".join(word.text for word in dropped))) - set(form.words)
    if not lost or (context.mentioned and not lost - context.said_of_it):
        return ""
    if not context.dropping or dropped[0].text != ",":
        return "it drops what was not said"
    if _is_age(dropped):
        return ""
    if not (tells_office(_before(form.own), least=2) or (context.mentioned and context.described)):
        return "nothing else makes clear who or what it is"
    names = set(content(" ".join(word.text for word in dropped if word.tag == "PROPN")))
    return "it drops a name that was not said" if names - context.said else ""


def _is_age(words: Sequence[ParsedWord]) -> bool:
    rest = [word for word in words if word.text.lower() not in _AGE]
    return len(rest) == 1 and rest[0].tag == "NUM"


def _before(own: Referring) -> list[str]:
    """Give the words between the beginning of a phrase and its name, without articles."""
    words = own.phrase.core_words
    before = words[: len(words) - own.name_words]
    return [word.text for word in before if word.tag != "DET"]


def _after(own: Referring) -> Sequence[ParsedWord]:
    phrase = own.phrase
    return phrase.sentence.words[phrase.core + 1 : phrase.last + 1]
