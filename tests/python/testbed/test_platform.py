"""SMPI with our platform and options behaves as the cluster's file says."""

import shutil
import subprocess
from dataclasses import replace
from functools import cache
from pathlib import Path
from xml.etree import ElementTree

import pytest

from lapwing.testbed import (
    Cluster,
    Factor,
    Overhead,
    hostfile,
    load_cluster,
    platform_xml,
    shipped_clusters,
    smpi_options,
)

simulates = pytest.mark.skipif(shutil.which("smpirun") is None, reason="no smpirun")

# Prints the seconds of half a round trip of 8 bytes, and those until each of two messages of 1 MB
# that are sent together has arrived; and whether a message of 4 KB has arrived at a late receiver.
SOURCE = r"""
#include <mpi.h>
#include <smpi/smpi.h>
#include <stdio.h>
static char a[1 << 20], b[1 << 20];
int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm w = MPI_COMM_WORLD;
  MPI_Status s;
  double start = MPI_Wtime();
  for (int i = 0; i < 10; i++) {
    if (rank == 0) { MPI_Send(a, 8, MPI_BYTE, 1, 0, w); MPI_Recv(a, 8, MPI_BYTE, 1, 0, w, &s); }
    else { MPI_Recv(a, 8, MPI_BYTE, 0, 0, w, &s); MPI_Send(a, 8, MPI_BYTE, 0, 0, w); }
  }
  if (rank == 0) printf("%.12g ", (MPI_Wtime() - start) / 20);
  fflush(stdout);
  MPI_Barrier(w);
  start = MPI_Wtime();
  MPI_Request r[2];
  if (rank == 0) {
    MPI_Isend(a, sizeof a, MPI_BYTE, 1, 1, w, &r[0]);
    MPI_Isend(b, sizeof b, MPI_BYTE, 1, 2, w, &r[1]);
    MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
  } else {
    MPI_Irecv(a, sizeof a, MPI_BYTE, 0, 1, w, &r[0]);
    MPI_Irecv(b, sizeof b, MPI_BYTE, 0, 2, w, &r[1]);
    MPI_Wait(&r[0], &s); printf("%.12g ", MPI_Wtime() - start);
    MPI_Wait(&r[1], &s); printf("%.12g ", MPI_Wtime() - start);
  }
  fflush(stdout);
  MPI_Barrier(w);
  if (rank == 0) { MPI_Isend(a, 4096, MPI_BYTE, 1, 3, w, &r[0]); MPI_Wait(&r[0], &s); }
  else {
    smpi_execute(0.001);
    start = MPI_Wtime();
    MPI_Recv(a, 4096, MPI_BYTE, 0, 3, w, &s);
    printf("%.12g\n", MPI_Wtime() - start);
  }
  MPI_Finalize();
  return 0;
}
"""


@cache
def module(folder: Path) -> Path:
    source, program = folder / "facts.c", folder / "facts"
    source.write_text(SOURCE)
    subprocess.run(["smpicc", "-O1", "-w", str(source), "-o", str(program)], check=True)
    return program


@pytest.fixture(scope="session")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return module(tmp_path_factory.mktemp("facts"))


def facts(cluster: Cluster, program: Path, folder: Path) -> list[float]:
    platform, hosts = folder / "platform.xml", folder / "hosts"
    platform.write_text(platform_xml(cluster))
    hosts.write_text(hostfile(cluster, 2))
    command = ["smpirun", "-np", "2", "-platform", str(platform), "-hostfile", str(hosts)]
    done = subprocess.run(
        [*command, *smpi_options(cluster, interfaces=False), str(program)],
        capture_output=True,
        text=True,
        cwd=folder,
        check=True,
    )
    assert done.stderr == ""
    return [float(word) for word in done.stdout.split()]


@simulates
@pytest.mark.parametrize("name", shipped_clusters())
def test_one_way_time(name: str, program: Path, tmp_path: Path) -> None:
    cluster = load_cluster(name)
    latency = cluster.latency * (cluster.factors[0].latency if cluster.factors else 1)
    stated = cluster.send_overhead.base + latency + cluster.receive_overhead.base
    assert facts(cluster, program, tmp_path)[0] == pytest.approx(stated, rel=0.01)


