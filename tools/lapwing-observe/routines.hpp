#pragma once

// LAPWING_ROUTINES(X) calls X(name, lower-case name, behaviour, number of arguments, arguments) for
// every routine that is observed. Behaviours are types in point_to_point.hpp, collectives.hpp and
// requests.hpp.
#define LAPWING_ROUTINES(X)                                                                        \
    X(Send, send, Sends, 6, In, Number, Type, Number, Number, Comm)                                \
    X(Bsend, bsend, Sends, 6, In, Number, Type, Number, Number, Comm)                              \
    X(Ssend, ssend, Sends, 6, In, Number, Type, Number, Number, Comm)                              \
    X(Rsend, rsend, Sends, 6, In, Number, Type, Number, Number, Comm)                              \
    X(Recv, recv, Receives, 7, Out, Number, Type, Number, Number, Comm, Received)                  \
    X(Sendrecv, sendrecv, Swaps, 12, In, Number, Type, Number, Number, Out, Number, Type, Number,  \
      Number, Comm, Received)                                                                      \
    X(Sendrecv_replace, sendrecv_replace, Replaces, 9, Out, Number, Type, Number, Number, Number,  \
      Number, Comm, Received)                                                                      \
    X(Isend, isend, Later<Sends>, 7, In, Number, Type, Number, Number, Comm, Asked)                \
    X(Ibsend, ibsend, Later<Sends>, 7, In, Number, Type, Number, Number, Comm, Asked)              \
    X(Issend, issend, Later<Sends>, 7, In, Number, Type, Number, Number, Comm, Asked)              \
    X(Irsend, irsend, Later<Sends>, 7, In, Number, Type, Number, Number, Comm, Asked)              \
    X(Irecv, irecv, Later<Receives>, 7, Out, Number, Type, Number, Number, Comm, Asked)            \
    X(Send_init, send_init, Often<Sends>, 7, In, Number, Type, Number, Number, Comm, Asked)        \
    X(Bsend_init, bsend_init, Often<Sends>, 7, In, Number, Type, Number, Number, Comm, Asked)      \
    X(Ssend_init, ssend_init, Often<Sends>, 7, In, Number, Type, Number, Number, Comm, Asked)      \
    X(Rsend_init, rsend_init, Often<Sends>, 7, In, Number, Type, Number, Number, Comm, Asked)      \
    X(Recv_init, recv_init, Often<Receives>, 7, Out, Number, Type, Number, Number, Comm, Asked)    \
    X(Start, start, Starts, 1, Asked)                                                              \
    X(Startall, startall, Starts, 2, Number, Asked)                                                \
    X(Request_free, request_free, Frees, 1, Asked)                                                 \
    X(Wait, wait, Waits, 2, Asked, Status)                                                         \
    X(Waitall, waitall, Waits, 3, Number, Asked, Status)                                           \
    X(Waitany, waitany, WaitsForOne, 4, Number, Asked, Result, Status)                             \
    X(Waitsome, waitsome, WaitsForSome, 5, Number, Asked, Result, Result, Status)                  \
    X(Test, test, Tests, 3, Asked, Result, Status)                                                 \
    X(Testall, testall, Tests, 4, Number, Asked, Result, Status)                                   \
    X(Testany, testany, WaitsForOne, 5, Number, Asked, Result, Result, Status)                     \
    X(Testsome, testsome, WaitsForSome, 5, Number, Asked, Result, Result, Status)                  \
    X(Barrier, barrier, Barriers, 1, Comm)                                                         \
    X(Bcast, bcast, Bcasts, 5, Out, Number, Type, Number, Comm)                                    \
    X(Reduce, reduce, Reduces, 7, In, Out, Number, Type, Operator, Number, Comm)                   \
    X(Allreduce, allreduce, Allreduces, 6, In, Out, Number, Type, Operator, Comm)                  \
    X(Scan, scan, Scans, 6, In, Out, Number, Type, Operator, Comm)                                 \
    X(Exscan, exscan, ScansBefore, 6, In, Out, Number, Type, Operator, Comm)                       \
    X(Reduce_scatter, reduce_scatter, ReduceScatters, 6, In, Out, Numbers, Type, Operator, Comm)   \
    X(Reduce_scatter_block, reduce_scatter_block, ReduceScattersEqually, 6, In, Out, Number, Type, \
      Operator, Comm)                                                                              \
    X(Gather, gather, Gathers, 8, In, Number, Type, Out, Number, Type, Number, Comm)               \
    X(Gatherv, gatherv, Gathers, 9, In, Number, Type, Out, Numbers, Numbers, Type, Number, Comm)   \
    X(Scatter, scatter, Scatters, 8, In, Number, Type, Out, Number, Type, Number, Comm)            \
    X(Scatterv, scatterv, Scatters, 9, In, Numbers, Numbers, Type, Out, Number, Type, Number,      \
      Comm)                                                                                        \
    X(Allgather, allgather, Allgathers, 7, In, Number, Type, Out, Number, Type, Comm)              \
    X(Allgatherv, allgatherv, Allgathers, 8, In, Number, Type, Out, Numbers, Numbers, Type, Comm)  \
    X(Alltoall, alltoall, Alltoalls, 7, In, Number, Type, Out, Number, Type, Comm)                 \
    X(Alltoallv, alltoallv, Alltoalls, 9, InOrInPlace, Numbers, Numbers, Type, Out, Numbers,       \
      Numbers, Type, Comm)                                                                         \
    X(Alltoallw, alltoallw, Alltoalls, 9, InOrInPlace, Numbers, Numbers, Types, Out, Numbers,      \
      Numbers, Types, Comm)                                                                        \
    X(Ibarrier, ibarrier, Later<Barriers>, 2, Comm, Asked)                                         \
    X(Ibcast, ibcast, Later<Bcasts>, 6, Out, Number, Type, Number, Comm, Asked)                    \
    X(Ireduce, ireduce, Later<Reduces>, 8, In, Out, Number, Type, Operator, Number, Comm, Asked)   \
    X(Iallreduce, iallreduce, Later<Allreduces>, 7, In, Out, Number, Type, Operator, Comm, Asked)  \
    X(Iscan, iscan, Later<Scans>, 7, In, Out, Number, Type, Operator, Comm, Asked)                 \
    X(Ireduce_scatter, ireduce_scatter, Later<ReduceScatters>, 7, In, Out, Numbers, Type,          \
      Operator, Comm, Asked)                                                                       \
    X(Ireduce_scatter_block, ireduce_scatter_block, Later<ReduceScattersEqually>, 7, In, Out,      \
      Number, Type, Operator, Comm, Asked)                                                         \
    X(Igather, igather, Later<Gathers>, 9, In, Number, Type, Out, Number, Type, Number, Comm,      \
      Asked)                                                                                       \
    X(Igatherv, igatherv, Later<Gathers>, 10, In, Number, Type, Out, Numbers, Numbers, Type,       \
      Number, Comm, Asked)                                                                         \
    X(Iscatter, iscatter, Later<Scatters>, 9, In, Number, Type, Out, Number, Type, Number, Comm,   \
      Asked)                                                                                       \
    X(Iscatterv, iscatterv, Later<Scatters>, 10, In, Numbers, Numbers, Type, Out, Number, Type,    \
      Number, Comm, Asked)                                                                         \
    X(Iallgather, iallgather, Later<Allgathers>, 8, In, Number, Type, Out, Number, Type, Comm,     \
      Asked)                                                                                       \
    X(Iallgatherv, iallgatherv, Later<Allgathers>, 9, In, Number, Type, Out, Numbers, Numbers,     \
      Type, Comm, Asked)                                                                           \
    X(Ialltoall, ialltoall, Later<Alltoalls>, 8, In, Number, Type, Out, Number, Type, Comm, Asked) \
    X(Ialltoallv, ialltoallv, Later<Alltoalls>, 10, InOrInPlace, Numbers, Numbers, Type, Out,      \
      Numbers, Numbers, Type, Comm, Asked)                                                         \
    X(Ialltoallw, ialltoallw, Later<Alltoalls>, 10, InOrInPlace, Numbers, Numbers, Types, Out,     \
      Numbers, Numbers, Types, Comm, Asked)

