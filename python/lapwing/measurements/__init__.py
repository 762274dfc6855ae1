"""Measured times of collectives: the document, and its cells as typed values."""
