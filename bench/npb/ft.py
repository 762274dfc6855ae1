"""NPB's FT: what its computation takes, and what a programmer fills in.

The transpose between the transforms along z and along y is cut along x: lines along z are made,
transformed and sent, while others arrive and are transformed along y.
"""

from .source import Edit

NAME = "ft"
# The call that begins the exchange, and how many of its executions are overlapped while the time
# is taken.
SITE = "transpose2_global_"
TIMES = 6

# Simulated seconds, and the time of all: transforms at 2 Gflop/s, copies at 5 GB/s, and
# multiplications at 4 GB/s.
CHARGES = [
    Edit("cfftz", "do l = 1, m, 2", "call smpi_execute(5d0*fftblock*n*m/2d9)", 0),
    Edit("evolve", "do k = 1, d3", "call smpi_execute(16d0*d1*d2*d3/4d9)", 0),
    Edit("transpose2_local", "if (n1 .lt.", "call smpi_execute(16d0*n1*n2/5d9)", 0),
    Edit("ft", "if( total_time", "if (me .eq. 0) write(*,*) 'seconds', total_time", 0),
    Edit("transpose2_finish", "do p = 0,", "call smpi_execute(16d0*n1*n2/5d9)", 0),
]
PATCH_CHARGES = [
    Edit("produce_1", "! TODO", "call smpi_execute(16d0*size(values)/5d9)", 0),
    Edit("consume_1", "! TODO", "call smpi_execute(16d0*size(values)/5d9)", 0),
]

# The program calls the patch instead of its evolution, transforms along z, transpose, and
# transforms along y.
PROGRAM = [
    Edit("ft", "call evolve(", "", 2),
    Edit("fft", "use ft_data", "use lapwing_overlapped"),
    Edit("fft", "call cffts1(-1, dims(1,3)", "", 2),
    Edit("fft", "call transpose_x_yz(3, 2", "call overlap_1(commslice1)", 4),
]

# Of what two ranks exchange, elements along z follow one another, then those along y, then x.
PATCH = [
    Edit("lapwing_overlapped", "use, ", "use ft_data\nuse ft_fields\nuse mpinpb", 0),
    Edit(
        "lapwing_overlapped",
        "interface",
        """
integer :: made, used, zs, part, at, k  ! lines along x; elements of each for a rank
double complex :: line(ny), work(fftblockpad_default*maxdim*2)
double complex, allocatable :: packed(:,:)
""",
        0,
    ),
    Edit(
        "overlap_1",
        "call exchange_1(",
        """
zs = dims(3,1); part = zs*dims(3,3)
if (.not. allocated(packed)) allocate(packed(nx*part, np2))
made = 0; used = 0; fftblock = 1
""",
        0,
    ),
    Edit("overlap_1", "end subroutine", "fftblock = fftblock_default", 0),
    Edit(
        "produce_1",
        "! TODO",
        """
do made = made, int(first + count - 1)/part
  do k = 0, dims(3,3) - 1
    at = 1 + nz*(made + nx*k)
    call evolve(u0(at), u1(at), twiddle(at), nz, 1, 1)
    call cffts1(-1, nz, 1, 1, u1(at), u1(at), work)
    packed(1+zs*k+part*made : zs*(k+1)+part*made,:) = reshape(u1(at:at+nz-1), [zs, np2])
  end do
end do
values = packed(first+1:first+count,:)
""",
    ),
    Edit(
        "consume_1",
        "! TODO",
        """
packed(first+1:first+count,:) = values
do used = used, int(first + count)/part - 1
  do k = 0, zs - 1
    line = reshape(packed(1+k+part*used : part*(used+1) : zs,:), [ny])
    call cffts1(-1, ny, 1, 1, line, line, work)
    u2(1+used+nx*ny*k : nx*ny*(k+1) : nx) = line
  end do
end do
""",
    ),
]
