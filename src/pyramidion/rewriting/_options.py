"""Options of rewriting summaries."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Literal

from pyramidion.errors import FormatError, InputError, Where
from pyramidion.questions import option
from pyramidion.rewriting._articles import Articles
from pyramidion.rewriting._noun_phrases.rewrite import NounPhraseComposition, NounPhraseRewriter
from pyramidion.rewriting._people.edits import Describe
from pyramidion.rewriting._people.published_sequences import drawing_limit, read_chains
from pyramidion.rewriting._people.rewrite import PeopleRewriter
from pyramidion.rewriting._status.model import StatusModel, default_model, status_of
from pyramidion.summarizers import RewriterOptions, Source

if TYPE_CHECKING:
    from pyramidion.rewriting._summary_rewriter import SummaryRewriter

#: What can be rewritten.
RewriteKind = Literal["np", "people", "people-as-printed"]
WHAT_TO_REWRITE = (
    "What to rewrite, comma-separated: people (descriptions at first mention, last names later; "
    "only where there is no doubt), people-as-printed (the rules of the thesis, without guards), "
    "np (the heaviest noun phrase with the same head, as published; it may be wrong)."
)


@dataclass(frozen=True, slots=True)
class RewriteOptions(RewriterOptions):
    """What to rewrite in summaries, and how; noun phrases are rewritten before people.

    Examples
    --------
    >>> RewriteOptions(("people",)).people
    True
    >>> RewriteOptions(("nouns",))
    Traceback (most recent call last):
    pyramidion.errors.InputError: rewrite is 'nouns'; choose one of np, people, people-as-printed
    """

    panel: ClassVar[str] = "Rewriting"
    not_in_parts: ClassVar[tuple[str, ...]] = ("who",)

    rewrite: tuple[RewriteKind, ...] = option((), WHAT_TO_REWRITE, metavar="KINDS")
    composition: NounPhraseComposition = option(
        "sum",
        "Weight of a noun phrase: sum of its words (favors informative phrases) or average "
        "(favors short ones).",
        flags=("--phrase-weight",),
        metavar="sum|average",
    )
    describe: Literal["all", "new"] = option(
        "all",
        "Which people are described at first mention: all, or new (people unknown to readers, "
        "according to a model that beats the majority class; see --status).",
        metavar="all|new",
    )
    variation: Literal["rules", "sampled"] = option(
        "rules",
        "Form of later mentions of people: rules (last names) or sampled (drawn at random with "
        "the frequencies of newspapers; see --seed).",
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
        "Model of which people are known, for --describe new: a file written by `study status "
        "--save`; the built-in model by default.",
        metavar="FILE",
    )
    pipeline: str = option(
        "",
        "Parser: light (built in), or the name or folder of a spaCy pipeline; Pyramidion's "
        "pipeline by default.",
        metavar="NAME",
    )
    who: bool = option(
        False,
        "Describe the people in the summary in a sentence each, if the documents leave no doubt.",
        flags=("--who",),
    )
    seed: int = option(0, "Random seed; the same seed gives the same result.", min=0)

    def check(self) -> None:
        """Raise an error for options that contradict each other or would have no effect."""
        if {"people", "people-as-printed"} <= {*self.rewrite}:
            message = "--rewrite: people and people-as-printed cannot be combined"
            raise InputError(message, hint="give one of them")
        requirements = [
            ("--phrase-weight", self.composition != "sum", self.noun_phrases, "--rewrite np"),
            ("--describe", self.describe != "all", self.people, "--rewrite people"),
            ("--later", self.variation != "rules", self.people, "--rewrite people"),
            ("--status", bool(self.status), self.describe == "new", "--describe new"),
            ("--chains", bool(self.chains), self.variation == "sampled", "--later sampled"),
            ("--pipeline", self.pipeline, self.rewrite or self.who, "--rewrite or --who"),
        ]
        for name, is_set, has_effect, required in requirements:
            if is_set and not has_effect:
                raise InputError(f"{name} has no effect here", hint=f"also give {required}")

    @property
    def applied(self) -> tuple[str, ...]:
        """What is rewritten, as appended to the names of systems."""
        return self.rewrite

    def maker(self, source: Source) -> "SummaryRewriter":
        """Return a rewriter for the summaries of an input."""
        from pyramidion.rewriting._summary_rewriter import SummaryRewriter

        return SummaryRewriter(source, self)

    @property
    def people(self) -> bool:
        """Whether references to people are rewritten."""
        return not {"people", "people-as-printed"}.isdisjoint(self.rewrite)

    @property
    def noun_phrases(self) -> bool:
        """Whether noun phrases are rewritten."""
        return "np" in self.rewrite

    def noun_phrase_rewriter(self, articles: Articles) -> NounPhraseRewriter:
        """Return the rewriter of noun phrases."""
        return NounPhraseRewriter(articles, self.composition)

    def people_rewriter(self, articles: Articles) -> PeopleRewriter:
        """Return the rewriter of references to people."""
        return PeopleRewriter(
            articles,
            as_printed="people-as-printed" in self.rewrite,
            variation=self.variation,
            seed=self.seed,
            limiting=_read_name_form_limit(self.chains) if self.chains else None,
            describe=self._unknown_person_test(len(articles.documents))
            if self.describe == "new"
            else None,
        )

    def _unknown_person_test(self, n_documents: int) -> Describe:
        """Return a function that checks whether a person is unknown to readers."""
        model = StatusModel.load(self.status) if self.status else default_model()
        if not model.beats_majority("hearer_old"):
            raise InputError(
                "the model predicts who is known no better than the majority class",
                hint="leave out --describe new, or give another model with --status",
            )
        return lambda person: not status_of(person, model, n_documents).hearer_old

    @property
    def details(self) -> Iterator[tuple[str, str]]:
        """The options that differ from their defaults, for the signature."""
        if not self.rewrite:
            return
        yield "rewrite", "+".join(self.rewrite)
        yield from self.changed("composition", "describe", "variation")
        files = {"chains": self.chains, "status": self.status}
        yield from ((name, path.name) for name, path in files.items() if path is not None)

    @property
    def seed_used(self) -> int | None:
        """The seed, if it was used."""
        return self.seed if self.variation == "sampled" else None


def _read_name_form_limit(path: Path) -> Mapping[str, float]:
    """Read the probability of each form of the name in later mentions."""
    chain = read_chains(path).get("name form")
    if chain is None:
        hint = "make it with `pyramidion study references --save`"
        raise FormatError("there is no chain of name forms", where=Where(path), hint=hint)
    return drawing_limit(chain)
