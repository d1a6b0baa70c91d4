"""What a name must keep when it is reworded: the reader must know who or what that is."""

from collections.abc import Sequence

from pyramidion.rewriting.noun_phrase_context import Context
from pyramidion.rewriting.noun_phrase_forms import Form
from pyramidion.rewriting.noun_phrase_titles import is_courtesy, is_title, tells_office
from pyramidion.rewriting.referring import Referring, content
from pyramidion.text._parsing import ParsedWord

__all__ = ["is_introduced", "name_objection"]

#: What stands beside a number where only an age is told.
_AGE = frozenset((",", "who", "is", "was", "aged", "age", "years", "old", "now"))


def name_objection(form: Form, context: Context) -> str:
    """Say why a wording must not replace a name; nothing if it may.

    Parameters
    ----------
    form
        A wording with a name.
    context
        The phrase, which has a name too, and what the summary says before it.

    Examples
    --------
    >>> from pyramidion.rewriting.articles import ParsedSentence
    >>> from pyramidion.rewriting.phrases import NounPhrase
    >>> phrase = NounPhrase(ParsedSentence("", ()), 0, -1, 0, -1, "name")
    >>> full, last = Referring(phrase, "", ("Ilse", "Korda")), Referring(phrase, "", ("Korda",))
    >>> name_objection(Form("Korda", last), Context(full))
    'the name is shortened before it was read'
    """
    return (
        _loss_of_name(form, context)
        or _loss_of_whose(form, context)
        or _loss_before(form, context)
        or _loss_after(form, context)
        or _gain_of_courtesy(form, context)
    )


def is_introduced(own: Referring) -> bool:
    """Tell whether a phrase with a name tells who or what that is.

    Parameters
    ----------
    own
        A phrase.

    Examples
    --------
    >>> from pyramidion.rewriting.articles import ParsedSentence
    >>> from pyramidion.rewriting.phrases import NounPhrase
    >>> phrase = NounPhrase(ParsedSentence("", ()), 0, -1, 0, -1, "name")
    >>> is_introduced(Referring(phrase, "ferry", ("Maren", "Star")))
    True
    """
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
    return "a courtesy title tells nothing" if courtesy else ""


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
