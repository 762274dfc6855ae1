"""Choosing the algorithms of an MPI, and writing the file that makes it take them."""
