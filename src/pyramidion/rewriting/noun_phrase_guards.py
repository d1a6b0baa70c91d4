"""What must hold before a noun phrase is replaced: the reader must not stumble."""

from collections import Counter
from collections.abc import Sequence

from pyramidion.rewriting.noun_lists import nouns_of
from pyramidion.rewriting.noun_phrase_context import Context
from pyramidion.rewriting.noun_phrase_forms import Form
from pyramidion.rewriting.noun_phrase_names import name_objection
from pyramidion.rewriting.phrases import NounPhrase
from pyramidion.rewriting.referring import Referring, content

__all__ = ["form_objection"]

_FINITE = ("VBD", "VBZ", "VBP", "MD")
_ENDS = (".", "!", "?", ";")


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
    if own.phrase.plural != target.phrase.plural:
        return "one is singular, the other plural"
    if not target.person and own.person:
        return "one is a person, the other is not"
    if form.numbers and own.document != target.document:
        return "articles may differ in its numbers"
    if form.words == content(target.phrase.text):
        return "only small words differ"
    if not own.person and (own.adjectives ^ target.adjectives) & nouns_of("distinguishing"):
        return "one of several is meant"
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
    if _loses_a_qualifier(form, target):
        return "one of them is qualified"
    if target.name and form.own.name:
        return name_objection(form, context)
    lost = _without(content(target.phrase.text), form.words)
    if form.own.name and not target.modifiers and context.described:
        lost -= set(content(target.noun))
    if lost - context.said:
        return "it drops what was not said"
    if not form.own.name and (lost or target.name) and not context.mentioned:
        return "nothing that is read before makes clear what it is"
    return ""


def _loses_a_qualifier(form: Form, target: Referring) -> bool:
    """Tell whether *the former director* would become *the director*."""
    own = form.own
    if set(form.words) <= set(content(" ".join((own.noun, *own.name)))):
        return False
    after = own.qualified_after if form.postmodified else frozenset()
    if target.described or target.qualified_after:
        return own.qualifiers | after != target.qualifiers | target.qualified_after
    return False


def _gain(form: Form, context: Context) -> str:
    """Object to adding what the sentence says elsewhere, or to a second introduction."""
    added = _without(form.words, content(context.target.phrase.text))
    if added and _only_middle_names(added, form.own.name, context.target.name):
        return "only a middle name is added"
    if added & context.elsewhere:
        return "the sentence says that elsewhere"
    if max(Counter(form.words).values(), default=0) > 1:
        return "it repeats itself"
    if added and (context.beside or (context.mentioned and _introduces(form))):
        return "it was introduced before"
    if added and form.own.person and form.own.document != context.target.document:
        described = added - set(content(" ".join(form.own.name)))
        changing = context.changing & (described | nouns_of("qualifying"))
        if described and (form.postmodified or changing):
            return "articles may differ in who it is"
    return ""


def _only_middle_names(added: set[str], new: Sequence[str], old: Sequence[str]) -> bool:
    middle = set(content(" ".join(new[1:-1])))
    same_ends = (*old[:1], *old[-1:]) == (*new[:1], *new[-1:])
    return len(old) > 1 and same_ends and added <= middle


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
