"""bench/observe_patch.py: on a simulated cluster a filled-in patch saves what it promises."""

import shutil
from pathlib import Path

import observe_patch
import pytest

MACHINE = Path(__file__).parents[2] / "data" / "profiles" / "ib4x.json"


def test_saves_what_it_promises(tmp_path: Path) -> None:
    if shutil.which("smpicxx") is None or shutil.which("smpirun") is None:
        pytest.skip("no SimGrid")
    found = observe_patch.tried(tmp_path, str(MACHINE), "sim:ib4x:16", ["1024", "40"])
    assert found is not None
    assert found.same
    assert found.low <= found.promised <= found.high
    assert found.saved == pytest.approx(found.promised, rel=0.2)
    assert observe_patch.FILLED_LINES < 30
