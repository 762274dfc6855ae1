! Plans a stream with a machine's parameters written down by hand, in Fortran.
program plan_fortran
    use, intrinsic :: iso_c_binding, only: c_double, c_int64_t
    use lapwing
    implicit none
    type(lapwing_profile) :: machine
    type(lapwing_plan) :: plan
    type(lapwing_workload) :: workload
    type(lapwing_summary) :: summary

    call machine%loggp(5e-6_c_double, 1.5e-6_c_double, 1.5e-6_c_double, 1.5e-6_c_double, 1/750e6_c_double)
    workload = lapwing_workload(volume=2_c_int64_t**20, compute=1.4e-3_c_double, grain=8_c_int64_t)
    call plan%make(machine, workload)
    summary = plan%summary()
    print "(i0, a, f5.2, a, f5.2, a)", summary%count, " messages,", 1e3*summary%predicted, " ms instead of", &
        1e3*summary%blocking, " ms"
    if (sum(plan%sizes()) /= workload%volume .or. summary%predicted >= summary%blocking) error stop
end program
