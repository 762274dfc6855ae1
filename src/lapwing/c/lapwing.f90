!> Planning from Fortran: profiles, plans and predictions, as lapwing.h has them. Nothing here communicates.
!! Sizes are in bytes, times in seconds. A procedure that can fail takes a status: lapwing_ok or the kind of failure;
!! lapwing_error_message() has the details. Without a status argument a failure ends the program with that message.
!! Variables of these types free the memory that they hold; assignment copies it.
module lapwing
    use, intrinsic :: iso_c_binding, only: c_associated, c_bool, c_char, c_double, c_f_pointer, c_int, c_int64_t, &
        c_loc, c_null_char, c_null_ptr, c_ptr, c_size_t
    use, intrinsic :: iso_fortran_env, only: error_unit
    implicit none
    private

    ! The result of a call.
    integer(c_int), parameter, public :: lapwing_ok = 0, lapwing_invalid = 1, lapwing_unreadable = 2, &
        lapwing_out_of_memory = 3, lapwing_internal = 4
    ! The communication pattern of a workload.
    integer(c_int), parameter, public :: lapwing_stream = 0, lapwing_multi = 1, lapwing_congested = 2, &
        lapwing_alltoall = 3, lapwing_collective = 4, lapwing_halo = 5, lapwing_buckets = 6
    ! Whether the computation comes after a message or before it, and what a piece of it depends on.
    integer(c_int), parameter, public :: lapwing_fetch = 0, lapwing_produce = 1, lapwing_both = 2
    integer(c_int), parameter, public :: lapwing_tight = 0, lapwing_loose = 1
    ! The planner.
    integer(c_int), parameter, public :: lapwing_ours = 0, lapwing_paper = 1, lapwing_paper_size = 2, &
        lapwing_paper_communication = 3, lapwing_paper_computation = 4, lapwing_paper_bursts = 5
    ! What keeps a plan from being faster.
    integer(c_int), parameter, public :: lapwing_bound_latency = 0, lapwing_bound_overhead = 1, &
        lapwing_bound_bandwidth = 2, lapwing_bound_computation = 3, lapwing_bound_queue = 4, lapwing_bound_progress = 5
    ! The order of the messages of several peers, and how strided data is sent.
    integer(c_int), parameter, public :: lapwing_contiguous = 0, lapwing_interleaved = 1
    integer(c_int), parameter, public :: lapwing_packing_none = 0, lapwing_packing_derived = 1, &
        lapwing_packing_copy = 2, lapwing_packing_blocked = 3
    ! How messages move: that of the program, or any, for the planner to choose.
    integer(c_int), parameter, public :: lapwing_two_sided = 0, lapwing_put = 1, lapwing_get = 2, &
        lapwing_any = 3, lapwing_ucx_put = 4, lapwing_ucx_get = 5, lapwing_shmem = 6, &
        lapwing_partitioned = 7

    !> A workload: the data to communicate, and the computation that is to hide it.
    type, bind(c), public :: lapwing_workload
        integer(c_int64_t) :: volume = 0   !< bytes each computing rank receives (sends, if it produces)
        real(c_double) :: compute = 0      !< seconds of computation of each computing rank
        integer(c_int64_t) :: grain = 1    !< bytes; messages end at its multiples
        integer(c_int) :: pattern = lapwing_stream
        integer(c_int) :: direction = lapwing_fetch
        integer(c_int) :: dependence = lapwing_tight
        integer(c_int64_t) :: ranks = 0    !< number of ranks; 0: as many as pattern and peers need
        integer(c_int64_t) :: peers = 0    !< other ranks that a rank exchanges with; 0: all of them
        integer(c_int64_t) :: block = 0    !< bytes of contiguous data; 0: all of it
        integer(c_int64_t) :: stride = 0   !< bytes from one block to the next
        logical(c_bool) :: unbalanced = .false._c_bool     !< the ranks of an all-to-all get out of step
        logical(c_bool) :: sizes_unknown = .false._c_bool  !< sizes have to be exchanged before data
        real(c_double) :: uncertainty = 0  !< of the computation: 0.2 if it may be a fifth longer or shorter
        integer(c_int) :: transport = lapwing_two_sided  !< that of the program, or lapwing_any
    end type

    !> A plan without the sizes of its messages and without its texts.
    type, bind(c), public :: lapwing_summary
        integer(c_int64_t) :: count = 0      !< messages of a rank with one of its peers
        integer(c_int64_t) :: volume = 0     !< bytes of all of these
        integer(c_int64_t) :: grain = 0      !< bytes; all sizes but the last are its multiples
        integer(c_int64_t) :: tile = 0       !< grains in most messages
        integer(c_int) :: window = 0         !< messages in flight, of all peers together
        integer(c_int) :: burst = 0          !< messages initiated back to back; 0: one by one
        real(c_double) :: pace = 0           !< seconds per byte a sender leaves between messages; 0: none
        real(c_double) :: poll_interval = 0  !< seconds between polls while computing; 0: no polling
        real(c_double) :: predicted = 0      !< seconds
        real(c_double) :: limit = 0          !< seconds that no choice of messages can beat
        real(c_double) :: blocking = 0       !< predicted seconds of all communication, then all computation
        real(c_double) :: runner_up = 0      !< predicted seconds of the next best way; 0 if there is none
        integer(c_int) :: bound = 0
        integer(c_int) :: order = 0
        integer(c_int) :: packing = 0
        logical(c_bool) :: staggered = .false._c_bool  !< rank r begins with peer r + 1; otherwise all with the same
        ! Texts of the plan: see its functions of these names.
        type(c_ptr), private :: poll_reason = c_null_ptr
        type(c_ptr), private :: transport = c_null_ptr
        type(c_ptr), private :: transport_reason = c_null_ptr
        type(c_ptr), private :: runner_up_what = c_null_ptr
    end type

    !> One message of a plan. A new variable stands before the first.
    type, bind(c), public :: lapwing_message
        integer(c_int64_t) :: index = 0   !< number of the message, from 0
        integer(c_int64_t) :: offset = 0  !< bytes before it
        integer(c_int64_t) :: size = 0    !< bytes
        integer(c_int64_t), private :: run = 0
        integer(c_int64_t), private :: left = 0
    end type

    !> The measured costs of a machine.
    type, public :: lapwing_profile
        private
        type(c_ptr) :: handle = c_null_ptr
    contains
        procedure :: load => profile_load    !< call profile%load(path [, status]): reads a profile file
        procedure :: parse => profile_parse  !< call profile%parse(document [, status]): reads a JSON document
        procedure :: loggp => profile_loggp  !< call profile%loggp(L, o_s, o_r, g, gap_per_byte [, status])
        procedure :: release => profile_release
        procedure, private :: profile_copy
        generic :: assignment(=) => profile_copy
        final :: profile_final
    end type

    !> A plan for a workload on a machine.
    type, public :: lapwing_plan
        private
        type(c_ptr) :: handle = c_null_ptr
    contains
        procedure :: make => plan_make        !< call plan%make(profile, workload [, method] [, status])
        procedure :: summary => plan_summary  !< its summary; all 0 before the plan is made
        procedure :: next => plan_next        !< do while (plan%next(message)): goes on to the next message
        procedure :: sizes => plan_sizes      !< of all messages, bytes
        procedure :: poll_reason => plan_poll_reason
        procedure :: transport => plan_transport
        procedure :: transport_reason => plan_transport_reason
        procedure :: runner_up => plan_runner_up
        procedure :: release => plan_release
        procedure, private :: plan_copy
        generic :: assignment(=) => plan_copy
        final :: plan_final
    end type

    public :: lapwing_version, lapwing_error_message, lapwing_predict

    interface
        function c_version() result(text) bind(c, name="lapwing_version")
            import :: c_ptr
            type(c_ptr) :: text
        end function
        function c_error_message() result(text) bind(c, name="lapwing_error_message")
            import :: c_ptr
            type(c_ptr) :: text
        end function
        function c_profile_load(path, profile) result(status) bind(c, name="lapwing_profile_load")
            import :: c_char, c_int, c_ptr
            character(kind=c_char), intent(in) :: path(*)
            type(c_ptr), intent(out) :: profile
            integer(c_int) :: status
        end function
        function c_profile_parse(document, length, profile) result(status) bind(c, name="lapwing_profile_parse")
            import :: c_char, c_int, c_ptr, c_size_t
            character(kind=c_char), intent(in) :: document(*)
            integer(c_size_t), value :: length
            type(c_ptr), intent(out) :: profile
            integer(c_int) :: status
        end function
        function c_profile_loggp(latency, o_s, o_r, g, gap_per_byte, profile) result(status) &
            bind(c, name="lapwing_profile_loggp")
            import :: c_double, c_int, c_ptr
            real(c_double), value :: latency, o_s, o_r, g, gap_per_byte
            type(c_ptr), intent(out) :: profile
            integer(c_int) :: status
        end function
        function c_profile_copy(profile, copy) result(status) bind(c, name="lapwing_profile_copy")
            import :: c_int, c_ptr
            type(c_ptr), value :: profile
            type(c_ptr), intent(out) :: copy
            integer(c_int) :: status
        end function
        subroutine c_profile_free(profile) bind(c, name="lapwing_profile_free")
            import :: c_ptr
            type(c_ptr), value :: profile
        end subroutine
        function c_plan_make(profile, workload, method, plan) result(status) bind(c, name="lapwing_plan_make")
            import :: c_int, c_ptr, lapwing_workload
            type(c_ptr), value :: profile
            type(lapwing_workload), intent(in) :: workload
            integer(c_int), value :: method
            type(c_ptr), intent(out) :: plan
            integer(c_int) :: status
        end function
        function c_plan_copy(plan, copy) result(status) bind(c, name="lapwing_plan_copy")
            import :: c_int, c_ptr
            type(c_ptr), value :: plan
            type(c_ptr), intent(out) :: copy
            integer(c_int) :: status
        end function
        subroutine c_plan_free(plan) bind(c, name="lapwing_plan_free")
            import :: c_ptr
            type(c_ptr), value :: plan
        end subroutine
        function c_plan_summary(plan, summary) result(status) bind(c, name="lapwing_plan_summary")
            import :: c_int, c_ptr, lapwing_summary
            type(c_ptr), value :: plan
            type(lapwing_summary), intent(inout) :: summary
            integer(c_int) :: status
        end function
        function c_plan_next(plan, message) result(more) bind(c, name="lapwing_plan_next")
            import :: c_bool, c_ptr, lapwing_message
            type(c_ptr), value :: plan
            type(lapwing_message), intent(inout) :: message
            logical(c_bool) :: more
        end function
        function c_plan_sizes(plan, first, count, sizes) result(status) bind(c, name="lapwing_plan_sizes")
            import :: c_int, c_int64_t, c_ptr
            type(c_ptr), value :: plan
            integer(c_int64_t), value :: first, count
            integer(c_int64_t), intent(inout) :: sizes(*)
            integer(c_int) :: status
        end function
        function c_predict(profile, operation, algorithm, ranks, size, seconds) result(status) &
            bind(c, name="lapwing_predict")
            import :: c_char, c_double, c_int, c_int64_t, c_ptr
            type(c_ptr), value :: profile, algorithm
            character(kind=c_char), intent(in) :: operation(*)
            integer(c_int64_t), value :: ranks, size
            real(c_double), intent(inout) :: seconds
            integer(c_int) :: status
        end function
        pure function c_strlen(text) result(length) bind(c, name="strlen")
            import :: c_ptr, c_size_t
            type(c_ptr), value :: text
            integer(c_size_t) :: length
        end function
    end interface

