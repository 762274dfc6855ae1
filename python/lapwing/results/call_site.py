"""Short names of call sites."""

import os
import re
from typing import Any

from ..units import printable


def call_site(call: dict[str, Any]) -> str:
    """The call site of an observed program as `transpose (ft.f:512)`, as far as it is known."""
    module = f"{os.path.basename(call['module'])}+{call['offset']:#x}"
    line = f"{os.path.basename(call['file'])}:{call['line']}" if call["line"] else ""
    function = bare(call["function"]) if call["function"] else ""
    return printable(f"{function} ({line})" if function and line else function or line or module)


def site_name(call: dict[str, Any]) -> str:
    """A call site with its MPI routine: `MPI_Send in transpose (ft.f:512)`, as far as known."""
    if not (call["function"] or call["line"] or call["module"]):
        return printable(call["routine"])
    return f"{call['routine']} in {call_site(call)}"


def bare(function: str) -> str:
    """The name of a function without parameters, result type, and outer scopes.

    `Transform::run` for `void fft::Transform<double>::run(int)`.
    """
    text = function.replace("(anonymous namespace)", "")
    while (shorter := re.sub(r"<[^<>]*>", "", text)) != text:
        text = shorter
    name = text.partition("(")[0].split()[-1:] or [function]
    return "::".join(name[0].split("::")[-2:]).strip(":")