// A list of n parameters, named a to l, of the kinds A to L, as C passes them.
#define LAPWING_TYPED_1(A) A::C a
#define LAPWING_TYPED_2(A, B) LAPWING_TYPED_1(A), B::C b
#define LAPWING_TYPED_3(A, B, C_) LAPWING_TYPED_2(A, B), C_::C c
#define LAPWING_TYPED_4(A, B, C_, D) LAPWING_TYPED_3(A, B, C_), D::C d
#define LAPWING_TYPED_5(A, B, C_, D, E) LAPWING_TYPED_4(A, B, C_, D), E::C e
#define LAPWING_TYPED_6(A, B, C_, D, E, F) LAPWING_TYPED_5(A, B, C_, D, E), F::C f
#define LAPWING_TYPED_7(A, B, C_, D, E, F, G) LAPWING_TYPED_6(A, B, C_, D, E, F), G::C g
#define LAPWING_TYPED_8(A, B, C_, D, E, F, G, H) LAPWING_TYPED_7(A, B, C_, D, E, F, G), H::C h
#define LAPWING_TYPED_9(A, B, C_, D, E, F, G, H, I) LAPWING_TYPED_8(A, B, C_, D, E, F, G, H), I::C i
#define LAPWING_TYPED_10(A, B, C_, D, E, F, G, H, I, J) \
    LAPWING_TYPED_9(A, B, C_, D, E, F, G, H, I), J::C j
