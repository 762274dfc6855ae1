// What UCX moves one-sided, what it refuses, that ranks which do not call it keep nobody waiting,
// and messages beyond the slots of offers. The first argument is UCX_TLS for what is tested, after
// MPI has read it: MPICH before 4.2 may hang at its end over TCP.
#ifdef LAPWING_UCX

#include "lapwing/transport/ucx/ucx.hpp"

#include <mpi.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <vector>

#include "../support/check.hpp"
#include "../support/streams.hpp"
#include "lapwing/transport/ucx/operations.hpp"
#include "lapwing/transport/ucx/ucx_get.hpp"
#include "lapwing/transport/ucx/ucx_put.hpp"

using lapwing::Ucx;
using lapwing::test::check_throws;

namespace {

/// Every rank puts into the next one's region, and gets from there; bytes around stay as they are.
void moves() {
    constexpr std::size_t bytes = 300'007;
    Ucx ucx(MPI_COMM_WORLD, bytes + 2);
    const int next = (ucx.rank() + 1) % ucx.size();
    const int before = (ucx.rank() + ucx.size() - 1) % ucx.size();
    ucx.worker().meet();
    const std::vector<std::byte> out(bytes, static_cast<std::byte>(ucx.rank() + 1));
    ucx.put(out.data(), bytes, next, 1).wait();
    ucx.flush(next).wait();
    ucx.worker().meet();
    const auto region = ucx.region();
    CHECK(std::all_of(region.begin() + 1, region.end() - 1,
                      [&](std::byte byte) { return byte == static_cast<std::byte>(before + 1); }));
    CHECK(region.front() == std::byte{0});
    CHECK(region.back() == std::byte{0});
    std::vector<std::byte> in(bytes);
    auto request = ucx.get(in.data(), bytes, next, 1);
    while (!request.test()) {
    }
    CHECK(in == out);
    ucx.put(nullptr, 0, next, bytes + 2).wait();
    ucx.worker().meet();
}

void refuses() {
    Ucx ucx(MPI_COMM_WORLD, 100);
    std::byte some{};
    check_throws<std::out_of_range>([&] { (void)ucx.put(&some, 1, 0, 100); },
                                    "1 bytes at 100 leave the region of 100");
    check_throws<std::out_of_range>([&] { (void)ucx.get(&some, 1, 0, ~std::size_t{0}); }, "leave");
    check_throws<std::out_of_range>([&] { (void)ucx.get(&some, 1, ucx.size(), 0); },
                                    "there is no rank " + std::to_string(ucx.size()));
    check_throws<lapwing::UcxError>([] { lapwing::check_ucx(UCS_ERR_NO_MEMORY, "ucp_x", 3); },
                                    "ucp_x failed with rank 3: Out of memory");
    Ucx nothing(MPI_COMM_WORLD, 0);
    CHECK(nothing.region().empty());

    lapwing::UcxPut messages(MPI_COMM_WORLD, 1000);
    check_throws<std::length_error>([&] { (void)messages.memory(2000); },
                                    "ucx: a region of 1000 bytes has no room for 2000 more");
    std::byte outside[8] = {};
    check_throws<std::invalid_argument>([&] { (void)messages.receive(outside, 8, 0, 0); },
                                        "8 bytes are not in the region");
    check_throws<std::out_of_range>([&] { (void)messages.send(outside, 8, -1, 0); },
                                    "there is no rank -1");
}

/// The initiator of an operation is three rounds ahead of its target.
template <class Operation>
void initiator_ahead() {
    constexpr std::uint64_t bytes = 64;
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm pair = MPI_COMM_NULL;
    MPI_Comm_split(MPI_COMM_WORLD, rank < 2 ? 0 : MPI_UNDEFINED, rank, &pair);
    if (pair == MPI_COMM_NULL) return;
    {
        Operation operation(pair, bytes);
        for (int round = 0; rank == 0 && round < 3; ++round) {
            operation.start(0, bytes).wait();
            operation.finish();
        }
        MPI_Barrier(pair);
        for (int round = 0; rank == 1 && round < 3; ++round) operation.attend(1, bytes);
    }
    MPI_Comm_free(&pair);
}

/// The others put, get and flush while the last rank sits in a barrier of MPI.
void target_in_mpi() {
    Ucx ucx(MPI_COMM_WORLD, 1 << 20);
    const int last = ucx.size() - 1;
    if (ucx.rank() != last) {
        std::vector<std::byte> bytes((1 << 20) / static_cast<std::size_t>(last));
        const std::size_t place = bytes.size() * static_cast<std::size_t>(ucx.rank());
        std::fill(bytes.begin(), bytes.end(), static_cast<std::byte>(ucx.rank() + 1));
        auto put = ucx.put(bytes.data(), bytes.size(), last, place);
        ucx.flush(last).wait();
        put.wait();
        std::vector<std::byte> back(bytes.size());
        ucx.get(back.data(), back.size(), last, place).wait();
        CHECK(back == bytes);
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

/// Each rank computes until the flag of the one before has come, and calls neither UCX nor MPI.
void target_computes() {
    Ucx ucx(MPI_COMM_WORLD, sizeof(std::uint64_t));
    const int next = (ucx.rank() + 1) % ucx.size();
    const std::uint64_t round = 17;
    ucx.put(&round, sizeof round, next, 0).wait();
    auto flush = ucx.flush(next);
    const std::atomic_ref<std::uint64_t> flag(
        *reinterpret_cast<std::uint64_t*>(ucx.region().data()));
    std::uint64_t computed = 1;
    while (flag.load(std::memory_order_acquire) != round)
        computed = computed * 6364136223846793005U + 1;
    CHECK(computed != 0);
    flush.wait();
}

/// Rank 0 still puts and flushes after an exception has ended the scope of the region elsewhere.
void target_has_failed() {
    MPI_Barrier(MPI_COMM_WORLD);
    try {
        Ucx ucx(MPI_COMM_WORLD, 1 << 16);
        if (ucx.rank() == 0) {
            const std::vector<std::byte> bytes(1 << 16);
            MPI_Barrier(MPI_COMM_WORLD);
            for (int peer = 1; peer < ucx.size(); ++peer) {
                auto put = ucx.put(bytes.data(), bytes.size(), peer, 0);
                ucx.flush(peer).wait();
            }
        }
        throw std::logic_error("over");
    } catch (const std::logic_error&) {
        int rank = 0;
        MPI_Comm_rank(MPI_COMM_WORLD, &rank);
        if (rank != 0) MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

/// More offers at a time than there are slots, to every rank, this one included; a message that is
/// too long is told to the side that moves it.
template <class T>
void many() {
    constexpr std::size_t count = 2'000;
    T transport(MPI_COMM_WORLD, 1 << 20);
    const auto ranks = static_cast<std::size_t>(transport.size());
    auto out = transport.memory(ranks * count * 8);
    auto in = transport.memory(ranks * count * 8);
    std::fill_n(out.data(), out.size(), static_cast<std::byte>(transport.rank() + 1));
    {
        std::vector<typename T::Request> requests;
        for (int peer = 0; peer < transport.size(); ++peer) {
            for (std::size_t i = 0; i < count; ++i) {
                const auto at = (static_cast<std::size_t>(peer) * count + i) * 8;
                const int tag = static_cast<int>(i % 7);
                requests.push_back(transport.receive(in.data() + at, 8, peer, tag));
                requests.push_back(transport.send(out.data() + at, 8, peer, tag));
            }
        }
        std::reverse(requests.begin(), requests.end());
    }
    for (std::size_t at = 0; at < in.size(); ++at)
        CHECK(in.data()[at] == static_cast<std::byte>(at / (count * 8) + 1));
    MPI_Barrier(MPI_COMM_WORLD);
}

template <class T>
void streams(bool receiver_owns) {
    T transport(MPI_COMM_WORLD, lapwing::test::streams_memory);
    lapwing::test::check_streams(transport);
    lapwing::test::check_many_streams(transport);
    lapwing::test::check_shared_memory(transport);
    lapwing::test::check_unequal_streams(transport, receiver_owns,
                                         "ucx: a stream of 200 bytes meets one of 100");
}

}  // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    if (argc > 1) setenv("UCX_TLS", argv[1], 1);
    moves();
    initiator_ahead<lapwing::ucx::Put>();
    initiator_ahead<lapwing::ucx::Get>();
    refuses();
    target_in_mpi();
    target_computes();
    target_has_failed();
    many<lapwing::UcxPut>();
    many<lapwing::UcxGet>();
    streams<lapwing::UcxPut>(true);
    streams<lapwing::UcxGet>(false);
    int failed = 0;
    MPI_Allreduce(&lapwing::test::failures(), &failed, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    return failed == 0 ? 0 : 1;
}

#else

int main() { return 0; }

#endif
