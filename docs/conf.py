"""How the documentation becomes a site: `make site`, without network."""

from rubrica import __version__

project = "Rubrica"
project_copyright = "the Rubrica authors"
release = version = __version__

extensions = ["myst_parser"]
source_suffix = {".md": "markdown"}
exclude_patterns = ["build"]
myst_enable_extensions = ["deflist"]
myst_heading_anchors = 4

html_theme = "furo"
html_title = "Rubrica"
html_copy_source = False
html_show_sphinx = False
html_theme_options = {
    "light_css_variables": {"color-brand-primary": "#1f5f8b", "color-brand-content": "#1f5f8b"},
    "dark_css_variables": {"color-brand-primary": "#7fb7dc", "color-brand-content": "#7fb7dc"},
}

# Pages made from code lead readers on GitHub and in editors too, so they link with plain Markdown.
suppress_warnings = ["myst.header"]
