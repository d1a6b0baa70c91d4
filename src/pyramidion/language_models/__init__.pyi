"""The public names, and the modules they are loaded from."""

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
