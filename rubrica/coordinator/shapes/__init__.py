"""What the API takes and gives, by what it is about."""
