program new
    use mpi_f08
    implicit none
    integer :: i
    call MPI_Init()
    do i = 1, 4
        call transpose_all()
        call edges()
    end do
    call MPI_Finalize()

contains

    subroutine transpose_all()
        real(8) :: a(5000), b(5000)
        a = 1
        call MPI_Alltoall(a, 2500, MPI_REAL8, b, 2500, MPI_REAL8, MPI_COMM_WORLD)
    end subroutine

    subroutine edges()
        real(8), asynchronous :: a(100), b(100)
        type(MPI_Request) :: requests(2)
        integer :: me
        call MPI_Comm_rank(MPI_COMM_WORLD, me)
        a = me
        call MPI_Irecv(b, 100, MPI_REAL8, 1 - me, 7, MPI_COMM_WORLD, requests(1))
        call MPI_Isend(a, 100, MPI_REAL8, 1 - me, 7, MPI_COMM_WORLD, requests(2))
        call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE)
        if (b(1) /= 1 - me) call MPI_Abort(MPI_COMM_WORLD, 1)
    end subroutine
end program
