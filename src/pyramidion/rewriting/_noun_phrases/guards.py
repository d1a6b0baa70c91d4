"""Guards: which noun phrases may be touched, and by what they may be replaced."""

from collections import Counter
from collections.abc import Sequence

from pyramidion.rewriting._articles import FINITE, ParsedSentence, balanced
from pyramidion.rewriting._noun_phrases.forms import Form, name_objection
from pyramidion.rewriting._noun_phrases.phrases import NounPhrase
from pyramidion.rewriting._noun_phrases.referring import Context, Referring, content, is_title
from pyramidion.rewriting._word_lists import nouns_of

#: Words; a longer sentence is not understood well enough.
_LONGEST = 80
_ENDS = (".", "!", "?", ";")
_SHOUTING = 0.5
#: What adds another to a noun after a comma, or takes one away.
_ADDING = frozenset(
    ("and", "or", "but", "not", "as", "along", "together", "including", "like", "such", "except")
)
_PREPOSITIONS = frozenset(("of", "from"))
#: What follows the comma between the things of a list.
_LISTED = ("NUM", "NOUN", "PROPN", "DET", "ADJ", "CCONJ", "PRON")


def sentence_objection(sentence: ParsedSentence) -> str:
    """Say why a sentence must be left alone; nothing if it need not."""
    if len(sentence.words) > _LONGEST:
        return "it is too long to be understood"
    if not balanced(sentence.text):
        return "quotation marks or brackets are not closed"
    letters = [character for character in sentence.text if character.isalpha()]
    if letters and sum(map(str.isupper, letters)) > _SHOUTING * len(letters):
        return "it is written in capitals"
    return ""


def target_objection(phrase: NounPhrase) -> str:
    """Say why a phrase must be left alone; nothing if it need not."""
    if phrase.definiteness not in ("definite", "name"):
        return f"it is {phrase.definiteness}"
    if phrase.unsafe:
        return phrase.unsafe
    if phrase.quoted or phrase.coordinated or phrase.predicate:
        return "it is quoted, coordinated or a predicate"
    if phrase.sentence.words[phrase.head].head == phrase.head:
        return "nothing is said of it"
    if _is_a_place(phrase):
        return "it is the name of a place"
    if _follows_a_modifier(phrase):
        return "what stands before it may belong to it"
    if _goes_on(phrase):
        return "what stands after it may belong to it"
    if phrase.postmodified and not _can_be_dropped(phrase):
        return "what follows its noun may not be a postmodifier"
    if phrase.postmodified and _may_complete_the_verb(phrase):
        return "what follows its noun may belong to the verb"
    return _comma_objection(phrase)


def _can_be_dropped(phrase: NounPhrase) -> bool:
    """Tell whether what follows a noun or name looks like a postmodifier."""
    words = phrase.sentence.words
    first = words[phrase.core + 1]
    if first.text == ",":
        return words[phrase.core + 2].text.lower() not in _ADDING
    if words[phrase.core].tag != "PROPN":
        return True
    return first.text in _PREPOSITIONS or first.fine in ("WP", "WDT", "VBG", "VBN")


def _may_complete_the_verb(phrase: NounPhrase) -> bool:
    """Tell whether a preposition after a noun may be its verb's: *cleared Vond of the charge*."""
    words = phrase.sentence.words
    first = words[phrase.core + 1]
    if first.tag != "ADP" and first.text != "to":
        return False
    if not any(word.tag == "VERB" for word in words[: phrase.first]):
        return False
    takes_of = any(word.lemma in nouns_of("verbs", "with_of") for word in words[: phrase.first])
    return first.text != "of" or words[phrase.core].tag == "PROPN" or takes_of


def _is_a_place(phrase: NounPhrase) -> bool:
    words = phrase.core_words
    return words[-1].entity == "place" and not any(word.tag == "NOUN" for word in words)


def _comma_objection(phrase: NounPhrase) -> str:
    """Object to commas that are not closed, or that may be those of a list."""
    commas = [word.text for word in phrase.words].count(",")
    if not commas:
        return ""
    if commas > 1 or phrase.sentence.text_at(phrase.last + 1) not in ("", ",", *_ENDS):
        return "its commas are not closed"
    words, after = phrase.sentence.words, phrase.last + 2
    if phrase.first > 0 and words[phrase.first - 1].text == ",":
        return "it may itself stand between commas"
    listed = after < len(words) and words[after].tag in _LISTED and words[after].text != "but"
    return "its commas may be those of a list" if listed else ""


def _follows_a_modifier(phrase: NounPhrase) -> bool:
    if phrase.first == 0:
        return False
    before = phrase.sentence.words[phrase.first - 1]
    joined = before.fine == "POS" or before.text in ("-", "’", "'", "/", "&")
    if joined or before.tag in ("DET", "NUM", "ADJ"):
        return True
    if phrase.definiteness != "name":
        return False
    described = is_title(phrase.words[0].text) and before.text in ("and", "or", ",", "of")
    return described or before.tag in ("NOUN", "PROPN")


def _goes_on(phrase: NounPhrase) -> bool:
    words = phrase.sentence.words
    if phrase.last + 1 >= len(words):
        return False
    after = words[phrase.last + 1]
    if after.tag in ("NOUN", "PROPN", "NUM", "ADJ") or after.fine == "POS":
        return True
    return after.text in ("of", "'s", "’s", "-", "/", "&", "(", "who", "which", "that", "whose")


def form_objection(form: Form, context: Context) -> str:
    """Say why a wording must not replace a phrase; nothing if it may."""
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
    definite = target.phrase.definiteness == "definite" and not form.text.startswith("the ")
    if definite and (target.modifiers or target.name):
        return "only one of them has an article"
    if form.introduced & (context.told | context.elsewhere):
        return "it introduces what is known"
    if form.presumed - context.said - context.elsewhere:
        return "it takes for known what was not said"
    return _loss(form, context) or _gain(form, context) or _clash(form, target)


def _loss(form: Form, context: Context) -> str:
    """Object to dropping what the reader does not know."""
    target = context.target
    if _loses_a_qualifier(form, target):
        return "one of them is qualified"
    if target.name and form.own.name:
        return name_objection(form, context)
    lost = set(content(target.phrase.text)) - set(form.words)
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
    added = set(form.words) - set(content(context.target.phrase.text))
    if added and _only_middle_names(added, form.own.name, context.target.name):
        return "only a middle name is added"
    if added & context.elsewhere:
        return "the sentence says that elsewhere"
    if max(Counter(form.words).values(), default=0) > 1:
        return "it repeats itself"
    introduces = form.postmodified or form.own.person
    if added and (context.beside or (context.mentioned and introduces)):
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


def _clash(form: Form, target: Referring) -> str:
    """Object to what would meet at the end of the new wording."""
    phrase = target.phrase
    words = phrase.sentence.words
    more = set(form.words) - {*content(phrase.text), *content(" ".join(form.own.name))}
    if more and _is_subject_of_copula(phrase):
        return "the sentence says what it is"
    if not form.postmodified or phrase.last + 1 >= len(words):
        return ""
    after = words[phrase.last + 1]
    if after.text in _ENDS or after.tag == "AUX" or after.fine in FINITE:
        return ""
    return "what follows could be read with its end"


def _is_subject_of_copula(phrase: NounPhrase) -> bool:
    words = phrase.sentence.words
    head = words[phrase.head]
    return head.relation == "subject" and any(
        word.relation == "copula" and word.head == head.head for word in words
    )