@simulates
def test_one_way_time_of_a_slow_link(program: Path, tmp_path: Path) -> None:
    """The time that SMPI's envelope would add on a slow link is subtracted."""
    cluster = replace(load_cluster("ib4x"), bandwidth=100e6)
    assert facts(cluster, program, tmp_path)[0] == pytest.approx(8e-6 + 8 / 100e6, rel=0.001)


@simulates
def test_factors_change_what_a_message_takes(program: Path, tmp_path: Path) -> None:
    steps = (Factor(0, 1.0, 3.0), Factor(4096, 0.25, 1.0))
    cluster = replace(load_cluster("ib4x"), factors=steps)
    small, first, _, _ = facts(cluster, program, tmp_path)
    assert small == pytest.approx(3e-6 + 3 * cluster.latency, rel=0.01)
    assert first == pytest.approx((1 << 20) / (0.25 * cluster.bandwidth), rel=0.02)


@simulates
@pytest.mark.parametrize("name", ["ib4x", "ib4x-tapered"])
def test_two_messages_at_once(name: str, program: Path, tmp_path: Path) -> None:
    """A serialising NIC sends one message after the other; sharing ends both together."""
    cluster = load_cluster(name)
    _, first, second, _ = facts(cluster, program, tmp_path)
    transfer = (1 << 20) / cluster.bandwidth
    assert second == pytest.approx(2 * transfer, rel=0.02)
    assert first == pytest.approx(transfer if cluster.serialising else 2 * transfer, rel=0.02)


@simulates
def test_eager(program: Path, tmp_path: Path) -> None:
    """A message below the limit has arrived at a late receiver; one above only starts then."""
    cluster = load_cluster("ib4x")
    eager = facts(replace(cluster, eager_limit=8192), program, tmp_path)[3]
    late = facts(cluster, program, tmp_path)[3]
    assert eager == pytest.approx(cluster.receive_overhead.base, rel=0.01)
    assert late > cluster.latency + 4096 / cluster.bandwidth


@simulates
def test_overhead_per_byte(program: Path, tmp_path: Path) -> None:
    cluster = replace(load_cluster("ib4x"), receive_overhead=Overhead(1.5e-6, 1e-9))
    plain = facts(load_cluster("ib4x"), program, tmp_path)[3]
    assert facts(cluster, program, tmp_path)[3] - plain == pytest.approx(4096e-9, rel=0.01)


def test_platform() -> None:
    cluster = load_cluster("ib4x-tapered")
    element = ElementTree.fromstring(platform_xml(cluster))[0]
    assert element.get("topo_parameters") == "2;8,8;1,4;1,1"
    assert element.get("radical") == "0-63"
    flat = ElementTree.fromstring(platform_xml(load_cluster("ib4x")))[0]
    assert flat.get("topology") is None
    torus = ElementTree.fromstring(platform_xml(replace(cluster, topology="torus:16x4")))[0]
    assert torus.get("topology") == "TORUS"
    assert torus.get("topo_parameters") == "16,4"
    dragonfly = replace(cluster, topology="dragonfly:4x8x2")
    element = ElementTree.fromstring(platform_xml(dragonfly))[0]
    assert element.get("topology") == "DRAGONFLY"
    assert element.get("topo_parameters") == "4,1;1,1;8,1;2"


def test_options() -> None:
    options = smpi_options(load_cluster("ib4x"))
    assert "--cfg=smpi/os:0:1.5e-06:0.0" in options
    assert "--cfg=maxmin/concurrency-limit:1" in options
    assert "--cfg=maxmin/concurrency-limit:1" not in smpi_options(load_cluster("ib4x-tapered"))


def test_ranks_are_spread() -> None:
    cluster = load_cluster("ib4x")
    assert hostfile(cluster, 2) == "n0\nn32\n"
    assert hostfile(cluster, 64).split() == [f"n{host}" for host in range(64)]
    assert hostfile(cluster, 4, ppn=2).split() == ["n0-0", "n0-1", "n32-0", "n32-1"]
    places = [f"n{rank // 2}-{rank % 2}" for rank in range(128)]
    assert hostfile(cluster, 128, ppn=2).split() == places
