"""conf.py: settings of Sphinx; tools/make-site copies it to the folder of the pages"""

import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

project = "perp"
author = "the perp authors"
copyright = author  # noqa: A001
version = release = "@VERSION@"

extensions = ["myst_parser", "mathml", "sphinx.ext.autodoc", "docstrings"]
autodoc_typehints = "none"
autodoc_member_order = "bysource"
myst_enable_extensions = ["amsmath", "dollarmath", "colon_fence", "deflist"]
myst_heading_anchors = 4
html_math_renderer = "mathml"
suppress_warnings = ["myst.header"]  # a page may go from ## to ####

smartquotes_action = "qe"  # two hyphens begin an option and stay as they are

html_theme = "furo"
html_title = "perp @VERSION@"
html_static_path = ["_static"]
html_css_files = ["perp.css"]
html_js_files = ["theme.js"]
html_show_sphinx = False
html_copy_source = False
pygments_style = "default"
pygments_dark_style = "monokai"
html_theme_options = {"navigation_with_keys": True}
nitpicky = False
