"""Any number of several named options."""
