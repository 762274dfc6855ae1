      program old
      include 'mpif.h'
      call mpi_init(ierror)
      do i = 1, 4
         call transpose
         call edges
      end do
      call mpi_finalize(ierror)
      end

      subroutine transpose
      include 'mpif.h'
      real*8 a(5000), b(5000)
      a = 1
      call mpi_alltoall(a, 2500, MPI_REAL8, b, 2500, MPI_REAL8,
     &                  MPI_COMM_WORLD, ierror)
      end

      subroutine edges
      include 'mpif.h'
      real*8 a(100), b(100)
      integer requests(2)
      call mpi_comm_rank(MPI_COMM_WORLD, me, ierror)
      a = me
      call mpi_irecv(b, 100, MPI_REAL8, 1 - me, 7, MPI_COMM_WORLD,
     &               requests(1), ierror)
      call mpi_isend(a, 100, MPI_REAL8, 1 - me, 7, MPI_COMM_WORLD,
     &               requests(2), ierror)
      call mpi_waitall(2, requests, MPI_STATUSES_IGNORE, ierror)
      if (b(1) .ne. 1 - me) call mpi_abort(MPI_COMM_WORLD, 1, ierror)
      end
