"""The public names, and the modules they are loaded from."""

from pathlib import Path

from pyramidion.demo._load import load_demo as load_demo
from pyramidion.demo._load import load_evaluation as load_evaluation
from pyramidion.demo._scene import Scene as Scene
from pyramidion.demo._scene import excerpt as excerpt
from pyramidion.demo._tour import Tour as Tour

# Signatures of questions: `make format` writes them from the declarations of options.
# from pyramidion.demo._tour import tour
def tour(*, folder: str | Path = ...) -> Tour: ...