contains

    !> The version, say "1.2.3".
    function lapwing_version() result(text)
        character(:), allocatable :: text
        text = fortran_text(c_version())
    end function

    !> One line about the last call that failed; empty if none has.
    function lapwing_error_message() result(text)
        character(:), allocatable :: text
        text = fortran_text(c_error_message())
    end function

    subroutine profile_load(self, path, status)
        class(lapwing_profile), intent(inout) :: self
        character(*), intent(in) :: path
        integer(c_int), intent(out), optional :: status
        call self%release()
        call tell(c_profile_load(trim(path)//c_null_char, self%handle), status)
    end subroutine

    subroutine profile_parse(self, document, status)
        class(lapwing_profile), intent(inout) :: self
        character(*), intent(in) :: document
        integer(c_int), intent(out), optional :: status
        call self%release()
        call tell(c_profile_parse(document, len(document, c_size_t), self%handle), status)
    end subroutine

    !> Makes a profile from LogGP parameters alone, in seconds and seconds per byte.
    subroutine profile_loggp(self, latency, o_s, o_r, g, gap_per_byte, status)
        class(lapwing_profile), intent(inout) :: self
        real(c_double), intent(in) :: latency, o_s, o_r, g, gap_per_byte
        integer(c_int), intent(out), optional :: status
        call self%release()
        call tell(c_profile_loggp(latency, o_s, o_r, g, gap_per_byte, self%handle), status)
    end subroutine

    !> Frees the memory; the profile may be loaded again.
    subroutine profile_release(self)
        class(lapwing_profile), intent(inout) :: self
        call c_profile_free(self%handle)
        self%handle = c_null_ptr
    end subroutine

    subroutine profile_copy(self, from)
        class(lapwing_profile), intent(inout) :: self
        class(lapwing_profile), intent(in) :: from
        type(c_ptr) :: copy
        copy = c_null_ptr
        if (c_associated(from%handle)) call tell(c_profile_copy(from%handle, copy))
        call self%release()
        self%handle = copy
    end subroutine

    impure elemental subroutine profile_final(self)
        type(lapwing_profile), intent(inout) :: self
        call self%release()
    end subroutine

    !> Makes the plan for a workload. method: lapwing_ours unless given.
    subroutine plan_make(self, profile, workload, method, status)
        class(lapwing_plan), intent(inout) :: self
        class(lapwing_profile), intent(in) :: profile
        type(lapwing_workload), intent(in) :: workload
        integer(c_int), intent(in), optional :: method
        integer(c_int), intent(out), optional :: status
        integer(c_int) :: chosen
        chosen = lapwing_ours
        if (present(method)) chosen = method
        call self%release()
        call tell(c_plan_make(profile%handle, workload, chosen, self%handle), status)
    end subroutine

    function plan_summary(self) result(summary)
        class(lapwing_plan), intent(in) :: self
        type(lapwing_summary) :: summary
        if (c_associated(self%handle)) call tell(c_plan_summary(self%handle, summary))
    end function

    !> Moves `message` to the next message. False after the last: `message` then stands before the first again.
    function plan_next(self, message) result(more)
        class(lapwing_plan), intent(in) :: self
        type(lapwing_message), intent(inout) :: message
        logical :: more
        more = c_plan_next(self%handle, message)
    end function

    function plan_sizes(self) result(sizes)
        class(lapwing_plan), intent(in) :: self
        integer(c_int64_t), allocatable :: sizes(:)
        type(lapwing_summary) :: summary
        summary = self%summary()
        allocate (sizes(summary%count))
        if (summary%count > 0) call tell(c_plan_sizes(self%handle, 0_c_int64_t, summary%count, sizes))
    end function

    !> Why the plan polls, or does not.
    function plan_poll_reason(self) result(text)
        class(lapwing_plan), intent(in) :: self
        character(:), allocatable :: text
        type(lapwing_summary) :: summary
        summary = self%summary()
        text = fortran_text(summary%poll_reason)
    end function

    !> How messages move: "two-sided", "put", "get", "ucx-put", ... or "collective".
    function plan_transport(self) result(text)
        class(lapwing_plan), intent(in) :: self
        character(:), allocatable :: text
        type(lapwing_summary) :: summary
        summary = self%summary()
        text = fortran_text(summary%transport)
    end function

    !> Why this transport.
    function plan_transport_reason(self) result(text)
        class(lapwing_plan), intent(in) :: self
        character(:), allocatable :: text
        type(lapwing_summary) :: summary
        summary = self%summary()
        text = fortran_text(summary%transport_reason)
    end function

    !> The next best way in words; empty if there is none.
    function plan_runner_up(self) result(text)
        class(lapwing_plan), intent(in) :: self
        character(:), allocatable :: text
        type(lapwing_summary) :: summary
        summary = self%summary()
        text = fortran_text(summary%runner_up_what)
    end function

    !> Frees the memory; the plan may be made again.
    subroutine plan_release(self)
        class(lapwing_plan), intent(inout) :: self
        call c_plan_free(self%handle)
        self%handle = c_null_ptr
    end subroutine

    subroutine plan_copy(self, from)
        class(lapwing_plan), intent(inout) :: self
        class(lapwing_plan), intent(in) :: from
        type(c_ptr) :: copy
        copy = c_null_ptr
        if (c_associated(from%handle)) call tell(c_plan_copy(from%handle, copy))
        call self%release()
        self%handle = copy
    end subroutine

    impure elemental subroutine plan_final(self)
        type(lapwing_plan), intent(inout) :: self
        call self%release()
    end subroutine

    !> Predicts the seconds of `operation` ("send", or a collective) on `ranks` ranks for `size` bytes, with the
    !! fastest algorithm unless one is named. 0 if it fails.
    function lapwing_predict(profile, operation, ranks, size, algorithm, status) result(seconds)
        class(lapwing_profile), intent(in) :: profile
        character(*), intent(in) :: operation
        integer(c_int64_t), intent(in) :: ranks, size
        character(*), intent(in), optional :: algorithm
        integer(c_int), intent(out), optional :: status
        real(c_double) :: seconds
        character(:, c_char), allocatable, target :: named
        type(c_ptr) :: which
        seconds = 0
        which = c_null_ptr
        if (present(algorithm)) then
            named = trim(algorithm)//c_null_char
            which = c_loc(named)
        end if
        call tell(c_predict(profile%handle, trim(operation)//c_null_char, which, ranks, size, seconds), status)
    end function

    !> Sets `status` to the result of a call. Without it, ends the program if the call failed.
    subroutine tell(result, status)
        integer(c_int), intent(in) :: result
        integer(c_int), intent(out), optional :: status
        if (present(status)) then
            status = result
        else if (result /= lapwing_ok) then
            write (error_unit, "(a)") "lapwing: "//lapwing_error_message()
            error stop
        end if
    end subroutine

    function fortran_text(from) result(text)
        type(c_ptr), intent(in) :: from
        character(:), allocatable :: text
        character(kind=c_char), pointer :: letters(:)
        integer :: i
        if (.not. c_associated(from)) then
            text = ""
            return
        end if
        call c_f_pointer(from, letters, [c_strlen(from)])
        allocate (character(size(letters)) :: text)
        do i = 1, size(letters)
            text(i:i) = letters(i)
        end do
    end function
end module
