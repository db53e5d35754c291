"""Rubrica: human evaluation studies of AI systems, from one study file to ratings that last."""

__version__ = "0.1.0"
