"""Stars and paragraphs for Rubrica."""