#define LAPWING_TYPED_12(A, B, C_, D, E, F, G, H, I, J, K, L) \
    LAPWING_TYPED_10(A, B, C_, D, E, F, G, H, I, J), K::C k, L::C l

// The same list as Fortran passes them.
// NOLINTBEGIN(bugprone-macro-parentheses): lists
#define LAPWING_ADDRESSES_1 void* a
#define LAPWING_ADDRESSES_2 LAPWING_ADDRESSES_1, void* b
#define LAPWING_ADDRESSES_3 LAPWING_ADDRESSES_2, void* c
#define LAPWING_ADDRESSES_4 LAPWING_ADDRESSES_3, void* d
#define LAPWING_ADDRESSES_5 LAPWING_ADDRESSES_4, void* e
#define LAPWING_ADDRESSES_6 LAPWING_ADDRESSES_5, void* f
#define LAPWING_ADDRESSES_7 LAPWING_ADDRESSES_6, void* g
#define LAPWING_ADDRESSES_8 LAPWING_ADDRESSES_7, void* h
#define LAPWING_ADDRESSES_9 LAPWING_ADDRESSES_8, void* i
#define LAPWING_ADDRESSES_10 LAPWING_ADDRESSES_9, void* j
#define LAPWING_ADDRESSES_12 LAPWING_ADDRESSES_10, void *k, void *l

// Their names.
#define LAPWING_NAMES_1 a
#define LAPWING_NAMES_2 LAPWING_NAMES_1, b
#define LAPWING_NAMES_3 LAPWING_NAMES_2, c
#define LAPWING_NAMES_4 LAPWING_NAMES_3, d
#define LAPWING_NAMES_5 LAPWING_NAMES_4, e
#define LAPWING_NAMES_6 LAPWING_NAMES_5, f
#define LAPWING_NAMES_7 LAPWING_NAMES_6, g
#define LAPWING_NAMES_8 LAPWING_NAMES_7, h
#define LAPWING_NAMES_9 LAPWING_NAMES_8, i
#define LAPWING_NAMES_10 LAPWING_NAMES_9, j
#define LAPWING_NAMES_12 LAPWING_NAMES_10, k, l
// NOLINTEND(bugprone-macro-parentheses)
