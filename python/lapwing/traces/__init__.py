"""Traces that other tools wrote, read as recordings: a module a format."""

# Their names, in the order in which they are tried.
FORMATS = ("otf2", "dumpi", "kineto", "chakra")
