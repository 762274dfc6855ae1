"""Documents for people: tables and sentences, at most 80 columns wide.

This package knows documents, but not where they come from.
"""
