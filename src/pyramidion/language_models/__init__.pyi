"""The public names, and the modules they are loaded from."""

from pyramidion.language_models._answers import ReadAnswer as ReadAnswer
from pyramidion.language_models._answers import Value as Value
from pyramidion.language_models._answers import expected_score as expected_score
from pyramidion.language_models._answers import read_answer as read_answer
from pyramidion.language_models._answers import score_probabilities as score_probabilities
from pyramidion.language_models._client import CHARACTERS_PER_TOKEN as CHARACTERS_PER_TOKEN
from pyramidion.language_models._client import Endpoint as Endpoint
from pyramidion.language_models._client import ModelOptions as ModelOptions
from pyramidion.language_models._client import Prompt as Prompt
from pyramidion.language_models._client import Reply as Reply
from pyramidion.language_models._client import Retries as Retries
from pyramidion.language_models._client import StoredAnswers as StoredAnswers
from pyramidion.language_models._client import ask_all as ask_all
from pyramidion.language_models._client import base_address as base_address
from pyramidion.language_models._client import tagged as tagged
from pyramidion.language_models._client import token_cost as token_cost
from pyramidion.language_models._session import NOTHING_SPENT as NOTHING_SPENT
from pyramidion.language_models._session import AskingOptions as AskingOptions
from pyramidion.language_models._session import Session as Session
from pyramidion.language_models._session import Spent as Spent
