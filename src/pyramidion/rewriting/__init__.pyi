"""The public names, and the modules they are loaded from."""

from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from pyramidion.collection import Collection
from pyramidion.questions import Progress
from pyramidion.rewriting._articles import Articles as Articles
from pyramidion.rewriting._noun_phrases.rewrite import NounPhraseRewriter as NounPhraseRewriter
from pyramidion.rewriting._options import RewriteOptions as RewriteOptions
from pyramidion.rewriting._people.chains import find_people as find_people
from pyramidion.rewriting._people.chains import people_in as people_in
from pyramidion.rewriting._people.mention import Description as Description
from pyramidion.rewriting._people.mention import Mention as Mention
from pyramidion.rewriting._people.mention import Person as Person
from pyramidion.rewriting._people.published_sequences import chain_record as chain_record
from pyramidion.rewriting._people.published_sequences import later_form as later_form
from pyramidion.rewriting._people.published_sequences import printed_limit as printed_limit
from pyramidion.rewriting._people.published_sequences import (
    printed_transitions as printed_transitions,
)
from pyramidion.rewriting._people.published_sequences import published_chain as published_chain
from pyramidion.rewriting._people.published_sequences import read_chains as read_chains
from pyramidion.rewriting._people.published_sequences import sampled_forms as sampled_forms
from pyramidion.rewriting._people.published_sequences import save_chains as save_chains
from pyramidion.rewriting._people.published_sequences import thesis_chains as thesis_chains
from pyramidion.rewriting._people.rewrite import PeopleRewriter as PeopleRewriter
from pyramidion.rewriting._people.rewrite import RewrittenPeople as RewrittenPeople
from pyramidion.rewriting._people.sequences import MENTION_FEATURES as MENTION_FEATURES
from pyramidion.rewriting._people.sequences import NAME_FORM as NAME_FORM
from pyramidion.rewriting._people.sequences import MentionFeature as MentionFeature
from pyramidion.rewriting._rewrite import RewriteResult
from pyramidion.rewriting._rewrite import SummaryRewrite as SummaryRewrite
from pyramidion.rewriting._status.bodies import bodies_in as bodies_in
from pyramidion.rewriting._status.features import NORMALIZED_FEATURES as NORMALIZED_FEATURES
from pyramidion.rewriting._status.features import STATUS_FEATURES as STATUS_FEATURES
from pyramidion.rewriting._status.features import THESIS_FEATURES as THESIS_FEATURES
from pyramidion.rewriting._status.features import DescriptionModel as DescriptionModel
from pyramidion.rewriting._status.features import people_features as people_features
from pyramidion.rewriting._status.features import person_features as person_features
from pyramidion.rewriting._status.features import short_form as short_form
from pyramidion.rewriting._status.model import Classifier as Classifier
from pyramidion.rewriting._status.model import Linear as Linear
from pyramidion.rewriting._status.model import Status as Status
from pyramidion.rewriting._status.model import StatusModel as StatusModel
from pyramidion.rewriting._status.model import Tree as Tree
from pyramidion.rewriting._status.model import default_model as default_model
from pyramidion.rewriting._status.model import status_of as status_of
from pyramidion.rewriting._status.model import statuses_of as statuses_of
from pyramidion.rewriting._status.model import territory_of as territory_of
from pyramidion.rewriting._status.who import WhoIs as WhoIs
from pyramidion.rewriting._status.who import who_is as who_is
from pyramidion.rewriting._status.who import who_is_who as who_is_who
from pyramidion.rewriting._summary_rewriter import RewrittenSummary as RewrittenSummary
from pyramidion.rewriting._summary_rewriter import SummaryRewriter as SummaryRewriter
from pyramidion.rewriting._word_lists import word_list as word_list
from pyramidion.rewriting.markov import LimitingDistribution as LimitingDistribution
from pyramidion.rewriting.markov import MarkovChain as MarkovChain
from pyramidion.rewriting.markov import reachable_limits as reachable_limits
from pyramidion.rewriting.markov import reaches as reaches

# Signatures of questions: `make format` writes them from the declarations of options.
# from pyramidion.rewriting._rewrite import rewrite
def rewrite(
    summary: str | Path,
    *,
    documents: Collection | str | Path | Sequence[Collection | str | Path] = (),
    words: int | None = None,
    topic: str = "",
    explain: bool = False,
    source_format: str | None = None,
    progress: Progress = ...,
    rewrite: Literal["np", "people", "people-as-printed"]
    | Sequence[Literal["np", "people", "people-as-printed"]] = ("people",),
    composition: Literal["sum", "average"] = "sum",
    describe: Literal["all", "new"] = "all",
    variation: Literal["rules", "sampled"] = "rules",
    chains: str | Path | None = None,
    status: str | Path | None = None,
    pipeline: str = "",
    who: bool = False,
    seed: int = 0,
    guard: bool = False,
    on_unsupported: Literal["drop", "extract"] = "drop",
    allow: str | Sequence[str] = (),
) -> RewriteResult: ...
