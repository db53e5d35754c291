"""One answer per entry of the item's own list."""
