! What overlapping a megabyte with more and more computation would gain on a machine that was measured, and into which
! messages it would be cut.
program plan_fortran
    use, intrinsic :: iso_c_binding, only: c_double, c_int, c_int64_t
    use, intrinsic :: iso_fortran_env, only: error_unit
    use lapwing
    implicit none

    character(1000) :: path
    integer(c_int) :: status

    if (command_argument_count() /= 1) then
        write (error_unit, "(a)") "usage: example-plan_fortran PROFILE"
        stop 2, quiet=.true.
    end if
    call get_command_argument(1, path)
    call table(trim(path), status)
    if (status /= lapwing_ok) then
        write (error_unit, "(a)") "example-plan_fortran: "//lapwing_error_message()
        stop 1, quiet=.true.
    end if

contains

    subroutine table(profile, result)
        character(*), intent(in) :: profile
        integer(c_int), intent(out) :: result
        type(lapwing_profile) :: machine
        type(lapwing_plan) :: plan
        type(lapwing_workload) :: workload
        type(lapwing_summary) :: summary
        type(lapwing_message) :: message
        integer(c_int64_t) :: longest
        integer :: i

        call machine%load(profile, result)
        if (result /= lapwing_ok) return
        workload%volume = 2_c_int64_t**20
        workload%grain = 8
        print "(a)", "computation  blocking   planned  messages   longest"
        do i = 0, 4
            workload%compute = 0.5e-3_c_double * i
            call plan%make(machine, workload, status=result)
            if (result /= lapwing_ok) return
            summary = plan%summary()
            longest = 0
            do while (plan%next(message))
                longest = max(longest, message%size)
            end do
            print "(f8.2, a, f7.2, a, f7.2, a, i10, i10)", 1e3*workload%compute, " ms", 1e3*summary%blocking, " ms", &
                1e3*summary%predicted, " ms", summary%count, longest
        end do
    end subroutine
end program
