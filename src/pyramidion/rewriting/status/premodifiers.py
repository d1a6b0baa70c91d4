"""Words before a name as a description that can follow *X is*."""

from collections.abc import Collection

from pyramidion.rewriting.people.mention import Mention
from pyramidion.rewriting.people.words import bare, words_of
from pyramidion.rewriting.status.affiliation import territory_of
from pyramidion.rewriting.status.bodies import bodies_in
from pyramidion.rewriting.status.guards import says_who, stands_alone
from pyramidion.rewriting.status.wording import with_article
from pyramidion.rewriting.status.words import spelled_title, status_words

__all__ = ["spelled_premodifier"]

_NOUNS = ("NOUN", "PROPN")
_PLURAL = ("NNS", "NNPS")
#: More than these before a name is a parser's mistake.
_MOST = 7


def spelled_premodifier(mention: Mention, small: Collection[str] = ()) -> tuple[str, str] | None:
    """Write the words before a name as a noun phrase, and give its main noun.

    Abbreviations are written in full, titles and the sentence's first word in small letters,
    and courtesy titles are left out.

    Parameters
    ----------
    mention
        A mention by name.
    small
        Words that the input writes in small letters.

    Examples
    --------
    >>> from pyramidion.rewriting.articles import ParsedSentence
    >>> from pyramidion.text._parsing import ParsedWord
    >>> words = (ParsedWord("Gov.", "gov.", "PROPN", 1, "title", 0),
    ...          ParsedWord("Ode", "Ode", "PROPN", 1, "root", 5))
    >>> spelled_premodifier(Mention(ParsedSentence("Gov. Ode", words), 1, 1, "last", titles=1))
    ('a governor', 'governor')
    """
    sentence = mention.sentence
    places = range(mention.premodified_first, mention.first)
    named = _capital_places(mention) | {place for place in places if _is_name(mention, place)}
    capitals = {
        place for place in named if place > 0 or sentence.words[0].text.lower() not in small
    }
    spelled = {place: _spelled(mention, place, capitals) for place in places}
    kept = [place for place in places if spelled[place]]
    words = [sentence.words[place] for place in kept]
    if not kept or len(kept) > _MOST or not mention.head or not stands_alone(words):
        return None
    noun = words[-1].tag in _NOUNS or kept[-1] >= mention.first - mention.titles
    if not noun or words[-1].fine in _PLURAL or _has_verb(mention):
        return None
    text = _joined(mention, kept, spelled)
    head = spelled[kept[-1]].lower()
    if not says_who(head, text.lower().split()):
        return None
    return with_article(text, head, of_something=len(kept) > 1), head


def _capital_places(mention: Mention) -> set[int]:
    """Give the places of words before a name that belong to other names."""
    places = range(mention.premodified_first, mention.first - mention.titles)
    bodies = bodies_in(mention.sentence, beside=places)
    found = {place for own in bodies for place in range(own.first, own.last + 1)}
    return found | ({mention.first - mention.titles - 1} if territory_of(mention) else set())


def _spelled(mention: Mention, place: int, capitals: set[int]) -> str:
    """Spell a word before a name as it stands in a sentence on its own; nothing for *Mr.*."""
    text = mention.sentence.words[place].text
    plain = text.lower().replace(".", "")
    named = any(bare(part) in words_of("titles") for part in text.split("-"))
    is_title = named or place >= mention.first - mention.titles
    if plain in status_words("empty_titles"):
        return ""
    if is_title or text.endswith("."):
        full = spelled_title(plain)
        if full is not None:
            return full
    keeps = place in capitals or bare(text) in status_words("capitals")
    office = place + 1 < mention.first and bare(mention.sentence.words[place + 1].text)
    department = office and office in words_of("titles") - status_words("territorial")
    return text.lower() if (is_title or place == 0 or department) and not keeps else text


def _is_name(mention: Mention, place: int) -> bool:
    """Tell whether a word before a name keeps its capital: *Lumora CEO*, *Uno-X rider*."""
    word = mention.sentence.words[place]
    whole = mention.sentence.text[word.start :].split(maxsplit=1)[0]
    if word.text.isupper() or any(map(str.isupper, whole[1:])):
        return True
    small = word.text.lower()
    known = words_of("describing") | words_of("roles") | words_of("bodies")
    listed = small in known or bare(word.text) in words_of("titles") | words_of("offices")
    title_follows = (
        place + 1 < mention.first and mention.sentence.words[place + 1].text[0].isupper()
    )
    proper = word.tag == "PROPN" or word.fine == "NNP" or (word.tag == "ADJ" and title_follows)
    return place == 0 and proper and not listed


def _joined(mention: Mention, kept: list[int], spelled: dict[int, str]) -> str:
    """Join words as they stand, so that *two-term* is one."""
    words, text = mention.sentence.words, ""
    for place in kept:
        apart = text and words[place].start > words[place - 1].end
        text += f"{' ' if apart else ''}{spelled[place]}"
    return text


def _has_verb(mention: Mention) -> bool:
    """Tell whether more than a description was read: *the party ousted Gov. Boyle*."""
    words = mention.sentence.words[mention.premodified_first : mention.first]
    return any(word.fine in ("VBD", "VBZ", "VBP", "MD") for word in words)
