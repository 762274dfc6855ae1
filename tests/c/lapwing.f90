! The Fortran module: plans as C has them, mistakes as a status with a message, copies, and what is freed.
program test_lapwing
    use, intrinsic :: ieee_arithmetic, only: ieee_quiet_nan, ieee_value
    use, intrinsic :: iso_c_binding, only: c_double, c_int, c_int64_t
    use lapwing
    implicit none

    logical :: failed
    character(1000) :: path

    failed = .false.
    call get_command_argument(1, path)
    call plans()
    call mistakes()
    call copies()
    call predictions()
    if (failed) stop 1, quiet=.true.
    print "(a)", "right"

contains

    subroutine check(condition, what)
        logical, intent(in) :: condition
        character(*), intent(in) :: what
        if (condition) return
        print "(a)", "failed: "//what
        failed = .true.
    end subroutine

    !> With words in its message.
    subroutine refused(condition, words, what)
        logical, intent(in) :: condition
        character(*), intent(in) :: words, what
        character(:), allocatable :: message
        message = lapwing_error_message()
        call check(condition .and. index(message, words) > 0, what//" ("//message//")")
    end subroutine

    subroutine plans()
        type(lapwing_profile) :: machine
        type(lapwing_plan) :: plan
        type(lapwing_summary) :: summary
        type(lapwing_message) :: message
        integer(c_int64_t), allocatable :: sizes(:)
        integer(c_int64_t) :: bytes, count
        call machine%load(path)
        call plan%make(machine, lapwing_workload(volume=1000004_c_int64_t, compute=1e-3_c_double, grain=8_c_int64_t))
        summary = plan%summary()
        call check(summary%volume == 1000004 .and. summary%grain == 8, "what the summary says")
        call check(summary%count > 1 .and. summary%window >= 1, "messages")
        call check(summary%predicted < summary%blocking .and. summary%limit <= summary%predicted, "times")
        call check(plan%transport() == "two-sided", "the transport")
        call check(plan%transport_reason() == "as the workload says", "why that transport")
        call check(plan%poll_reason() /= "", "why it polls")
        allocate (sizes, source=plan%sizes())
        call check(size(sizes, kind=c_int64_t) == summary%count .and. sum(sizes) == 1000004, "all sizes")
        bytes = 0
        count = 0
        do while (plan%next(message))
            call check(message%index == count .and. message%offset == bytes, "a message's place")
            call check(message%size == sizes(count + 1), "a message's size")
            bytes = bytes + message%size
            count = count + 1
        end do
        call check(count == summary%count .and. message%size == 0, "the end of the messages")
        ! The same variables, used again.
        call plan%make(machine, lapwing_workload(volume=2_c_int64_t**36, grain=8_c_int64_t, &
                                                 direction=lapwing_produce), lapwing_paper)
        summary = plan%summary()
        call check(summary%volume == 2_c_int64_t**36 .and. summary%burst >= 1, "a large plan of the paper's")
        call plan%make(machine, lapwing_workload(volume=2_c_int64_t**20), lapwing_paper_size)
        summary = plan%summary()
        call check(summary%volume == 2_c_int64_t**20 .and. summary%burst >= 1, "with an overhead of single messages")
        call check(lapwing_version() /= "", "version")
    end subroutine

    subroutine mistakes()
        type(lapwing_profile) :: machine
        type(lapwing_plan) :: plan
        type(lapwing_summary) :: summary
        type(lapwing_message) :: message
        integer(c_int) :: status
        real(c_double) :: nan
        nan = ieee_value(nan, ieee_quiet_nan)
        call machine%load("/nowhere/machine.json", status)
        call refused(status == lapwing_unreadable, "/nowhere/machine.json: ", "a file that is not there")
        call machine%parse("{", status)
        call check(status == lapwing_unreadable, "a document that is none")
        call machine%loggp(1e-6_c_double, nan, 1e-6_c_double, 1e-6_c_double, 1e-9_c_double, status)
        call refused(status == lapwing_invalid, "loggp.o_s", "not a number")
        call plan%make(machine, lapwing_workload(volume=8_c_int64_t), status=status)
        call check(status == lapwing_invalid, "no profile")
        call machine%loggp(1e-6_c_double, 1e-6_c_double, 1e-6_c_double, 1e-6_c_double, 1e-9_c_double, status)
        call check(status == lapwing_ok, "a profile by hand")
        call plan%make(machine, lapwing_workload(volume=-8_c_int64_t), status=status)
        call refused(status == lapwing_invalid, "volume", "a negative volume")
        call plan%make(machine, lapwing_workload(volume=huge(1_c_int64_t)), status=status)
        call refused(status == lapwing_invalid, "volume", "too large a volume")
        call plan%make(machine, lapwing_workload(volume=8_c_int64_t, compute=nan), status=status)
        call refused(status == lapwing_invalid, "compute", "no computation")
        call plan%make(machine, lapwing_workload(volume=8_c_int64_t, uncertainty=nan), status=status)
        call refused(status == lapwing_invalid, "uncertainty", "no uncertainty")
        call plan%make(machine, lapwing_workload(volume=8_c_int64_t, pattern=99), status=status)
        call refused(status == lapwing_invalid, "pattern", "no pattern")
        ! What was not made is empty.
        summary = plan%summary()
        call check(summary%count == 0, "an empty plan")
        call check(size(plan%sizes()) == 0, "its sizes")
        call check(plan%transport() == "", "its transport")
        call check(.not. plan%next(message), "its messages")
    end subroutine

    subroutine copies()
        type(lapwing_profile) :: machine, same_machine
        type(lapwing_plan) :: plan, same_plan, nothing
        type(lapwing_summary) :: summary
        call machine%load(path)
        same_machine = machine
        same_machine = same_machine
        call machine%release()
        call plan%make(same_machine, lapwing_workload(volume=65536_c_int64_t, grain=8_c_int64_t))
        same_plan = plan
        plan = nothing
        summary = same_plan%summary()
        call check(summary%volume == 65536, "a copy")
        summary = plan%summary()
        call check(summary%volume == 0, "a copy of nothing")
    end subroutine

    subroutine predictions()
        type(lapwing_profile) :: machine
        integer(c_int) :: status
        real(c_double) :: best, bruck
        call machine%load(path)
        best = lapwing_predict(machine, "alltoall", 16_c_int64_t, 1024_c_int64_t)
        bruck = lapwing_predict(machine, "alltoall", 16_c_int64_t, 1024_c_int64_t, "bruck")
        call check(best > 0 .and. best <= bruck, "a prediction")
        best = lapwing_predict(machine, "alltoal", 16_c_int64_t, 1024_c_int64_t, status=status)
        call refused(status == lapwing_invalid, "did you mean", "a misspelt one")
    end subroutine
end program
