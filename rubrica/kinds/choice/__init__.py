"""One of several named options: yes or no, which of these."""
