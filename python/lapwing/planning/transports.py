"""The transports of workloads, by name."""

from typing import Literal, get_args

Transport = Literal["any", "two-sided", "put", "get", "ucx-put", "ucx-get", "shmem", "partitioned"]

TRANSPORTS: tuple[Transport, ...] = get_args(Transport)
