"""Traces that other tools wrote, read as recordings: a module a format."""
