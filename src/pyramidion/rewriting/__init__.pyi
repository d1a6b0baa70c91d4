"""The public names, and the modules they are loaded from."""

from pyramidion.rewriting._articles import Articles as Articles
from pyramidion.rewriting._articles import ParsedSentence as ParsedSentence
from pyramidion.rewriting._noun_phrases.rewrite import NounPhraseRewriter as NounPhraseRewriter
from pyramidion.rewriting._options import RewriteOptions as RewriteOptions
from pyramidion.rewriting._people.chains import find_people as find_people
from pyramidion.rewriting._people.chains import people_in as people_in
from pyramidion.rewriting._people.mention import Description as Description
from pyramidion.rewriting._people.mention import Mention as Mention
from pyramidion.rewriting._people.mention import Person as Person
from pyramidion.rewriting._people.published_sequences import later_form as later_form
from pyramidion.rewriting._people.published_sequences import printed_limit as printed_limit
from pyramidion.rewriting._people.published_sequences import (
    printed_transitions as printed_transitions,
)
from pyramidion.rewriting._people.published_sequences import published_chain as published_chain
from pyramidion.rewriting._people.published_sequences import reachable_limits as reachable_limits
from pyramidion.rewriting._people.published_sequences import reaches as reaches
from pyramidion.rewriting._people.published_sequences import read_chains as read_chains
from pyramidion.rewriting._people.published_sequences import sampled_forms as sampled_forms
from pyramidion.rewriting._people.published_sequences import save_chains as save_chains
from pyramidion.rewriting._people.rewrite import PeopleRewriter as PeopleRewriter
from pyramidion.rewriting._people.rewrite import RewrittenPeople as RewrittenPeople
from pyramidion.rewriting._people.sequences import MENTION_FEATURES as MENTION_FEATURES
from pyramidion.rewriting._rewriter import Replacement as Replacement
from pyramidion.rewriting._rewriter import Rewriter as Rewriter
from pyramidion.rewriting._rewriter import RewriteSession as RewriteSession
from pyramidion.rewriting._rewriter import Rewritten as Rewritten
from pyramidion.rewriting._rewriter import edited as edited
from pyramidion.rewriting._status.model import Status as Status
from pyramidion.rewriting._status.model import StatusModel as StatusModel
from pyramidion.rewriting._status.model import default_model as default_model
from pyramidion.rewriting._status.model import status_of as status_of
from pyramidion.rewriting._status.model import statuses_of as statuses_of
from pyramidion.rewriting._status.who import WhoIs as WhoIs
from pyramidion.rewriting._status.who import who_is as who_is
from pyramidion.rewriting._status.who import who_is_who as who_is_who
from pyramidion.stats._markov import LimitingDistribution as LimitingDistribution
from pyramidion.stats._markov import MarkovChain as MarkovChain
