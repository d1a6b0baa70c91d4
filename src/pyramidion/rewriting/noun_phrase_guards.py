"""What must hold before a noun phrase is replaced: the reader must not stumble."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from pyramidion.rewriting.noun_phrase_forms import Form
from pyramidion.rewriting.phrases import NounPhrase
from pyramidion.rewriting.referring import Referring, content

__all__ = ["Context", "form_objection"]

_FINITE = ("VBD", "VBZ", "VBP", "MD")
_ENDS = (".", "!", "?", ";")


@dataclass(frozen=True, slots=True)
class Context:
    """What the summary says before a phrase is read.

    Parameters
    ----------
    target
        The phrase that may be replaced.
    elsewhere
        The words that count in the rest of its sentence, as stems.
    said
        Those of the sentences that are read before.
    told
        Those of all sentences chosen so far.
    mentioned
        Whether a sentence that is read before, or the part of its own sentence before it, is
        about the same thing already.
    beside
        Whether its own sentence is about the same thing elsewhere.
    changing
        The words before a person's name that articles do not agree in.
    dropping
        Whether what stands between commas may be dropped though it was not said.

    Examples
    --------
    >>> from pyramidion.rewriting.articles import ParsedSentence
    >>> phrase = NounPhrase(ParsedSentence("", ()), 0, 0, 0, 0, "definite")
    >>> Context(Referring(phrase, "ferry")).mentioned
    False
    """

    target: Referring
    elsewhere: frozenset[str] = frozenset()
    said: frozenset[str] = frozenset()
    told: frozenset[str] = frozenset()
    mentioned: bool = False
    beside: bool = False
    changing: frozenset[str] = frozenset()
    dropping: bool = False


def form_objection(form: Form, context: Context) -> str:
    """Say why a wording must not replace a phrase; nothing if it may.

    Parameters
    ----------
    form
        The wording.
    context
        The phrase, and what the summary says before it.

    Examples
    --------
    >>> from pyramidion.rewriting.articles import ParsedSentence
    >>> phrase = NounPhrase(ParsedSentence("", ()), 0, 0, 0, 0, "definite")
    >>> form = Form("the ferries", Referring(NounPhrase(
    ...     ParsedSentence("", ()), 0, 0, 0, 0, "definite", plural=True), "ferry"))
    >>> form_objection(form, Context(Referring(phrase, "ferry")))
    'one is singular, the other plural'
    """
    target, own = context.target, form.own
    if own.phrase.plural != target.phrase.plural and not own.name:
        return "one is singular, the other plural"
    if not target.person and own.person:
        return "one is a person, the other is not"
    if form.numbers and own.document != target.document:
        return "articles may differ in its numbers"
    if form.words == content(target.phrase.text):
        return "only small words differ"
    if _article_is_lost(form, target):
        return "only one of them has an article"
    if form.introduced & (context.told | context.elsewhere):
        return "it introduces what is known"
    if form.presumed - context.said - context.elsewhere:
        return "it takes for known what was not said"
    return _loss(form, context) or _gain(form, context) or _clash(form, target)


def _article_is_lost(form: Form, target: Referring) -> bool:
    definite = target.phrase.definiteness == "definite" and not form.text.startswith("the ")
    return definite and bool(target.modifiers or target.name)


def _loss(form: Form, context: Context) -> str:
    """Object to dropping what the reader does not know."""
    target = context.target
    lost = _without(content(_needed(context)), form.words)
    if target.name and form.own.name:
        lost -= set(content(" ".join(target.name)))
        shorter = len(form.own.name) < len(target.name)
        if shorter and not context.mentioned:
            return "the name is shortened before it was read"
        if shorter and form.own.last_name != target.last_name and not form.own.name[0].isupper():
            return "the end of the name is lost"
    elif form.own.name and not target.modifiers:
        lost -= set(content(target.noun))
    bare = set(form.words) <= set(content(" ".join((form.own.noun, *form.own.name))))
    if form.own.qualifiers != target.qualifiers and not bare and target.described:
        return "one of them is qualified"
    if lost - context.said:
        return "it drops what was not said"
    if form.own.name:
        return ""
    shorter = bool(_without(content(target.phrase.text), form.words))
    if (shorter or target.name) and not context.mentioned:
        return "nothing that is read before makes clear what it is"
    return ""


def _needed(context: Context) -> str:
    """Give the part of a phrase that must not be lost."""
    phrase = context.target.phrase
    commas = [k for k in range(phrase.core + 1, phrase.last) if _word(phrase, k) == ","]
    if context.dropping and context.target.name and commas and commas[0] == phrase.core + 1:
        return phrase.sentence.between(phrase.first, phrase.core)
    return phrase.text


def _gain(form: Form, context: Context) -> str:
    """Object to adding what the sentence says elsewhere, or to a second introduction."""
    added = _without(form.words, content(context.target.phrase.text))
    if added & context.elsewhere:
        return "the sentence says that elsewhere"
    if max(Counter(form.words).values(), default=0) > 1:
        return "it repeats itself"
    if added and (context.beside or (context.mentioned and _introduces(form))):
        return "it was introduced before"
    if added and form.own.person and form.own.document != context.target.document:
        described = added - set(content(" ".join(form.own.name)))
        qualified = form.own.qualifiers & context.changing
        if qualified or (described and (form.postmodified or described & context.changing)):
            return "articles may differ in who it is"
    return ""


def _introduces(form: Form) -> bool:
    return form.postmodified or form.own.person


def _clash(form: Form, target: Referring) -> str:
    """Object to what would meet at the end of the new wording."""
    phrase = target.phrase
    words = phrase.sentence.words
    more = _without(form.words, (*content(phrase.text), *content(" ".join(form.own.name))))
    if more and _is_subject_of_copula(phrase):
        return "the sentence tells what it is"
    if not form.postmodified or phrase.last + 1 >= len(words):
        return ""
    after = words[phrase.last + 1]
    if after.text in _ENDS or after.tag == "AUX" or after.fine in _FINITE:
        return ""
    return "what follows could be read with its end"


def _is_subject_of_copula(phrase: NounPhrase) -> bool:
    words = phrase.sentence.words
    head = words[phrase.head]
    return head.relation == "subject" and any(
        word.relation == "copula" and word.head == head.head for word in words
    )


def _word(phrase: NounPhrase, place: int) -> str:
    return phrase.sentence.words[place].text


def _without(words: Sequence[str], others: Sequence[str]) -> set[str]:
    return set(words) - set(others)
