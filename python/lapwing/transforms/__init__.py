"""Distributed Fourier transforms: the ways to run one, and timing them."""
