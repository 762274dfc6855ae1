// Every operation that is timed does what MPI says it does, on any number of ranks.
#include "lapwing/calibrate/benchmarks/collective_call.hpp"

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <vector>

#include "../support/check.hpp"

namespace {

using lapwing::CallChoice;
using lapwing::CallMemory;
using lapwing::CollectiveCall;

constexpr std::size_t size = 24;  // bytes

/// What rank `from` has for block `block`, byte by byte.
std::byte value(std::size_t from, std::size_t block, std::size_t i) {
    return static_cast<std::byte>(7 * from + 31 * block + i);
}

std::byte* bytes(CallMemory& memory) { return static_cast<std::byte*>(memory.data()); }

/// `blocks` blocks of what this rank sends.
void fill(CallMemory& memory, std::size_t rank) {
    for (std::size_t i = 0; i < memory.size(); ++i)
        bytes(memory)[i] = value(rank, i / size, i % size);
}

/// Calls the operation, then compares each byte that has arrived with `expected(block, i)`.
template <class Expected>
void check(const char* operation, std::size_t rank, std::size_t blocks, Expected&& expected) {
    CollectiveCall call({.operation = operation, .size = size}, MPI_COMM_WORLD);
    fill(call.out(), rank);
    call();
    CHECK(call.in().size() == blocks * size);
    bool right = true;
    for (std::size_t i = 0; i < call.in().size(); ++i)
        right = right && bytes(call.in())[i] == expected(i / size, i % size);
    if (!right) std::fprintf(stderr, "%s on rank %zu\n", operation, rank);
    CHECK(right);
}

/// Block `block` of all ranks, combined.
std::byte combined(std::size_t ranks, std::size_t block, std::size_t i) {
    std::byte all{};
    for (std::size_t from = 0; from < ranks; ++from) all |= value(from, block, i);
    return all;
}

void contiguous(std::size_t rank, std::size_t ranks) {
    const bool root = rank == 0;
    check("barrier", rank, 0, [](std::size_t, std::size_t) { return std::byte{}; });
    check("alltoall", rank, ranks, [&](auto from, auto i) { return value(from, rank, i); });
    check("allgather", rank, ranks, [&](auto from, auto i) { return value(from, 0, i); });
    check("allreduce", rank, 1, [&](auto block, auto i) { return combined(ranks, block, i); });
    check("reduce", rank, root ? 1 : 0,
          [&](auto block, auto i) { return combined(ranks, block, i); });
    check("reduce_scatter", rank, 1, [&](auto, auto i) { return combined(ranks, rank, i); });
    check("gather", rank, root ? ranks : 0, [&](auto from, auto i) { return value(from, 0, i); });
    check("scatter", rank, 1, [&](auto, auto i) { return value(0, rank, i); });
    if (ranks == 2)
        check("send", rank, 1, [&](auto block, auto i) { return value(1 - rank, block, i); });

    CollectiveCall call({.operation = "bcast", .size = size}, MPI_COMM_WORLD);
    fill(call.in(), rank);
    call();
    for (std::size_t i = 0; i < size; ++i) CHECK(bytes(call.in())[i] == value(0, 0, i));
}

/// Strided data arrives where it lay, and nothing between it.
void strided(std::size_t rank, const char* operation, bool packed, std::size_t stride) {
    CollectiveCall call({.operation = operation, .size = size, .stride = stride, .packed = packed},
                        MPI_COMM_WORLD);
    const std::size_t step = stride / sizeof(double);
    constexpr std::size_t count = size / sizeof(double);
    const bool bcast = std::strcmp(operation, "bcast") == 0;
    CHECK(call.in().size() == count * stride);
    auto* const in = static_cast<double*>(call.in().data());
    auto* const out = static_cast<double*>((bcast ? call.in() : call.out()).data());
    for (std::size_t i = 0; i < count * step; ++i) {
        in[i] = -1;
        if (!bcast || rank == 0) out[i] = static_cast<double>(1000 * rank + i);
    }
    call();
    // What is strided and sent returns to where it came from.
    const bool returned = !bcast && step > 1 && rank == 0;
    const auto from = static_cast<double>(bcast ? 0 : 1000 * (1 - rank));
    for (std::size_t i = 0; i < count * step; ++i) {
        const bool element = i % step == 0;
        const bool mine = bcast && rank == 0;
        CHECK(in[i] == (!returned && (element || mine) ? from + static_cast<double>(i) : -1));
        if (returned) CHECK(out[i] == static_cast<double>(i));
    }
}

void refusals() {
    const auto refused = [](const CallChoice& choice) {
        try {
            const CollectiveCall call(choice, MPI_COMM_WORLD);
        } catch (const std::invalid_argument&) {
            return true;
        }
        return false;
    };
    CHECK(refused({.operation = "gossip", .size = 8}));
    CHECK(refused({.operation = "alltoall", .size = 8, .stride = 16}));
    CHECK(refused({.operation = "bcast", .size = 8, .stride = 12}));
    CHECK(refused({.operation = "bcast", .size = 12, .stride = 16}));
    CHECK(refused({.operation = "bcast", .size = std::uint64_t{1} << 31}));
}

}  // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int rank = 0;
    int ranks = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const auto me = static_cast<std::size_t>(rank);
    contiguous(me, static_cast<std::size_t>(ranks));
    for (const bool packed : {false, true}) {
        for (const std::size_t stride : {8, 16, 72}) {
            strided(me, "bcast", packed, stride);
            if (ranks == 2) strided(me, "send", packed, stride);
        }
    }
    refusals();
    const int failed = lapwing::test::failures();
    MPI_Finalize();
    return failed == 0 ? 0 : 1;
}
