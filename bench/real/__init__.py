"""The sections of `bench/real.py`: predictions of real machines, held against measured times."""
