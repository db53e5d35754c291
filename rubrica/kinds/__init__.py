"""Question kinds: one folder each, and the contract all of them fulfil.

A kind declares its parameters and what it records, checks an answer on the server, brings its part of
the page and its robot. It knows nothing of studies, items, raters or storage: what it needs of an
item (the list an `each` goes over, the parts a failure can be marked on) is handed to it as entries.
"""
