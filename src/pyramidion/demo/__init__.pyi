"""The public names, and the modules they are loaded from."""

from pyramidion.demo._load import load_demo as load_demo
from pyramidion.demo._tour import tour as tour
