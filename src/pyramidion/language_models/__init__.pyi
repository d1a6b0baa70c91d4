"""The public names, and the modules they are loaded from."""

from pyramidion.language_models._client import Endpoint as Endpoint
from pyramidion.language_models._client import ModelOptions as ModelOptions
from pyramidion.language_models._client import Prompt as Prompt
from pyramidion.language_models._client import Reply as Reply
from pyramidion.language_models._client import Retries as Retries
from pyramidion.language_models._client import StoredAnswers as StoredAnswers
from pyramidion.language_models._client import ask_all as ask_all
