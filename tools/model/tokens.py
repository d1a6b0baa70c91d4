"""Tune spaCy's rules for words to those of the treebanks."""

import re
from typing import Any

from spacy.attrs import ORTH
from spacy.util import compile_infix_regex, compile_prefix_regex, compile_suffix_regex

__all__ = ["tune_tokenizer"]

#: Abbreviations that spaCy does not know; titles keep their dot.
ABBREVIATIONS = [
    "Sen",
    "Gen",
    "Dr",
    "Rep",
    "Gov",
    "Lt",
    "Mr",
    "Mrs",
    "Ms",
    "Prof",
    "Rev",
    "Sgt",
    "Capt",
    "Col",
    "Maj",
    "Adm",
    "Cmdr",
    "Cpl",
    "Det",
    "Supt",
    "Sens",
    "Reps",
    "Govs",
    "Gens",
    "Drs",
    "Messrs",
    "Hon",
    "Pres",
    "Pvt",
    "Atty",
    "Amb",
    "Fr",
    "Sr",
    "Jr",
    "St",
    "Ft",
    "Mt",
    "Ave",
    "Blvd",
    "Inc",
    "Corp",
    "Ltd",
    "Co",
    "Bros",
    "Dept",
    "Univ",
    "Assn",
    "vs",
    "al",
    "Jan",
    "Feb",
    "Mar",
    "Apr",
    "Jun",
    "Jul",
    "Aug",
    "Sep",
    "Sept",
    "Oct",
    "Nov",
    "Dec",
    "Calif",
    "Mass",
    "Conn",
    "Fla",
    "Penn",
    "Pa",
    "Ill",
    "Ind",
    "Mich",
    "Minn",
    "Wis",
    "Tex",
    "Va",
    "Md",
    "Ga",
    "Ala",
    "Ark",
    "Ariz",
    "Colo",
    "Okla",
    "Ore",
    "Wash",
    "Tenn",
    "Ky",
    "Mo",
    "Miss",
    "La",
    "Vt",
    "Kan",
    "Nev",
    "Que",
    "Ont",
]
_NOT_ABBREVIATIONS = {"Mar", "Ill", "Miss", "La", "Mass", "Ind"}
#: Words that the treebanks split where spaCy does not.
SPLIT = {
    "and/or": ("and", "/", "or"),
    "wanna": ("wan", "na"),
    "Wanna": ("Wan", "na"),
    "outta": ("out", "ta"),
}
#: First parts that stay with their word.
_FIRST = (
    "anti|co|counter|e|ex|inter|mid|mini|mis|multi|non|pan|post|pre|pro|re|semi|sub|ultra|un|vice"
)
_WHOLE = re.compile(rf"(?i)^(?:(?:{_FIRST})-[a-z]+|(?:(?:\d-)?\d{{3}}-)?\d{{3}}-\d{{4}}|b/c|w/o)$")
_RUNS = [r"[!?]{2,}", r"={2,}", r"_{2,}", r"\*{2,}", r"<{2,}", r">{2,}", r"~{2,}", r"\+{2,}"]


def tune_tokenizer(nlp: Any) -> None:
    """Change the rules of a pipeline's tokenizer."""
    tokenizer, defaults = nlp.tokenizer, nlp.Defaults
    infixes = [*defaults.infixes, *_RUNS, r"(?<=[A-Za-z])-(?=[0-9])"]
    tokenizer.prefix_search = compile_prefix_regex([*_RUNS, *defaults.prefixes]).search
    tokenizer.suffix_search = compile_suffix_regex([*_RUNS, *defaults.suffixes]).search
    tokenizer.infix_finditer = compile_infix_regex(infixes).finditer
    tokenizer.token_match = _WHOLE.match
    for word in ABBREVIATIONS:
        if word not in _NOT_ABBREVIATIONS:
            tokenizer.add_special_case(f"{word}.", [{ORTH: f"{word}."}])
    for word, parts in SPLIT.items():
        tokenizer.add_special_case(word, [{ORTH: part} for part in parts])
