"""The planners that a plan can be asked of."""

from typing import Literal, get_args

Method = Literal[
    "lapwing",
    "paper",
    "paper-size",
    "paper-communication",
    "paper-computation",
    "paper-bursts",
]

METHODS: tuple[Method, ...] = get_args(Method)
