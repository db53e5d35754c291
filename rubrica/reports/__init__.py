"""Results as HTML, Markdown, LaTeX, JSON and figures.

What lives here: which result is told where, in which words and with how many digits, in English and
Chinese. Every format is written from one document, so that none says what another leaves out.

What may not: arithmetic. Numbers come from the analysis as they are; here they are only rounded.
The clock and a random generator have no place either: the same results give the same bytes.
"""
