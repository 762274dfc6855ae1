"""Costs of a machine from collectives that were measured on it."""
