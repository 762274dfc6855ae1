"""Sizes of MPI's types, as traces of DUMPI tell them or their making does."""

from collections.abc import Callable
from math import prod
from typing import Any

from .dumpi_file import Call, Malformed

# Elements of the old type in the new one, by the call that makes it.
_ELEMENTS: dict[str, Callable[[dict[str, Any]], int]] = {
    "Type_contiguous": lambda said: said["count"],
    **dict.fromkeys(
        ("Type_vector", "Type_hvector", "Type_create_hvector", "Type_create_indexed_block"),
        lambda said: said["count"] * said["length"],
    ),
    **dict.fromkeys(
        ("Type_indexed", "Type_hindexed", "Type_create_hindexed"),
        lambda said: sum(said["lengths"]),
    ),
    **dict.fromkeys(("Type_dup", "Type_create_resized"), lambda said: 1),
    "Type_create_subarray": lambda said: prod(said["sizes"]),
}


class TypeSizes:
    """Bytes of types by their numbers. told: those that the trace tells, from number 0 on."""

    def __init__(self, told: list[int]) -> None:
        self._told = told
        self._made: dict[int, int] = {}

    def of(self, kind: int) -> int | None:
        """Bytes of a type; None if that is not known."""
        if kind in self._made:
            return self._made[kind]
        return self._told[kind] if 0 <= kind < len(self._told) and self._told[kind] >= 0 else None

    def learn(self, call: Call) -> None:
        """Keep the size of a type that a call makes. Raises Malformed."""
        said = call.values
        if call.name in _ELEMENTS:
            old = self.of(said["old"])
            size = None if old is None else _ELEMENTS[call.name](said) * old
        elif call.name in ("Type_struct", "Type_create_struct"):
            if len(said["lengths"]) != len(said["olds"]):
                raise Malformed("has not as many lengths as types")
            sizes = [self.of(old) for old in said["olds"]]
            pairs = zip(said["lengths"], sizes, strict=True)
            size = None if None in sizes else sum(count * (each or 0) for count, each in pairs)
        else:
            return
        if size is None:
            self._made.pop(said["new"], None)
        elif size < 0:
            raise Malformed("makes a type of less than no bytes")
        else:
            self._made[said["new"]] = size
