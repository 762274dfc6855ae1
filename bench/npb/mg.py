"""NPB's MG: what its computation takes, and what a programmer fills in.

The residual on the finest level: what neighbours need is computed first, and travels along one axis
after another while a third of the interior is computed behind each.
"""

from .source import Edit

NAME = "mg"
# The call that begins the exchange, and how many of its executions are overlapped while the time
# is taken: one before that is for the patch to make what it keeps.
SITE = "ready_"
TIMES = 4

# Simulated seconds, and the time of all: 2 Gflop/s, and 5 GB/s copied.
_PLANE = "n1*n2*n3/merge(n1, merge(n2, n3, axis == 2), axis == 1)"
CHARGES = [
    Edit("psinv", "do i3=2,n3-1", "call smpi_execute(16d0*(n1-2)*(n2-2)*(n3-2)/2d9)", 0),
    Edit("resid", "do i3=2,n3-1", "call smpi_execute(15d0*(n1-2)*(n2-2)*(n3-2)/2d9)", 0),
    Edit("rprj3", "do  j3=2,m3j-1", "call smpi_execute(24d0*(m1j-2)*(m2j-2)*(m3j-2)/2d9)", 0),
    Edit("interp", "if( n1 .ne. 3", "call smpi_execute(20d0*(mm1-1)*(mm2-1)*(mm3-1)/2d9)", 0),
    Edit("norm2u3", "do  i3=2,n3-1", "call smpi_execute(3d0*(n1-2)*(n2-2)*(n3-2)/2d9)", 0),
    Edit("give3", "buff_id = ", f"call smpi_execute(8d0*{_PLANE}/5d9)", 0),
    Edit("mg_mpi", "call mpi_reduce(t0,t,1", "if (me .eq. root) write(*,*) 'seconds', t0", 0),
    Edit("take3", "buff_id = ", f"call smpi_execute(8d0*{_PLANE}/5d9)", 0),
]
PATCH_CHARGES: list[Edit] = []

# On a level above the finest, which is that of a part of the grid, nothing is exchanged.
PROGRAM = [
    Edit("mg3P", "call resid(u,v,r,", "call overlap_1(comm_work, 1)"),
    Edit("mg3P", "use mg_data", "use lapwing_overlapped, only: overlap_1", 0),
    Edit("resid", "call comm3(", "if (k <= lt) call comm3(r,n1,n2,n3,k)"),
]

PATCH = [
    Edit("lapwing_overlapped", "use, ", "use mg_data\nuse mg_fields\nuse mpinpb", 0),
    Edit("lapwing_overlapped", "interface", "integer :: n(3), lo(3), hi(3), axis, at", 0),
    Edit(
        "overlap_1",
        "call exchange_1(",
        """
nbr(:,:,lt+1) = MPI_PROC_NULL
n = [m1(lt), m2(lt), m3(lt)]
lo = 2; hi = n - 1
do axis = 3, 1, -1
  do at = 2, n(axis) - 1, n(axis) - 3
    lo(axis) = at; hi(axis) = at
    call residual(u, v, r)
  end do
  lo(axis) = 3; hi(axis) = n(axis) - 2
end do
""",
        0,
    ),
    Edit(
        "pack_1",
        "! TODO",
        """
call give3(tag/1000, mod(tag/100, 10) - 2, r, n(1), n(2), n(3), lt + 1)
values = buff(:count, mod(tag/100, 10))
""",
    ),
    Edit(
        "interior_1",
        "! TODO",
        """
lo(3) = 3 + (n(3) - 4)*phase/3; hi(3) = 2 + (n(3) - 4)*(phase + 1)/3
call residual(u, v, r)
""",
        2,
    ),
    Edit(
        "border_1",
        "! TODO",
        """
buff(:count, mod(tag/100, 10) + 1) = values
call take3(tag/1000, mod(tag/100, 10) - 2, r, n(1), n(2), n(3))
""",
    ),
    Edit(
        "lapwing_overlapped",
        "end module",
        """
subroutine residual(u, v, r)  ! of a part
  double precision, dimension(n(1),n(2),n(3)) :: u, v, r
  call resid(u(lo(1)-1:hi(1)+1,lo(2)-1:hi(2)+1,lo(3)-1:hi(3)+1), v(lo(1)-1:hi(1)+1, &
    lo(2)-1:hi(2)+1,lo(3)-1:hi(3)+1), r(lo(1)-1:hi(1)+1,lo(2)-1:hi(2)+1,lo(3)-1:hi(3)+1), &
    hi(1)-lo(1)+3, hi(2)-lo(2)+3, hi(3)-lo(3)+3, a, lt+1)
end subroutine
""",
        0,
    ),
]

# The same messages, with nothing behind them: all is computed first.
PATCH_IN_TURN = [
    Edit(
        "overlap_1",
        "call exchange_1(",
        """
nbr(:,:,lt+1) = MPI_PROC_NULL
n = [m1(lt), m2(lt), m3(lt)]
lo = 2; hi = n - 1
call residual(u, v, r)
""",
        0,
    ),
    Edit("interior_1", "! TODO", "continue", 2),
    *(edit for edit in PATCH if edit.routine not in ("overlap_1", "interior_1")),
]
