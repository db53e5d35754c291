"""Typed marks on parts of the item, as evidence."""
