"""Decision files: the choices, and that MPIs read and follow them."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest
from documents import DATA, check
from typed import COMMAND, Lapwing

from lapwing import Profile, load_profile
from lapwing.errors import LapwingError, RunFailed
from lapwing.launch import Launch, parse
from lapwing.launch.algorithms import algorithms, force
from lapwing.measure.operations import time_operations
from lapwing.tuning.choices import Choice, Rule, decisions
from lapwing.tuning.decisions.formats import sayable, write
from lapwing.tuning.decisions.library import parse_library
from lapwing.tuning.tune import tunable, tune
from lapwing.tuning.verify import Verified, verify, without_losers

FULL = str(DATA / "full.json")
OPENMPI = parse_library("openmpi-4.1")
MPICH = parse_library("mpich-4.0")
FEW = ["--ranks", "4,8", "--size", "8:64KB"]


def rule(size: int, algorithm: str | None) -> Rule:
    return Rule(size, algorithm, (size,), (1e-6,), (2e-6,), ("linear",))


def read_openmpi(text: str) -> dict[int, list[tuple[int, list[list[int]]]]]:
    """The rules of a file, by collective and number of ranks, read as Open MPI does."""
    numbers = iter(int(n) for line in text.splitlines() for n in line.partition("#")[0].split())
    read = {
        next(numbers): [
            (next(numbers), [[next(numbers) for _ in range(4)] for _ in range(next(numbers))])
            for _ in range(next(numbers))
        ]
        for _ in range(next(numbers))
    }
    assert next(numbers, None) is None
    return read


def leaves(tree: dict) -> set[str]:
    """The algorithms of a selection, each of which ends a branch."""
    found = set()
    for key, below in tree.items():
        if key.startswith("algorithm="):
            assert below == {}
            assert len(tree) == 1
            found.add(key)
        else:
            assert below
            found |= leaves(below)
    return found


@pytest.mark.parametrize(
    ("mpi", "version", "format"),
    [
        ("openmpi", "4.1", 1),
        ("openmpi", "5.0.7", 2),
        ("openmpi", "6", 3),
        ("mpich", "4.0", None),
        ("mpich", "5.0", None),
        ("intel", "2021", None),
    ],
)
def test_what_is_chosen(
    lapwing: Lapwing, tmp_path: Path, mpi: str, version: str, format: int | None
) -> None:
    words = ["tune", FULL, "--mpi", f"{mpi}-{version}", *FEW]
    document = lapwing(*words, "-o", "rules", "--json").document
    check("tune", document)
    assert (document["for"], document["library"]["version"]) == (mpi, version)
    assert document["format"] == format
    assert document["file"] == "rules"
    assert (tmp_path / "rules").read_text()
    assert {entry["operation"] for entry in document["rules"]} == set(
        tunable(parse_library(f"{mpi}-{version}"))
    )
    for entry in document["rules"]:
        if entry["algorithm"] is None:
            continue
        library = parse_library(f"{mpi}-{version}")
        assert entry["algorithm"] in sayable(library, entry["operation"])
        assert len(entry["predicted"]) == len(entry["sizes"])
        one_for_all_sizes = mpi == "openmpi" and entry["operation"] in ("gather", "scatter")
        if entry["default"] is not None and not one_for_all_sizes:
            for ours, theirs in zip(entry["predicted"], entry["default"], strict=True):
                assert ours["seconds"] < theirs["seconds"]
    for operation in tunable(parse_library(f"{mpi}-{version}")):
        for ranks in (4, 8):
            mine = [
                e for e in document["rules"] if (e["operation"], e["ranks"]) == (operation, ranks)
            ]
            starts = [entry["from"] for entry in mine]
            assert starts[0] == 0
            assert starts == sorted(set(starts))
            sizes = [size for entry in mine for size in entry["sizes"]]
            assert sizes == ([0] if operation == "barrier" else [8 << i for i in range(14)])
    assert "rules" in lapwing(*words, "-o", "again").table


def test_no_algorithm_is_faster_than_the_one_chosen() -> None:
    profile, sizes = load_profile("ranger"), [8, 4096, 1 << 20]
    for choice in tune(profile, OPENMPI, operations=["bcast", "alltoall"], ranks=[16], sizes=sizes):
        every = {}
        for name in algorithms("openmpi", choice.operation):
            how = force("openmpi", choice.operation, name, 16)
            if how is None or any(how.differs(16, size) for size in sizes):
                continue
            from lapwing import predict

            every[name] = predict(
                profile, choice.operation, ranks=16, sizes=sizes, algorithm=name
            ).seconds[0]
        chosen = [time for entry in choice.rules for time in entry.seconds]
        for i in range(len(sizes)):
            assert chosen[i] <= 1.031 * min(times[i] for times in every.values())


def test_later_releases_have_more_algorithms() -> None:
    def known(library: str, operation: str) -> list[str]:
        return sayable(parse_library(library), operation)

    assert "sparbit" not in known("openmpi-4.1", "allgather")
    assert "sparbit" in known("openmpi-5", "allgather")
    assert "k-nomial" not in known("openmpi-5.0.11", "reduce")
    assert "k-nomial" in known("openmpi-6", "reduce")
    assert "ring" not in known("mpich-4.0.3", "allreduce")
    assert "ring" in known("mpich-4.1", "allreduce")
    # What takes several settings, no rule can name.
    assert "reduce-bcast" not in known("openmpi-5", "allreduce")


def test_written_for_openmpi() -> None:
    choices = [
        Choice("bcast", 8, (rule(0, "binomial"), rule(5000, None), rule(9000, "pipelined"))),
        Choice("bcast", 16, (rule(0, "scatter-ring"),)),
        Choice(
            "allgather", 8, (rule(0, "recursive-doubling"), rule(100, "ring")), (rule(0, "bruck"),)
        ),
        Choice("reduce", 8, (rule(0, None),)),
        # The entry is called reduce_scatter_block even if it has no rules.
        Choice("reduce_scatter", 8, (rule(0, "recursive-halving"),)),
        Choice("reduce_scatter", 16, (rule(0, None),)),
        Choice("reduce_scatter", 32, (rule(0, "recursive-halving"),)),
    ]
    text = write(decisions(choices), OPENMPI, "one\ntwo")
    assert text.startswith("# one\n# two\n3  # collectives\n")
    # The collective's number; where nothing is known it is 0, as Open MPI chooses. Sizes are those
    # of all ranks together in an allgather.
    assert read_openmpi(text) == {
        0: [
            (0, [[0, 0, 0, 0]]),
            (8, [[0, 3, 0, 0], [800, 4, 0, 0]]),
            (9, [[0, 2, 0, 0]]),
            (16, [[0, 0, 0, 0]]),
        ],
        7: [
            (0, [[0, 0, 0, 0]]),
            (8, [[0, 6, 0, 0], [5000, 0, 0, 0], [9000, 3, 0, 8192]]),
            (16, [[0, 9, 0, 0]]),
            (32, [[0, 0, 0, 0]]),
        ],
        13: [
            (0, [[0, 0, 0, 0]]),
            (8, [[0, 3, 0, 0]]),
            (16, [[0, 0, 0, 0]]),
            (32, [[0, 3, 0, 0]]),
            (64, [[0, 0, 0, 0]]),
        ],
    }


def test_written_for_mpich() -> None:
    choices = [
        Choice("bcast", 8, (rule(0, "binomial"), rule(5000, None))),
        Choice("bcast", 16, (rule(0, "scatter-ring"),)),
        Choice("allgather", 2, (rule(0, "recursive-doubling"),), (rule(0, "bruck"),)),
        Choice("allreduce", 4, (rule(0, "rabenseifner"),)),
    ]
    text = write(decisions(choices), MPICH, "")
    assert len(text) % 4096
    document = json.loads(text)
    assert len(document) == 44  # every collective: it fails on those it does not find
    leaves(document)
    bcast = document["collective=bcast"]["comm_type=intra"]
    # Below "<=" alone: MPICH takes "<" for "<=" wherever other conditions stand above it.
    assert list(bcast) == ["comm_size<=7", "comm_size<=15", "comm_size<=31", "comm_size=any"]
    assert bcast["comm_size<=7"] == bcast["comm_size=any"]
    assert bcast["comm_size<=15"] == {
        "avg_msg_size<5000": {"algorithm=MPIR_Bcast_intra_binomial": {}},
        "avg_msg_size=any": bcast["comm_size=any"],
    }
    gathered = document["collective=allgather"]["comm_type=intra"]
    assert gathered["comm_size<=2"] == {"algorithm=MPIR_Allgather_intra_recursive_doubling": {}}
    assert gathered["comm_size<=3"] == {"algorithm=MPIR_Allgather_intra_brucks": {}}
    # Algorithms that need many elements, or a built-in operator.
    reduced = document["collective=allreduce"]["comm_type=intra"]["comm_size<=7"]
    assert reduced["is_op_built_in=yes"]["count<pow2"] == reduced["is_op_built_in=no"]


def test_no_rule_where_it_would_be_wrong_or_hang() -> None:
    profile = load_profile("ranger")

    def chosen(operation: str, commutative: bool) -> set[str | None]:
        choices = tune(
            profile,
            OPENMPI,
            operations=[operation],
            ranks=[8, 12],
            sizes=[8, 4096, 1 << 20],
            commutative=commutative,
        )
        if operation in ("gather", "scatter"):  # only the root knows the size
            assert all(len(choice.rules) == 1 for choice in choices)
        return {entry.algorithm for choice in choices for entry in choice.rules}

    # Open MPI applies rules to operators that do not commute as well.
    assert chosen("allreduce", False) <= {None, "recursive-doubling"}
    assert chosen("reduce", False) <= {None, "linear"}
    assert chosen("allreduce", True) <= {None, *algorithms("openmpi", "allreduce")}
    for operation in ("gather", "scatter"):
        chosen(operation, False)


def times(mpi: str, ranks: int, size: int, settings: dict[str, str]) -> float:
    """Seconds of an allgather under real MPI."""
    launch = Launch(parse(f"mpi:{ranks}"), mpi, settings=settings, timeout=60)
    found = time_operations(launch, {"allgather": [size]}, seconds=0.01)
    return float(found["measurements"][0]["seconds"])


def native(mpi: str, launcher: str) -> None:
    if shutil.which(launcher) is None or not (COMMAND.parent / f"lapwing-mpi.{mpi}").exists():
        pytest.skip(f"no {mpi}")


@pytest.fixture
def beside(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LAPWING_NATIVE_DIR", str(COMMAND.parent))


CHOICES = [Choice("allgather", 3, (rule(0, "ring"), rule(2000, "bruck")))]


@pytest.mark.alone
@pytest.mark.usefixtures("beside")
def test_openmpi_follows_the_file(tmp_path: Path) -> None:
    native("openmpi", "mpirun.openmpi")
    text = write(decisions(CHOICES), OPENMPI, "")
    path = tmp_path / "rules.conf"
    settings = {
        "OMPI_MCA_coll_tuned_use_dynamic_rules": "1",
        "OMPI_MCA_coll_tuned_dynamic_rules_filename": str(path),
    }
    path.write_text(text)
    assert times("openmpi", 3, 2000, settings) > 0
    # It does not say what it reads. But with an algorithm that there is not, it fails: of three
    # ranks, and from 2000 bytes of each on.
    assert text.count("\n6000 2 0 0 ") == 1
    path.write_text(text.replace("\n6000 2 0 0 ", "\n6000 77 0 0 "))
    assert times("openmpi", 3, 1999, settings) > 0
    assert times("openmpi", 2, 4000, settings) > 0
    with pytest.raises(RunFailed):
        times("openmpi", 3, 2000, settings)


@pytest.mark.alone
@pytest.mark.usefixtures("beside")
def test_mpich_follows_the_file(tmp_path: Path) -> None:
    native("mpich", "mpiexec.mpich")
    text = write(decisions(CHOICES), MPICH, "")
    path = tmp_path / "selection.json"
    # On one node, shared memory would be used without asking the file.
    settings = {
        "MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE": str(path),
        "MPIR_CVAR_NOLOCAL": "1",
    }
    path.write_text(text)
    assert times("mpich", 3, 2000, settings) > 0
    # With what is for powers of two alone it fails: of three ranks, and from 2000 bytes of each on.
    document = json.loads(text)
    rules = document["collective=allgather"]["comm_type=intra"]["comm_size<=5"]
    assert rules["total_msg_size=any"] == {"algorithm=MPIR_Allgather_intra_brucks": {}}
    rules["total_msg_size=any"] = {"algorithm=MPIR_Allgather_intra_recursive_doubling": {}}
    path.write_text(json.dumps(document))
    assert times("mpich", 3, 1999, settings) > 0
    assert times("mpich", 2, 4000, settings) > 0
    with pytest.raises(RunFailed):
        times("mpich", 3, 2000, settings)


@pytest.mark.alone
@pytest.mark.usefixtures("beside")
def test_rules_are_timed(tmp_path: Path) -> None:
    native("openmpi", "mpirun.openmpi")
    choices = [
        Choice("bcast", 2, (rule(8, "binomial"), rule(64, None))),
        Choice("bcast", 4096, (rule(8, "linear"),)),  # more ranks than the target has
    ]
    path = tmp_path / "rules.conf"
    path.write_text(write(decisions(choices), OPENMPI, ""))
    launch = Launch(parse("mpi:2"), "openmpi", timeout=60)
    settings = {
        "OMPI_MCA_coll_tuned_use_dynamic_rules": "1",
        "OMPI_MCA_coll_tuned_dynamic_rules_filename": str(path),
    }
    (timed,) = verify(launch, "openmpi", choices, lambda ranks: settings, seconds=0.01)
    assert (timed.choice, timed.size) == (choices[0], 8)
    assert timed.tuned > 0
    assert timed.default > 0
    with pytest.raises(LapwingError, match="are for mpich, but mpi:2 runs openmpi"):
        verify(launch, "mpich", choices, lambda ranks: {})


def test_rules_that_lose_are_dropped() -> None:
    choice = Choice(
        "bcast",
        8,
        (rule(0, None), rule(64, "binomial"), rule(512, "linear"), rule(4096, "chain")),
        (rule(0, "binomial"),),
    )
    other = Choice("bcast", 16, (rule(0, "linear"),))

    def timed(which: int, tuned: float, error: float) -> Verified:
        return Verified(choice, choice.rules[which], 64, tuned, 1.0, error)

    # Slower by more than the errors; slower by no more; faster.
    found = [timed(1, 1.2, 0.1), timed(2, 1.2, 0.3), timed(3, 0.5, 0.0)]
    kept, untouched = without_losers([choice, other], found)
    assert [(entry.size, entry.algorithm) for entry in kept.rules] == [
        (0, None),
        (512, "linear"),
        (4096, "chain"),
    ]
    assert kept.rules[0].sizes == (0, 64)
    # Other numbers of ranks were not timed: they have no rules, and not those of these ranks.
    assert kept.anywhere is not None
    assert [rule.algorithm for rule in kept.anywhere] == [None]
    same = Choice("bcast", 8, choice.rules)
    (kept,) = without_losers([same], [Verified(same, same.rules[1], 64, 1.2, 1.0, 0.1)])
    assert kept.anywhere is None
    assert untouched == other


def test_refusals(lapwing: Lapwing, tmp_path: Path) -> None:
    words = ["tune", FULL, "--mpi", "openmpi"]
    for more, says in [
        ([], "missing: -o FILE, --suggest N or --json"),
        (["-o", "x", "--op", "bcats"], 'there is nothing to choose for "bcats" (did you mean "bc'),
        (["-o", "x", "--ranks", "8:2"], "write the smaller one first"),
        (["-o", "x", "--ranks", "0"], "from 1 to"),
        (["-o", "x", "--size", "1MB:1KB"], "write the smaller one first"),
        (["-o", "x", "--verify"], "--verify and --on TARGET go together"),
        (["-o", "x", "--on", "mpi"], "--verify and --on TARGET go together"),
        (["-o", "no/x"], "no is no directory"),
    ]:
        assert says in lapwing(*words, *more).complaint
    assert "--mpi" in lapwing("tune", FULL, "-o", "x").complaint
    for library, says in [
        ("lam", 'unknown library "lam": choose from openmpi, mpich, intel'),
        ("opnmpi-5", '(did you mean "openmpi"?)'),
        ("openmpi-", "nothing is no version; write e.g. openmpi-5.0.7"),
        ("mpich-4.x", "4.x is no version"),
        ("openmpi-3.1", "Open MPI 3.1: files are written for Open MPI 4.0 and later"),
    ]:
        assert says in lapwing("tune", FULL, "--mpi", library, "-o", "x").complaint
    for more, says in [
        (["openmpi-6", "--format", "1"], "--format 1: Open MPI 6 reads 3"),
        (["mpich-5.0", "--format", "1"], "--format 1: there are formats for Open MPI alone"),
        (["openmpi-6", "--format", "4"], "--format"),
        (
            ["openmpi-6", "--verify", "--on", "mpi:2"],
            "the file is for Open MPI 6, and here is Open",
        ),
    ]:
        assert says in lapwing("tune", FULL, "-o", "x", "--mpi", *more).complaint
    (tmp_path / "mine").write_text("kept")
    assert "exists already" in lapwing(*words, "-o", "mine").complaint
    assert [path.name for path in tmp_path.iterdir()] == ["mine"]
    assert (tmp_path / "mine").read_text() == "kept"
    two = ["-o", "mine", "--force", "--op", "barrier", "--ranks", "4"]
    assert lapwing(*words, *two).status == 0
    read_openmpi((tmp_path / "mine").read_text())


@pytest.mark.parametrize("library", ["openmpi-5.0", "mpich-4.2", "intel-2021"])
@pytest.mark.parametrize("folder", [".", "my $rules' folder"])
@pytest.mark.parametrize("absolute", [False, True])
def test_what_is_printed_can_be_typed(
    lapwing: Lapwing, tmp_path: Path, library: str, folder: str, absolute: bool
) -> None:
    place = tmp_path / folder
    place.mkdir(exist_ok=True)
    path = str(place / "the rules") if absolute else f"{folder}/the rules"
    words = ["--mpi", library, "--op", "bcast", "--ranks", "8", "--size", "8"]
    printed = lapwing("tune", "ranger", *words, "-o", path).out
    lines = printed.rpartition("them:")[2]
    if library.startswith("intel"):  # which is read by the shell itself
        (place / "the rules").write_text("found=$RANKS")
        shown = shell(tmp_path, lines, "$found")
        assert shown == "64"
        return
    variable = {
        "openmpi-5.0": "$OMPI_MCA_coll_tuned_dynamic_rules_filename",
        "mpich-4.2": "$MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE",
    }[library]
    shown = shell(tmp_path, lines, variable)
    assert Path(shown).is_absolute()
    assert "//" not in shown
    assert Path(shown).samefile(place / "the rules")


def shell(folder: Path, lines: str, shown: str) -> str:
    """What a word is to the shell after some lines."""
    script = f'{lines}\nprintf %s "{shown}"\n'
    done = subprocess.run(["sh", "-eu", "-c", script], cwd=folder, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def test_a_profile_without_nodes(lapwing: Lapwing, tmp_path: Path) -> None:
    (tmp_path / "flat.json").write_text(load_profile("ranger").to_json())
    said = lapwing("tune", "flat.json", "--mpi", "openmpi", "-o", "x", "--ppn", "2").complaint
    assert "flat.json: " in said
    assert "calibrate" in said
    assert isinstance(load_profile(tmp_path / "flat.json"), Profile)


TABLE = """system,mpi,nodes,ranks_per_node,collective,algorithm,size,median_us
one,Open MPI 4.1.6,8,1,allgather,default,64,20
one,Open MPI 4.1.6,8,1,allgather,default,4096,40
one,Open MPI 4.1.6,8,1,allgather,ring,64,8
one,Open MPI 4.1.6,8,1,allgather,ring,4096,16
"""


@pytest.fixture
def measured(lapwing: Lapwing, tmp_path: Path) -> str:
    (tmp_path / "table.csv").write_text(TABLE)
    assert lapwing("import", "table.csv", "-o", "measured.json").status == 0
    return "measured.json"


def test_choices_by_measurements(lapwing: Lapwing, measured: str, tmp_path: Path) -> None:
    words = ["tune", FULL, "--measured", measured, "--mpi", "openmpi-4.1"]
    words += ["--ranks", "8", "--size", "64,4096"]
    document = lapwing(*words, "--json").document
    check("tune", document)
    assert document["measured"] == {"times": 4, "notes": []}
    assert document["suggested"] == []
    told = {r["operation"]: r["algorithm"] for r in document["rules"] if r["algorithm"]}
    assert told == {"allgather": "ring"}
    shown = lapwing(*words, "-o", "rules").table
    assert "ring" in shown
    read = read_openmpi((tmp_path / "rules").read_text())
    assert list(read) == [0]
    assert (8, [[0, 4, 0, 0], [8 * 4096 + 8, 0, 0, 0]]) in read[0] or (8, [[0, 4, 0, 0]]) in read[0]
    shown = lapwing(*words, "--op", "bcast", "-o", "others").table
    assert "No rule is sure enough: Open MPI chooses everywhere." in shown
    other = [word.replace("openmpi-4.1", "mpich-4.1") for word in words]
    shown = lapwing(*other, "-o", "selection", "--op", "allgather").table
    assert "2 times of what Open MPI 4.1.6 chose by itself" in " ".join(shown.split())


def test_suggestions(lapwing: Lapwing, measured: str) -> None:
    words = ["tune", FULL, "--mpi", "openmpi-4.1", "--ranks", "8,16", "--size", "64,4096"]
    words += ["--op", "allgather", "--suggest", "3"]
    document = lapwing(*words, "--measured", measured, "--json").document
    check("tune", document)
    assert document["file"] is None
    # Nobody measured 16 ranks.
    first, second, _ = document["suggested"]
    assert (first["algorithm"], first["ranks"]) == (None, 16)
    assert second["algorithm"] is not None
    assert second["size"] == first["size"]
    assert "own choice" in lapwing(*words, "--measured", measured).table
    predicted = lapwing(*words, "--json").document
    check("tune", predicted)
    assert predicted["measured"] is None
    assert len(predicted["suggested"]) == 3


def test_measurements_that_are_none(lapwing: Lapwing, measured: str, tmp_path: Path) -> None:
    words = ["tune", FULL, "--mpi", "openmpi-4.1", "-o", "rules", "--measured"]
    assert "is a profile document, no measurements" in lapwing(*words, FULL).complaint
    assert "absent.json" in lapwing(*words, "absent.json").complaint
    (tmp_path / "other.csv").write_text(TABLE.replace("one,", "two,"))
    assert lapwing("import", "other.csv", "-o", "other.json").status == 0
    assert "of several machines: one, two" in lapwing(*words, measured, "other.json").complaint
    said = lapwing("tune", FULL, "--mpi", "openmpi-4.1", "--suggest", "0").complaint
    assert "--suggest" in said
    assert not (tmp_path / "rules").exists()
