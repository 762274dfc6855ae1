// Windows, one-sided transfers and what owns them.
#include "lapwing/transport/rma/rma.hpp"

#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "../support/check.hpp"
#include "../support/streams.hpp"
#include "lapwing/transport/mpi/communicator.hpp"
#include "lapwing/transport/mpi/mpi_error.hpp"
#include "lapwing/transport/mpi/window.hpp"
#include "lapwing/transport/rma/notified_get.hpp"
#include "lapwing/transport/rma/notified_put.hpp"
#include "lapwing/transport/rma/transfers.hpp"

using lapwing::Rma;
using lapwing::Transfers;
using lapwing::Window;
using lapwing::test::check_throws;

namespace {

void meet() { MPI_Barrier(MPI_COMM_WORLD); }

void windows() {
    Window one(MPI_COMM_WORLD, 1000);
    CHECK(one.size() == 1000);
    std::fill_n(one.data(), one.size(), std::byte{1});
    Window other(std::move(one));
    CHECK(one.get() == MPI_WIN_NULL);
    CHECK(other.data() != nullptr);
    Window third(MPI_COMM_WORLD, 0);
    third = std::move(other);
    CHECK(third.size() == 1000);
    meet();
}

/// Rank 0 puts to the last rank and gets back what it has put, in all four ways.
void transfers() {
    Rma rma(MPI_COMM_WORLD, 1 << 20);
    const int target = rma.communicator().size() - 1;
    std::fill_n(rma.data(), rma.size(), std::byte{9});
    meet();
    if (rma.rank() == 0) {
        for (const std::size_t bytes : {0, 1, 1001, 300'000}) {
            std::vector<std::byte> out(bytes);
            std::vector<std::byte> in(bytes);
            for (std::size_t i = 0; i < bytes; ++i) out[i] = static_cast<std::byte>(i * 7 % 250);
            {
                auto first = rma.put(out.data(), bytes / 2, target, 3);
                auto second =
                    rma.put(out.data() + bytes / 2, bytes - bytes / 2, target, 3 + bytes / 2);
                CHECK(!first.test());  // nobody has asked for a flush
                auto moved = std::move(first);
                moved.wait();
                CHECK(moved.test());
                CHECK(second.test());  // the same flush
            }
            {
                const auto get = rma.get(in.data(), bytes, target, 3);  // waits for itself
            }
            CHECK(in == out);
            std::reverse(out.begin(), out.end());
            rma.rput(out.data(), bytes, target, 3).wait();
            rma.flush(target);
            auto get = rma.rget(in.data(), bytes, target, 3);
            while (!get.test()) {
            }
            CHECK(in == out);
        }
        Rma::Flushed none;
        CHECK(none.test());
        none.wait();
        check_throws<std::out_of_range>([&] { (void)rma.put(nullptr, 2, target, (1 << 20) - 1); },
                                        "window");
        check_throws<std::out_of_range>(
            [&] { (void)rma.rget(nullptr, static_cast<std::size_t>(-1), target, 1); }, "window");
    }
    meet();
    rma.sync();
    if (rma.rank() == target) {
        CHECK(rma.data()[2] == std::byte{9});
        CHECK(rma.data()[3] != std::byte{9});
        CHECK(rma.data()[3 + 300'000] == std::byte{9});
    }
    meet();
}

/// Errors about memory say clearly what is wrong, on the rank that made them.
template <class T>
void errors(bool window_sends) {
    T transport(MPI_COMM_WORLD, 4096);
    char elsewhere[8] = {};
    const int rank = transport.rank();
    check_throws<std::invalid_argument>(
        [&] {
            if (window_sends) {
                (void)transport.send(elsewhere, 8, 1, 0);
            } else {
                (void)transport.receive(elsewhere, 8, 1, 0);
            }
        },
        "not in the window");
    {
        auto part = transport.memory(4000);
        check_throws<std::length_error>([&] { (void)transport.memory(1000); }, "no room");
        // The same as long as it is ours, and no longer.
        check_throws<std::invalid_argument>(
            [&] {
                if (window_sends) {
                    (void)transport.send(part.data(), 5000, 1, 0);
                } else {
                    (void)transport.receive(part.data(), 5000, 1, 0);
                }
            },
            "not in the window");
    }
    if (rank == 0) {
        // To oneself is a message too.
        auto a = transport.memory(100);
        auto b = transport.memory(100);
        std::fill_n(a.data(), 100, std::byte{5});
        auto incoming = transport.receive(b.data(), 100, 0, 2);
        auto outgoing = transport.send(a.data(), 100, 0, 2);
        outgoing.wait();
        incoming.wait();
        CHECK(b.data()[99] == std::byte{5});
    }
    meet();
}

template <class T>
void streams(bool receiver_owns) {
    T transport(MPI_COMM_WORLD, lapwing::test::streams_memory);
    lapwing::test::check_streams(transport);
    meet();
    lapwing::test::check_many_streams(transport);
    meet();
    lapwing::test::check_shared_memory(transport);
    meet();
    lapwing::test::check_unequal_streams(transport, receiver_owns,
                                         "rma: a stream of 200 bytes meets one of 100");
    meet();
}

/// A transfer of one step.
class Step final : public Transfers::Transfer {
  public:
    using Transfer::Transfer;

  private:
    std::optional<MPI_Request> next() override { return std::nullopt; }
};

/// An error of MPI in a step is thrown by the wait for its transfer, with the call and the peer,
/// and not by the wait for another. (MPICH throws nothing, but ends the job with a message of its
/// own: errors in a wait go to the error handler of MPI_COMM_WORLD.)
void failing_steps() {
#ifdef OPEN_MPI
    const lapwing::Communicator ranks;
    const std::byte large[8] = {};
    for (const bool tested : {false, true}) {
        if (ranks.rank() == 0) {
            meet();
            for (const int tag : {1, 2})
                MPI_Send(large, sizeof large, MPI_BYTE, 1, tag, ranks.get());
        } else if (ranks.rank() == 1) {
            std::byte small{};
            std::byte fits[8];
            Transfers transfers;
            const auto receive = [&](std::byte* into, int bytes, int tag, int peer) {
                MPI_Request handle = MPI_REQUEST_NULL;
                MPI_Irecv(into, bytes, MPI_BYTE, 0, tag, ranks.get(), &handle);
                auto step = std::make_unique<Step>(transfers, peer);
                transfers.start(*step, handle);
                return Transfers::Request(std::move(step));
            };
            auto too_small = receive(&small, 1, 1, 41);
            auto right = receive(fits, 8, 2, 42);
            meet();
            right.wait();
            check_throws<lapwing::MpiError>(
                [&] {
                    while (tested && !too_small.test()) {
                    }
                    too_small.wait();
                },
                " of rank 1 failed with rank 41: ");
        } else {
            meet();
        }
    }
#endif
}

}  // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int failed = 0;
    windows();
    transfers();
    failing_steps();
    errors<lapwing::NotifiedPut>(false);
    errors<lapwing::NotifiedGet>(true);
    streams<lapwing::NotifiedPut>(true);
    streams<lapwing::NotifiedGet>(false);
    MPI_Allreduce(&lapwing::test::failures(), &failed, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    return failed == 0 ? 0 : 1;
}
