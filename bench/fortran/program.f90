! What planning through Fortran costs, for the volumes of bench-plan_c, to be read beside what it prints: plan made, read
! and freed.
program plan_fortran
    use, intrinsic :: iso_c_binding, only: c_double, c_int64_t
    use lapwing
    implicit none
    integer, parameter :: times = 20000
    type(lapwing_profile) :: machine
    type(lapwing_plan) :: plan
    type(lapwing_workload) :: workload
    integer(c_int64_t), allocatable :: sizes(:)
    integer(c_int64_t) :: begin, end, rate, bytes
    integer :: i, power

    call machine%loggp(5e-6_c_double, 1.5e-6_c_double, 1.5e-6_c_double, 1.5e-6_c_double, 1/750e6_c_double)
    workload%compute = 1.4e-3_c_double
    workload%grain = 8
    print "(a)", "    volume     us a plan"
    do power = 13, 29, 4
        workload%volume = 2_c_int64_t**power
        bytes = 0
        call system_clock(begin, rate)
        do i = 1, times
            call plan%make(machine, workload)
            allocate (sizes, source=plan%sizes())
            bytes = bytes + sizes(size(sizes))
            deallocate (sizes)
        end do
        call system_clock(end)
        if (bytes <= 0) error stop
        print "(i10, f14.3)", workload%volume, 1e6*real(end - begin, c_double)/real(rate, c_double)/times
    end do
end program
