"""A real network on one machine: a namespace for each rank on a bridge, with limited egress.

Everything lives inside one `unshare` with its own process numbers, mounts and /run. When its
outermost process ends in any way, the kernel removes the rest; names cannot collide.
"""

import os
import re
import shutil
import subprocess

from ..errors import LapwingError

BRIDGE = "br0"  # the launcher's interface, reached from every rank
SUBNET = "10.77.0.0/24"
LAUNCHER_NAMESPACE = "pnsw"
MOST_RANKS = 64

_MTU = 9000  # bytes; at 1500 a two-way exchange is half or full duplex by chance
_FRAME = _MTU + 14  # with the Ethernet header
_SLACK = 50e-6  # seconds
_TOOLS = {
    "ip": "iproute2",
    "tc": "iproute2",
    "unshare": "util-linux",
    "chrt": "util-linux",
    "taskset": "util-linux",
}
_PRIVATE = ["--net", "--mount", "--pid", "--fork", "--kill-child"]
_RATE = re.compile(r"([0-9]{1,9}(?:\.[0-9]{1,9})?)([kmg])bit", re.IGNORECASE)

# $1 ranks, $2 rate in bit/s, $3 burst in bytes, $4 frames of a burst; then the command to run
# inside.
_BUILD = f"""
ranks=$1 rate=$2 burst=$3 frames=$4; shift 4
try() {{ reason=$("$@" 2>&1) || {{ echo "lapwing-net: $1 failed: $reason" >&2; exit 69; }}; }}
try mount -t tmpfs tmpfs /run
try mkdir /run/netns
try mount -t proc proc /proc
try ip netns add {LAUNCHER_NAMESPACE}
try ip -n {LAUNCHER_NAMESPACE} link set lo up
try ip -n {LAUNCHER_NAMESPACE} link add {BRIDGE} type bridge
try ip -n {LAUNCHER_NAMESPACE} link set {BRIDGE} mtu {_MTU}
try ip -n {LAUNCHER_NAMESPACE} addr add 10.77.0.254/24 dev {BRIDGE}
try ip -n {LAUNCHER_NAMESPACE} link set {BRIDGE} up
# A switch has no firewall to ask.
ip netns exec {LAUNCHER_NAMESPACE} sh -c 'cd /proc/sys/net/bridge && for f in bridge-nf-call-*
  do echo 0 > $f; done' 2> /dev/null || true
i=0
while [ $i -lt $ranks ]; do
  try ip netns add pn$i
  try ip -n {LAUNCHER_NAMESPACE} link add v$i mtu {_MTU} type veth \\
    peer name eth0 mtu {_MTU} netns pn$i
  try ip -n {LAUNCHER_NAMESPACE} link set v$i master {BRIDGE}
  try ip -n {LAUNCHER_NAMESPACE} link set v$i up
  try ip -n pn$i link set lo up
  try ip -n pn$i addr add 10.77.0.$((i + 1))/24 dev eth0
  try ip -n pn$i link set eth0 up
  # The default output limit of TCP, 4 MB, makes a two-way exchange half-duplex.
  try ip netns exec pn$i sh -ec 'cd /proc/sys/net/ipv4
    echo reno > tcp_congestion_control
    echo 0 > tcp_slow_start_after_idle
    echo 131072 > tcp_limit_output_bytes'
  # Frames that may leave at once are handed over as one, as to a network card. What is longer the
  # kernel cuts into single frames, on the processors that compute.
  [ $frames -lt 2 ] || try ip -n pn$i link set eth0 gso_max_segs $frames
  try ip netns exec pn$i tc qdisc add dev eth0 root tbf \\
    rate ${{rate}}bit burst ${{burst}}b latency 50ms
  i=$((i + 1))
done
"$@"
"""

# $1 the processors to use in turn; then the program of one rank. Each rank has a core of its own
# and real-time priority, or other load on the machine would ruin its timings.
_PLACE = """
processors=$1; shift
r=${OMPI_COMM_WORLD_RANK:-$PMI_RANK}
set -- ip netns exec pn$r "$@"
n=0; for p in $processors; do n=$((n + 1)); done
i=0; for p in $processors; do [ $i -ne $((r % n)) ] || set -- taskset -c $p "$@"; i=$((i + 1)); done
# A user namespace has no real-time priority to give.
! chrt -r 2 true 2>/dev/null || set -- chrt -r 2 "$@"
exec "$@"
"""


def parse_rate(text: str) -> int:
    """The rate `text` ("1gbit", "400mbit") of a link, in bits per second."""
    match = _RATE.fullmatch(text)
    if not match:
        raise LapwingError(f'rate "{text}": write a number and kbit, mbit or gbit, e.g. 400mbit')
    rate = float(match[1]) * {"k": 1e3, "m": 1e6, "g": 1e9}[match[2].lower()]
    if not 1e6 <= rate <= 40e9:
        raise LapwingError(f'rate "{text}": not between 1mbit and 40gbit')
    return round(rate)


def burst(rate: int) -> int:
    """Bytes that a link of `rate` bits per second may send at once after an idle moment.

    It is at least one frame, because the kernel drops frames larger than the burst. It is also at
    least what the rate gives in 50 us, since a timer may be that late. A smaller burst would not
    reach the rate, a larger one would exceed it.
    """
    return _FRAME + round(rate / 8 * _SLACK)


def require_network() -> list[str]:
    """The first words of a command line that gives a process a private network.

    Builds one to find out: as root directly, else in a user namespace. Raises LapwingError if
    neither is allowed; its one line says what is lacking.
    """
    for tool, package in _TOOLS.items():
        if shutil.which(tool) is None:
            raise LapwingError(f"net: needs {tool}, which is not on the PATH: install {package}")
    root = ["unshare", *_PRIVATE]
    user = ["unshare", "--user", "--map-root-user", *_PRIVATE]
    reason = ""
    for entry in [root, user] if os.geteuid() == 0 else [user]:
        trial = in_network(entry, 1, 1_000_000_000, ["true"])
        try:
            done = subprocess.run(
                trial, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=20
            )
        except subprocess.TimeoutExpired:
            reason = reason or "building it did not end within 20 s"
            continue
        if done.returncode == 0:
            return entry
        reason = reason or done.stderr.strip() or f"unshare ended with {done.returncode}"
    raise LapwingError(f"net: {_remedy(reason)}")


def in_network(entry: list[str], ranks: int, rate: int, command: list[str]) -> list[str]:
    """`command` inside a network of `ranks` links of `rate` bits per second each way.

    entry: what `require_network` found.
    """
    arguments = [str(ranks), str(rate), str(burst(rate)), str(burst(rate) // _FRAME)]
    return [*entry, "sh", "-c", _BUILD, "lapwing-net", *arguments, *command]


def on_rank(program: list[str], processors: list[int]) -> list[str]:
    """`program` as one rank of the network: in its namespace, on its processor, at real-time
    priority.

    processors: numbers of processors; the ranks take them in turn.
    """
    return ["sh", "-c", _PLACE, "lapwing-rank", " ".join(map(str, processors)), *program]


def _remedy(reason: str) -> str:
    """One line that says how to mend the reason for which no network could be built."""
    if "qdisc kind is unknown" in reason or "tbf" in reason:
        return f"the kernel has no token bucket (load the module sch_tbf): {reason}"
    if re.search("not permitted|denied|No space left", reason):
        return (
            "no privilege to make network namespaces: run as root, "
            f"or allow unprivileged user namespaces ({reason})"
        )
    return f"cannot build the network: {reason}"
