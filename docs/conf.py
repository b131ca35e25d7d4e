"""Sphinx configuration: the pages are Markdown, the reference comes from the docstrings."""

from __future__ import annotations

from importlib.metadata import version as version_of

project = "toolresult"
author = "The toolresult authors"
copyright = "The toolresult authors"
version = release = version_of("toolresult")
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
exclude_patterns = ["_build"]
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_preserve_defaults = True
myst_heading_anchors = 3
html_theme = "alabaster"
