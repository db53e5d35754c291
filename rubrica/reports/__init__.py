"""Results as HTML, Markdown, LaTeX, JSON and figures; no arithmetic."""
