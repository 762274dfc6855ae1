"""The tables of a profile, one a section."""
