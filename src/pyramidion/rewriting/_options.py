"""What is to be rewritten in summaries, and how."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Literal

from pyramidion.collection._options import option
from pyramidion.collection._questions import Options
from pyramidion.errors import FormatError, InputError, Where
from pyramidion.rewriting._articles import Articles
from pyramidion.rewriting._noun_phrases.coreference import CorefRule
from pyramidion.rewriting._noun_phrases.rewrite import NounPhraseComposition, NounPhraseRewriter
from pyramidion.rewriting._people.first_mentions import ReadSoFar
from pyramidion.rewriting._people.mention import Mention, Person
from pyramidion.rewriting._people.published_sequences import drawing_limit, read_chains
from pyramidion.rewriting._people.rewrite import PeopleRewriter
from pyramidion.rewriting._status.model import (
    Status,
    StatusModel,
    default_model,
    include_affiliation,
    salience_list,
    status_of,
)

#: What can be rewritten.
RewriteKind = Literal["np", "np-raw", "people"]


@dataclass(frozen=True, slots=True)
class RewriteOptions(Options):
    """What is to be rewritten in summaries, and how.

    Noun phrases come first, and leave people alone where these are rewritten, too.

    Examples
    --------
    >>> RewriteOptions(("people",)).people
    True
    >>> RewriteOptions(("nouns",))
    Traceback (most recent call last):
    pyramidion.errors.InputError: rewrite is 'nouns'; choose one of np, np-raw, people
    """

    panel: ClassVar[str] = "Rewriting"

    rewrite: tuple[RewriteKind, ...] = option(
        (),
        "What to rewrite, comma-separated: people (descriptions at first mention, last names "
        "later), np (noun phrases that suit their place) or np-raw (noun phrases as "
        "published, without guards).",
        metavar="KINDS",
    )
    composition: NounPhraseComposition = option(
        "sum",
        "Weight of a noun phrase: sum of its words (favors informative phrases) or average "
        "(favors short ones).",
        flags=("--phrase-weight",),
        metavar="sum|average",
    )
    coref: CorefRule = option(
        "names",
        "Which noun phrases refer to the same thing: names (by names, aliases and agreement) "
        "or head (all with the same head, as in the thesis).",
        metavar="names|head",
    )
    describe: Literal["all", "new"] = option(
        "all",
        "Which people are described at first mention: all, or new (people unknown to readers,"
        " with affiliations where needed).",
        metavar="all|new",
    )
    variation: Literal["rules", "sampled"] = option(
        "rules",
        "How later mentions of people are written: rules (last names) or sampled (at random, "
        "as newspapers vary them; see --seed).",
        flags=("--later",),
        metavar="rules|sampled",
    )
    chains: Path | None = option(
        None,
        "Markov chains for --later sampled: a file written by `study references --save`; by "
        "default those of the thesis.",
        metavar="FILE",
    )
    status: Path | None = option(
        None,
        "Model of which people matter and are known, for --describe new and --who: a file "
        "written by `study status --save`; the built-in model by default.",
        metavar="FILE",
    )
    pipeline: str = option(
        "",
        "Parser: light (built in), or the name or folder of a spaCy pipeline; Pyramidion's "
        "own pipeline by default.",
        metavar="NAME",
    )
    seed: int = option(0, "Random seed; the same seed gives the same result.", least=0)

    def check(self) -> None:
        """Refuse what excludes each other, and what was asked for but would change nothing."""
        if {"np", "np-raw"} <= {*self.rewrite}:
            raise InputError("np and np-raw exclude each other", hint="give one of them")
        given = [
            ("--phrase-weight", self.composition != "sum", self.noun_phrases, "--rewrite np"),
            ("--coref", self.coref != "names", "np" in self.rewrite, "--rewrite np"),
            ("--describe", self.describe != "all", self.people, "--rewrite people"),
            ("--later", self.variation != "rules", self.people, "--rewrite people"),
            ("--chains", bool(self.chains), self.variation == "sampled", "--later sampled"),
        ]
        for name, asked, heeded, other in given:
            if asked and not heeded:
                raise InputError(f"{name} has no effect here", hint=f"also give {other}")

    def check_who(self, *, who: bool) -> None:
        """Refuse what would change nothing, where it is known whether people are explained."""
        if self.pipeline and not (self.rewrite or who):
            raise InputError("--pipeline has no effect here", hint="also give --rewrite or --who")
        if self.status and not (self.describe == "new" or who):
            hint = "also give --describe new or --who"
            raise InputError("--status has no effect here", hint=hint)

    @property
    def people(self) -> bool:
        """Whether references to people are rewritten."""
        return "people" in self.rewrite

    @property
    def noun_phrases(self) -> bool:
        """Whether noun phrases are rewritten."""
        return any(kind != "people" for kind in self.rewrite)

    @property
    def status_model(self) -> StatusModel:
        """What tells who matters and who is known."""
        return StatusModel.load(self.status) if self.status else default_model()

    def noun_phrase_rewriter(self, articles: Articles) -> NounPhraseRewriter:
        """Give what rewrites noun phrases."""
        return NounPhraseRewriter(
            articles,
            self.composition,
            self.coref,
            guarded="np-raw" not in self.rewrite,
            people=not self.people,
        )

    def people_rewriter(self, articles: Articles) -> PeopleRewriter:
        """Give what rewrites references to people."""
        known = _Known(self.status_model) if self.describe == "new" else None
        return PeopleRewriter(
            articles,
            variation=self.variation,
            seed=self.seed,
            limiting=_limit_of(self.chains) if self.chains else None,
            describe=None if known is None else known.is_new,
            affiliation=None if known is None else known.affiliation,
        )

    @property
    def details(self) -> Iterator[tuple[str, str]]:
        """What a signature says about it: what is not the default."""
        if not self.rewrite:
            return
        yield "rewrite", "+".join(self.rewrite)
        yield from self.changed("composition", "coref", "describe", "variation")
        files = {"chains": self.chains, "status": self.status}
        yield from ((name, path.name) for name, path in files.items() if path is not None)

    @property
    def seed_used(self) -> int | None:
        """The seed, if anything was drawn."""
        return self.seed if self.variation == "sampled" else None


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


def _limit_of(path: Path) -> Mapping[str, float]:
    """Read how often later mentions have each form of the name."""
    chain = read_chains(path).get("name form")
    if chain is None:
        hint = "make it with `pyramidion study references --save`"
        raise FormatError("there is no chain of name forms", where=Where(path), hint=hint)
    return drawing_limit(chain)
