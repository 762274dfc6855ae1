"""Profiles of machines: loading, merging and comparing them, and other figures they imply."""
