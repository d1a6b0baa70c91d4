"""What is to be rewritten in summaries, and how."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from pyramidion.errors import FormatError, InputError, Where
from pyramidion.rewriting.articles import Articles
from pyramidion.rewriting.coreference import RULES, CorefRule
from pyramidion.rewriting.noun_phrase_sessions import COMPOSITIONS, NounPhraseComposition
from pyramidion.rewriting.noun_phrases import NounPhraseRewriter
from pyramidion.rewriting.people.first_mentions import ReadSoFar
from pyramidion.rewriting.people.mention import Mention, Person
from pyramidion.rewriting.people.rewrite import PeopleRewriter
from pyramidion.rewriting.people.sequences.files import read_chains
from pyramidion.rewriting.people.sequences.sampling import drawing_limit
from pyramidion.rewriting.status.affiliation import include_affiliation, salience_list
from pyramidion.rewriting.status.model import Status, StatusModel, default_model, status_of

__all__ = ["DESCRIBE", "KINDS", "VARIATIONS", "RewriteOptions"]

#: What can be rewritten.
KINDS = ("np", "np-raw", "people")
#: Who is described at first mention.
DESCRIBE = ("all", "new")
#: How later mentions of people are worded.
VARIATIONS = ("rules", "sampled")


@dataclass(frozen=True, slots=True)
class RewriteOptions:
    """What is to be rewritten in summaries, and how.

    Parameters
    ----------
    kinds
        ``np``: noun phrases, with guards; ``np-raw``: as it was published, without them;
        ``people``: references to people. Noun phrases come first, and leave people alone where
        these are rewritten, too.
    composition
        How noun phrases are weighed: ``sum`` or ``average``.
    coref
        How coreference is told: ``names``, or ``head`` as in the thesis.
    describe
        Who is described at first mention: ``all``, or those whom the reader does not know
        (``new``); the affiliations of these are told where they are needed.
    variation
        Whether later mentions follow the ``rules``, or are ``sampled`` as texts vary them.
    seed
        Where chance begins.
    pipeline
        What parses, see `load_parser`.
    status
        A file with a model of cognitive status, see `StatusModel`; that of the package if none is
        given.
    chains
        A file of chains, see `read_chains`, whose limit later mentions are drawn from; that of
        the thesis if none is given.

    Examples
    --------
    >>> RewriteOptions(("people",)).kinds
    ('people',)
    >>> RewriteOptions(("nouns",))
    Traceback (most recent call last):
    pyramidion.errors.InputError: 'nouns' cannot be rewritten; give np, np-raw or people
    """

    kinds: tuple[str, ...] = ()
    composition: str = "sum"
    coref: str = "names"
    describe: str = "all"
    variation: str = "rules"
    seed: int = 0
    pipeline: str = ""
    chains: str = ""
    status: str = ""

    def __post_init__(self) -> None:
        for kind in self.kinds:
            if kind not in KINDS:
                raise InputError(f"{kind!r} cannot be rewritten", hint="give np, np-raw or people")
        if {"np", "np-raw"} <= {*self.kinds}:
            raise InputError("np and np-raw exclude each other", hint="give one of them")
        _require_one_of("F_RW (--frw)", self.composition, COMPOSITIONS)
        _require_one_of("--coref", self.coref, RULES)
        _require_one_of("--describe", self.describe, DESCRIBE)
        _require_one_of("--later", self.variation, VARIATIONS)
        self._refuse_what_has_no_effect()

    def _refuse_what_has_no_effect(self) -> None:
        """Refuse what was asked for but would change nothing."""
        given = [
            ("--frw", self.composition != "sum", self.noun_phrases, "np"),
            ("--coref", self.coref != "names", "np" in self.kinds, "np"),
            ("--describe", self.describe != "all", self.people, "people"),
            ("--later", self.variation != "rules", self.people, "people"),
            ("--chains", bool(self.chains), self.variation == "sampled", ""),
        ]
        for option, asked, heeded, kind in given:
            if asked and not heeded:
                hint = f"give --rewrite {kind}, too" if kind else "give --later sampled, too"
                raise InputError(f"{option} has no effect here", hint=hint)

    @property
    def people(self) -> bool:
        """Whether references to people are rewritten."""
        return "people" in self.kinds

    @property
    def noun_phrases(self) -> bool:
        """Whether noun phrases are rewritten."""
        return any(kind != "people" for kind in self.kinds)

    @property
    def status_model(self) -> StatusModel:
        """What tells who matters and who is known."""
        return StatusModel.load(self.status) if self.status else default_model()

    def noun_phrase_rewriter(self, articles: Articles) -> NounPhraseRewriter:
        """Give what rewrites noun phrases."""
        return NounPhraseRewriter(
            articles,
            cast("NounPhraseComposition", self.composition),
            cast("CorefRule", self.coref),
            guarded="np-raw" not in self.kinds,
            people=not self.people,
        )

    def people_rewriter(self, articles: Articles) -> PeopleRewriter:
        """Give what rewrites references to people."""
        known = _Known(self.status_model) if self.describe == "new" else None
        return PeopleRewriter(
            articles,
            variation=cast("Any", self.variation),
            seed=self.seed,
            limiting=_limit_of(self.chains) if self.chains else None,
            describe=None if known is None else known.is_new,
            affiliation=None if known is None else known.affiliation,
        )

    @property
    def details(self) -> Iterable[tuple[str, str]]:
        """What a signature says about it: what is not the default."""
        if not self.kinds:
            return
        yield "rewrite", "+".join(self.kinds)
        given = {
            "frw": (self.composition, "sum"),
            "coref": (self.coref, "names"),
            "describe": (self.describe, "all"),
            "later": (self.variation, "rules"),
            "chains": (Path(self.chains).name, ""),
            "status": (Path(self.status).name, ""),
        }
        yield from ((name, value) for name, (value, usual) in given.items() if value != usual)


class _Known:
    """Whom the reader knows, found once for each person."""

    def __init__(self, model: StatusModel) -> None:
        self._model = model
        self._found: dict[int, tuple[Person, Status]] = {}

    def status(self, person: Person) -> Status:
        """Tell a person's status."""
        if id(person) not in self._found:
            # The person is kept so that no other gets the same number.
            self._found[id(person)] = person, status_of(person, self._model)
        return self._found[id(person)][1]

    def is_new(self, person: Person) -> bool:
        """Tell whether the reader does not know a person."""
        return not self.status(person).hearer_old

    def affiliation(self, person: Person, mention: Mention, read: ReadSoFar) -> bool:
        """Tell whether the first mention gives the affiliation: rule 2 of section 5.2.7."""
        salience = salience_list(read.sentences, sentence=read.sentence, word=read.word)
        return include_affiliation(person, salience, self.status(person))


def _limit_of(path: str) -> Mapping[str, float]:
    """Read how often later mentions have each form of the name."""
    chain = read_chains(path).get("name form")
    if chain is None:
        hint = "make it with `pyramidion study references --save`"
        raise FormatError("there is no chain of name forms", where=Where(path), hint=hint)
    return drawing_limit(chain)


def _require_one_of(what: str, value: str, allowed: Sequence[str]) -> None:
    if value not in allowed:
        raise InputError(f"{what} is {value!r}", hint=f"give {' or '.join(allowed)}")
