"""Plots: one module for each kind of document that is drawn."""
