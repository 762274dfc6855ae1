"""Observing a program: what it exchanges, and what overlap would save it."""
