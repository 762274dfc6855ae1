// A rank that fails in the middle of a pipeline takes down the others, which wait for it: the job
// ends at once, and says which rank it was, where, and what. Each case is a job of its own, which
// must not return; the tests in tests/CMakeLists.txt start it with the name of the case.
#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <span>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "lapwing/pipeline/agreement/shared_profile.hpp"
#include "lapwing/pipeline/feed.hpp"
#include "lapwing/pipeline/halo.hpp"
#include "lapwing/pipeline/multi.hpp"
#include "lapwing/pipeline/pipeline.hpp"
#include "lapwing/pipeline/stream.hpp"
#include "lapwing/transport/collective/collective.hpp"
#include "lapwing/transport/memory.hpp"
#include "lapwing/transport/partitioned/partitioned.hpp"
#include "lapwing/transport/program.hpp"
#include "lapwing/transport/rma/notified_get.hpp"
#include "lapwing/transport/rma/notified_put.hpp"
#include "lapwing/transport/two_sided/two_sided.hpp"

using lapwing::Messages;
using lapwing::Plan;

namespace {

constexpr std::size_t count = 1 << 20;  // numbers: too many to be sent eagerly

Plan plan_of_messages() {
    Plan plan;
    plan.messages = Messages::uniform(count * sizeof(double), 1 << 20, sizeof(double));
    plan.window = 2;
    return plan;
}

[[noreturn]] void enough() { throw std::runtime_error("enough"); }
[[noreturn]] void forty_two() { throw 42; }

/// Rank 1 fails in its computation; the others wait in a collective with it.
void pipeline() {
    lapwing::Collective transport;
    Plan plan;
    plan.messages = Messages::uniform(40 * sizeof(double), 4 * sizeof(double), sizeof(double));
    plan.window = 2;
    struct Sum {
        std::vector<double> mine;
        std::vector<double> all = std::vector<double>(4);
        void clear() { mine.clear(); }
    };
    lapwing::pipeline<Sum>(
        plan, 40,
        [&](std::uint64_t step, Sum& buffer) {
            if (transport.rank() == 1 && step == 21) enough();
            buffer.mine.push_back(1);
        },
        [&](Sum& buffer) { return transport.allreduce(buffer.mine, buffer.all.data()); });
}

/// Rank 0 fails while it consumes; the others wait to send.
void range() {
    lapwing::TwoSided transport;
    std::vector<double> data(count);
    if (transport.rank() == 1)
        lapwing::feed(transport, 0, std::span<const double>(data), plan_of_messages());
    try {
        if (transport.rank() == 0)
            for (const auto piece : lapwing::stream<double>(
                     lapwing::Source{transport, 1, std::span<double>(data)}, plan_of_messages()))
                if (piece.first > 0) enough();
    } catch (const std::exception& error) {
        std::fprintf(stderr, "the job went on after %s\n", error.what());
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

void body() {
    lapwing::TwoSided transport;
    std::vector<double> data(count);
    if (transport.rank() == 1)
        lapwing::feed(transport, 0, std::span<const double>(data), plan_of_messages());
    if (transport.rank() == 0)
        lapwing::multi<double>(lapwing::Sources{transport, {1}, std::span<double>(data)},
                               plan_of_messages(), [](const lapwing::PeerPiece<double>& piece) {
                                   if (piece.first > 0) enough();
                               });
    MPI_Barrier(MPI_COMM_WORLD);
}

/// MPI itself refuses a feed of a rank that does not exist.
void mpi() {
    lapwing::TwoSided transport;
    std::vector<double> data(count);
    if (transport.rank() == 1)
        lapwing::feed(transport, 77, std::span<const double>(data), plan_of_messages());
    MPI_Barrier(MPI_COMM_WORLD);
}

/// Rank 1 fails outside of the library.
void outside() {
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 1) enough();
    MPI_Barrier(MPI_COMM_WORLD);
}

/// The same with an exception that is no std::exception.
void number() {
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 1) forty_two();
    MPI_Barrier(MPI_COMM_WORLD);
}

/// Rank 0 fails in a loop that no handler is around.
void uncaught() noexcept {
    lapwing::TwoSided transport;
    std::vector<double> data(count);
    if (transport.rank() == 1)
        lapwing::feed(transport, 0, std::span<const double>(data), plan_of_messages());
    if (transport.rank() == 0)
        for (const auto piece : lapwing::stream<double>(
                 lapwing::Source{transport, 1, std::span<double>(data)}, plan_of_messages()))
            if (piece.first > 0) forty_two();
    MPI_Barrier(MPI_COMM_WORLD);
}

/// A stream of `sent` numbers in messages of `by`, where the receiver has room for `received`,
/// which it expects in messages of `in`.
template <class T>
void two_plans(T&& transport, std::size_t sent, std::size_t by, std::size_t received,
               std::size_t in) {
    const auto plan = [](std::size_t numbers, std::size_t each) {
        Plan made;
        made.messages = Messages::uniform(numbers * sizeof(double), each * sizeof(double));
        made.window = 3;
        return made;
    };
    auto memory = lapwing::memory_for(transport, std::max(sent, received) * sizeof(double));
    const std::span<std::byte> all(memory.data(), memory.size());
    if (transport.rank() == 1)
        lapwing::feed(transport, 0, std::span<const std::byte>(all.first(sent * sizeof(double))),
                      plan(sent, by));
    if (transport.rank() == 0)
        lapwing::stream<std::byte>(
            lapwing::Source{transport, 1, all.first(received * sizeof(double))}, plan(received, in),
            [](const lapwing::Piece<std::byte>&) {});
    MPI_Barrier(MPI_COMM_WORLD);
}

/// Messages that are longer than their receives, which MPI itself refuses. MPICH tells the handler
/// of MPI_COMM_WORLD about it, not that of the receive's communicator.
void larger_sizes() {
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    two_plans(lapwing::TwoSided(), count, 1 << 17, count, 1 << 16);
}

/// A message that is shorter than the receive, which MPI accepts.
void short_message() {
    lapwing::TwoSided transport;
    std::vector<std::byte> data(16);
    if (transport.rank() == 1) transport.send(data.data(), 8, 0, 5).wait();
    if (transport.rank() == 0) transport.receive(data.data(), 16, 1, 5).wait();
    MPI_Barrier(MPI_COMM_WORLD);
}

/// An edge of a halo that is shorter at the neighbour, which `MPI_Start` accepts.
void short_edge() {
    lapwing::TwoSided transport;
    std::vector<double> out(8);
    std::vector<double> in(8);
    if (transport.rank() < 2) {
        const std::span<const double> mine(out.data(), transport.rank() == 0 ? 8 : 7);
        const std::vector<lapwing::Edge<double>> edges{{1 - transport.rank(), mine, in}};
        lapwing::Halo<lapwing::TwoSided, double> halo(transport, edges);
        halo.exchange([] {});
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

/// A profile that is missing: all ranks would say so.
void missing_profile() {
    const auto profile = lapwing::load_profile("no/such/machine.json", MPI_COMM_WORLD);
    std::fprintf(stderr, "read a profile of %zu operations\n", profile.operations.size());
}

}  // namespace

int main(int argc, char** argv) {
    return lapwing::program("test-failure", argc, argv, [&] {
        const std::string_view which = argc > 1 ? argv[1] : "";
        if (which == "pipeline") pipeline();
        if (which == "range") range();
        if (which == "body") body();
        if (which == "mpi") mpi();
        if (which == "outside") outside();
        if (which == "number") number();
        if (which == "uncaught") uncaught();
        if (which == "sizes") two_plans(lapwing::TwoSided(), count, 1 << 16, count, 1 << 17);
        if (which == "larger-sizes") larger_sizes();
        if (which == "small-sizes") two_plans(lapwing::TwoSided(), 64, 2, 64, 4);
        if (which == "longer") two_plans(lapwing::TwoSided(), count, 1000, count / 2, 1000);
        if (which == "shorter") two_plans(lapwing::TwoSided(), 8, 4, 16, 4);
        if (which == "put-longer")
            two_plans(lapwing::NotifiedPut(MPI_COMM_WORLD, 4096), 16, 4, 8, 4);
        if (which == "get-shorter")
            two_plans(lapwing::NotifiedGet(MPI_COMM_WORLD, 4096), 8, 4, 16, 4);
#ifdef LAPWING_HAS_PARTITIONED
        if (which == "partitioned-sizes")
            two_plans(lapwing::Partitioned(), count, 1 << 16, count, 1 << 17);
        if (which == "partitioned-longer")
            two_plans(lapwing::Partitioned(), count, 1000, count / 2, 1000);
        if (which == "partitioned-shorter") two_plans(lapwing::Partitioned(), 8, 4, 16, 4);
#endif
        if (which == "short-message") short_message();
        if (which == "short-edge") short_edge();
        if (which == "missing-profile") missing_profile();
        std::fprintf(stderr, "the job went on\n");
    });
}
