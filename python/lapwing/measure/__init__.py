"""Measuring on a target with the native programs."""
