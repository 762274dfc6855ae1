"""The table of the installed MPIs."""

import os
from typing import Any

from rich.console import Group

from ..launch.installed_mpi import CALLED
from ..units import printable
from .layout import table, titled


def mpi_table(document: dict[str, Any]) -> Group:
    """A row for each MPI, and below the table why some have no native program."""
    made = table(("MPI", "left"), ("version", "left"), ("ABI", "left"), ("program", "left"))
    made.add_column("launcher", overflow="fold")
    reasons = []
    for mpi in document["mpis"]:
        program = os.path.basename(mpi["program"]) if mpi["program"] else "none"
        made.add_row(
            CALLED.get(mpi["family"], "unknown"),
            printable(mpi["version"]),
            ", ".join(mpi["libraries"]),
            printable(program),
            printable(f"{mpi['launcher']} ({mpi['found']})"),
        )
        if mpi["reason"]:
            reasons.append(printable(f"{mpi['launcher']}: {mpi['reason']}"))
    title = "Installed MPIs, the preferred one first: --mpi takes a name or a path"
    if not document["mpis"]:
        title = "No MPI in this Python's environment or on the PATH; `pip install mpich` is one"
        return Group(title)
    return Group(titled(title, made), *reasons)
