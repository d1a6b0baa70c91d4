"""How the documentation is built: `make docs`."""

import pyramidion

project = "Pyramidion"
author = "The Pyramidion authors"
copyright = "2026, The Pyramidion authors"
release = pyramidion.__version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "sphinx_copybutton"]
html_theme = "furo"
html_title = f"Pyramidion {release}"
exclude_patterns = ["_build"]
# Formulas are written as text: a renderer for more would be fetched from the network.
myst_enable_extensions = ["colon_fence"]
autodoc_typehints = "none"
autodoc_member_order = "bysource"
napoleon_numpy_docstring = True
napoleon_google_docstring = False
