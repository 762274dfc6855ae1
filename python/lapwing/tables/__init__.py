"""Documents as people read them: tables and sentences, at most 80 columns wide.

This room knows the documents and nothing of where they come from.
"""
