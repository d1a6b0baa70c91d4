"""The public names, and the modules they are loaded from."""

from pyramidion.studio._app import create_app as create_app
from pyramidion.studio._serve import serve as serve
from pyramidion.studio._store import Store as Store
