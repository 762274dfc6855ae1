! Communicators, wildcards and MPI_IN_PLACE, as Fortran passes them, on two ranks.
program calls
#ifdef NEW
    use mpi_f08
    implicit none
    type(MPI_Comm) :: turned, copy
    type(MPI_Message) :: message
#else
    use mpi
    implicit none
    integer :: turned, copy, message
#endif
    integer :: me, error, sent(1), got(1), counts(2), unused(2), places(2)
    real(8) :: room(4)

    call MPI_Init(error)
    call MPI_Comm_rank(MPI_COMM_WORLD, me, error)
    ! Each rank's number there is the other's in MPI_COMM_WORLD.
    call MPI_Comm_split(MPI_COMM_WORLD, 0, -me, turned, error)
    call MPI_Comm_dup(turned, copy, error)
    sent = me
    if (me == 0) then
        call MPI_Send(sent, 1, MPI_INTEGER, 0, 5, turned, error)
        call MPI_Send(sent, 1, MPI_INTEGER, 0, 7, turned, error)
    else
        call MPI_Recv(got, 1, MPI_INTEGER, MPI_ANY_SOURCE, MPI_ANY_TAG, turned, MPI_STATUS_IGNORE, error)
        call MPI_Mprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, turned, message, MPI_STATUS_IGNORE, error)
        call MPI_Mrecv(got, 1, MPI_INTEGER, message, MPI_STATUS_IGNORE, error)
    end if
    call MPI_Sendrecv(sent, 1, MPI_INTEGER, me, 6, got, 1, MPI_INTEGER, MPI_ANY_SOURCE, 6, copy, &
                      MPI_STATUS_IGNORE, error)
    if (got(1) /= 1 - me) call MPI_Abort(MPI_COMM_WORLD, 1, error)
    counts = 2
    unused = 1000000
    places = (/0, 2/)
    room = me
    call MPI_Alltoallv(MPI_IN_PLACE, unused, places, MPI_REAL8, room, counts, places, MPI_REAL8, copy, error)
    call MPI_Comm_free(copy, error)
    call MPI_Finalize(error)
end program
