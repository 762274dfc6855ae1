"""Options of the machine that something is simulated on."""

import argparse
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from .. import load_profile, units
from ..errors import LapwingError
from .parser import Parser, quantity

_OF_A_PROFILE = ("ppn", "topology", "placement")


def add(parser: Parser) -> None:
    """Add them."""
    parser.add_argument(
        "--parameters",
        metavar="NAME=N,...",
        help="L, o, g, G, O in nanoseconds and S in bytes, whole numbers; defaults are "
        "L=2500,o=1500,g=1000,G=6,O=0,S=65535",
    )
    parser.add_argument(
        "--profile", metavar="machine.json", help="a measured machine instead of parameters"
    )
    parser.add_argument(
        "--ppn",
        metavar="N",
        type=quantity(units.ranks),
        help="ranks on each node, which share its interfaces; with --profile (default: 1)",
    )
    parser.add_argument(
        "--topology",
        metavar="SHAPE",
        help="connections of the nodes, instead of the profile's topology: flat, "
        "fat-tree:BELOW,UPLINKS (nodes under a leaf switch, its links up), "
        "fat-tree:BELOW,UPLINKS,NODES (ranks are spread over these), torus:4x4x4, mesh:8x8, "
        "dragonfly:GROUPSxSWITCHESxNODES or dragonfly+:GROUPSxLEAVESxSPINESxNODES; options "
        "follow: ,interfaces=K,rate=SHARE,hop=TIME and, of a dragonfly, "
        ",local=K,global=K,detour=SHARE; with --profile",
    )
    parser.add_argument(
        "--placement",
        metavar="ORDER|LIST",
        help="nodes of the ranks: consecutive, spread, round-robin, random:SEED or a list such as "
        "0,7,16-31; each node has --ppn consecutive ranks, except with round-robin; with "
        "--profile (default: consecutive)",
    )


def read(arguments: argparse.Namespace, *others: str) -> dict[str, Any]:
    """The machine that a command line names. others: names of options that need a profile, too."""
    usage = f"see {arguments.program} --help"
    for name in (*_OF_A_PROFILE, *others):
        if getattr(arguments, name) is not None and arguments.profile is None:
            raise LapwingError(f"--{name}: belongs to --profile; {usage}")
    if arguments.profile is not None and arguments.parameters is not None:
        raise LapwingError(f"--profile: not allowed with --parameters; {usage}")
    profile = load_profile(arguments.profile) if arguments.profile is not None else None
    return {
        "parameters": arguments.parameters,
        "profile": profile,
        "ppn": arguments.ppn or 1,
        "topology": arguments.topology,
        "placement": arguments.placement,
    }


@contextmanager
def interruptible() -> Iterator[None]:
    """Let Ctrl-C end the process while the engine runs, which does not check for it."""
    before = signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
