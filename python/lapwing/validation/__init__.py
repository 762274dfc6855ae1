"""Measured times of operations beside predicted ones."""
