"""The tokens that grammar is about: words, clitics and marks, with where they stand.

As Universal Dependencies and the Penn Treebank cut English: ``don't`` is ``do`` and ``n't``,
``Ada's`` is ``Ada`` and ``'s``, a ``15-year term`` has a hyphen between two words while
``co-founder`` is one, ``$2.5`` is a sign and a number, ``Sen.`` and ``U.S.`` keep their stops.
The tokens of :mod:`pyramidion.text.tokens` are for counting; these are for tagging and parsing.
"""

import re
from functools import cache
from typing import Final, NamedTuple

from pyramidion.text.abbreviations import lexicon

__all__ = ["Token", "grammar_tokens"]

#: Prefixes that stay with what follows their hyphen.
_PREFIXES: Final = (
    "anti arch bi co counter cross de e ex extra hyper infra inter intra macro mega meta micro mid "
    "mini mono multi neo non over para post pre pro proto pseudo psycho quasi re semi socio sub "
    "super trans tri ultra un under uni vice"
)
#: Second parts of Korean and Chinese given names, which are written small after a hyphen.
_SYLLABLES: Final = (
    "bian bin chan chen cheol chi ching chiu chu chul chun chung dong eun fai fan fang feng fu "
    "fung gen geun gil hao hee ho hong hoon hsiung hui hun hwa hwan hye hyeok hyeon hyuk hyun "
    "il in jae jen jeong jeou ji jin jong joo joon ju jui jun jung kai kang keun keung ki kit "
    "kuei kuk kun kwan kwon kwong kyu kyun kyung lai lam lan li lin ling lun lung man mei mi "
    "min ming moon mun myung nam nan ngor ok pei ping pyo rae ran rok sang seo seok seon seong "
    "seung shek sheng shik shin sik sim siu soo sook su suk sun sung tae tai tao tek teng to "
    "tsai tung un wah wai wan wen wing won woo wook xing yan yee yen yeol yeon yi yin ying yong "
    "yoon young yu yuan yue yuk yul yun"
)
#: Words that are two, and how long the first is.
_FUSED: Final = {
    "cannot": 3,
    "gonna": 3,
    "gotta": 3,
    "wanna": 3,
    "gimme": 3,
    "lemme": 3,
    "dont": 2,
    "didnt": 3,
    "doesnt": 4,
    "isnt": 2,
    "wasnt": 3,
    "wouldnt": 5,
    "couldnt": 5,
    "havent": 4,
    "arent": 3,
    "im": 1,
    "ive": 1,
    "thats": 4,
    "theres": 5,
    "whats": 4,
    "youre": 3,
    "theyre": 4,
}


class Token(NamedTuple):
    """A token and where it begins.

    Examples
    --------
    >>> Token("rain", 4).end
    8
    """

    text: str
    start: int

    @property
    def end(self) -> int:
        """Where it ends."""
        return self.start + len(self.text)


def grammar_tokens(sentence: str) -> list[Token]:
    """Cut a sentence into tokens; all characters but blanks are in one of them.

    Parameters
    ----------
    sentence
        A sentence, as it was written.

    Examples
    --------
    >>> [token.text for token in grammar_tokens("Sen. Snowe's 2-year plan didn't cost $2.5m.")]
    ['Sen.', 'Snowe', "'s", '2', '-', 'year', 'plan', 'did', "n't", 'cost', '$', '2.5', 'm', '.']
    >>> grammar_tokens("U.S. rain")
    [Token(text='U.S.', start=0), Token(text='rain', start=5)]
    """
    tokens: list[Token] = []
    for found in _pattern().finditer(sentence):
        text, start = found.group(), found.start()
        cut = _FUSED.get(text.lower()) if found.lastgroup == "word" else None
        if cut:
            tokens += [Token(text[:cut], start), Token(text[cut:], start + cut)]
        else:
            tokens.append(Token(text, start))
    return tokens


@cache
def _pattern() -> re.Pattern[str]:
    known = sorted(lexicon("en").abbreviations, key=len, reverse=True)
    abbreviations = "|".join(re.escape(own) for own in known if own.lower() not in _ALSO_WORDS)
    parts = (part.replace("ABBREVIATIONS", abbreviations) for part in _PARTS)
    return re.compile("|".join(parts))


#: Abbreviations that are words of their own more often at the end of a sentence.
_ALSO_WORDS: Final = {
    *("art", "dec", "est", "ext", "fig", "in", "mar", "mass", "min", "miss", "no", "ore", "sat"),
    *("sun", "wash"),
}

_CLITICS: Final = r"['’`](?:s|re|ve|ll|d|m)(?!\w)"
_LETTER: Final = r"[^\W\d_]"

#: What a token may be, the first that fits at a place is taken.
_PARTS: Final = (
    # Addresses.
    r"(?:https?://|www\.)\S+?(?=[.,;:!?)\]\"'>]*(?:\s|$))",
    r"[\w.+-]+@\w[\w-]*(?:\.[\w-]*\w)+",
    r"(?<!\w)[@#][A-Za-z_]\w+",
    r"\w[\w-]*(?:\.[\w-]+)*\.(?:com|org|net|gov|edu|info|co\.uk|html?|pdf|docx?|xlsx?)(?!\w)",
    # Letters with stops (U.S., a.m.), abbreviations, initials that something follows.
    rf"(?<!\w){_LETTER}(?:\.{_LETTER})+(?!\w)\.?",
    r"(?<!\w)(?:Ph\.D|M\.Sc|B\.Sc)\.?",
    r"(?<![\w'’])(?:ABBREVIATIONS)\.(?!\w)",
    rf"(?<![\w'’])(?!I\.){_LETTER}\.(?=[\s,]*\w)",
    # Numbers, dates, times, ordinals; months and No. before a number.
    r"(?<!\w)(?:No|Nos|Dec|Mar|Sat|Sun)\.(?=\s?\d)",
    r"\d+(?:[.,:/]\d+)*(?=(?i:[ap]m|bn|[ckm]m|ft|[gkm]b|hrs?|[km]g?|lbs?|mph|x|yrs?)(?!\w))",
    r"(?<!\w)[+]?\d{3,}(?:-\d{3,})+(?!\w)",
    r"(?:(?<!\w)[.])?\d+(?:[.,:/]\d+)*(?:['’]s|\w*)(?!\w)",
    # Clitics and what stands before them.
    rf"(?:(?!n['’`]t)\w)+?(?=n['’`]t(?!\w))|n['’`]t(?!\w)|{_CLITICS}",
    # Smileys, runs of marks.
    r"[:;=]-?[)(DP](?!\w)|<<+|>>+|\[\.\.\.\]|\.\.+|…|--+|==+|\*\*+|__+|~~+|\$\$+|[!?]+|''|``|’’",
    # Words that keep their hyphen or apostrophe.
    rf"(?i:(?<!\w)(?:{_PREFIXES.replace(' ', '|')})-(?={_LETTER})\w+)",
    rf"(?<!\w)[A-Z][a-z]+-(?:{_SYLLABLES.replace(' ', '|')})(?!\w)",
    r"US\$|(?<!\w)[A-Z]+&[A-Z]+(?!\w)",
    rf"(?P<word>{_LETTER}\w*(?:['’](?!(?:s|re|ve|ll|d|m)(?!\w)){_LETTER}\w*)*)",
    r"\w+|\S",
)
