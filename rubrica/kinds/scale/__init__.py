"""One level of an ordered scale, each level with its label and meaning."""
