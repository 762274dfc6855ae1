"""bench/observe_npb.py: how it changes a program, and how much a programmer fills in."""

import observe_npb
import pytest
from npb.source import Edit, edited

SOURCE = """\
      subroutine first(a)
      do i = 1, n
      end
      subroutine second(a)
      do i = 1, n
         a(i) = 0
      end do
      end
"""


def test_edits() -> None:
    """Each is of the first such line in its subroutine, and replaces or precedes it."""
    text = edited(SOURCE, [Edit("second", "do i", "call charge", 0), Edit("second", "a(", "", 2)])
    assert text.splitlines()[3:] == [
        "      subroutine second(a)",
        "call charge",
        "      do i = 1, n",
        "      end",
    ]
    with pytest.raises(AssertionError, match="second has no line that begins with 'do k'"):
        edited(SOURCE, [Edit("second", "do k", "")])


@pytest.mark.parametrize("name", sorted(observe_npb.PROGRAMS))
def test_few_lines(name: str) -> None:
    assert observe_npb.filled_lines(observe_npb.PROGRAMS[name]) < 30
