"""Distributed Fourier transforms: the ways to run one, choosing one, and timing them."""
