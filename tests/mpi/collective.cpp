// Non-blocking collectives on any number of ranks, all of them under way at once.
#include "lapwing/transport/collective/collective.hpp"

#include <mpi.h>

#include <numeric>
#include <stdexcept>
#include <vector>

#include "../support/check.hpp"

using lapwing::Collective;

namespace {

/// What rank `from` has for rank `to` at place `i`.
std::byte content(int from, int to, std::size_t i) {
    return static_cast<std::byte>((17 * from + 5 * to + static_cast<int>(i % 241)) % 251);
}

std::vector<std::byte> made(int from, int to, std::size_t bytes) {
    std::vector<std::byte> all(bytes);
    for (std::size_t i = 0; i < bytes; ++i) all[i] = content(from, to, i);
    return all;
}

void append(std::vector<std::byte>& all, const std::vector<std::byte>& part) {
    all.insert(all.end(), part.begin(), part.end());
}

/// Parts of equal size.
void equal(Collective& transport, std::size_t bytes) {
    const int rank = transport.rank();
    const int ranks = transport.size();
    const auto all = static_cast<std::size_t>(ranks) * bytes;
    const int root = ranks - 1;
    std::vector<std::byte> from_all;
    std::vector<std::byte> to_all;
    std::vector<std::byte> same;
    for (int other = 0; other < ranks; ++other) {
        append(to_all, made(rank, other, bytes));
        append(from_all, made(other, rank, bytes));
        append(same, made(other, 0, bytes));
    }
    const auto mine = made(rank, 0, bytes);
    std::vector<std::byte> exchanged(all);
    std::vector<std::byte> gathered_by_all(all);
    std::vector<std::byte> gathered(all);
    std::vector<std::byte> scattered(bytes);
    auto broadcast = rank == root ? made(root, 99, bytes) : std::vector<std::byte>(bytes);
    {
        auto alltoall = transport.alltoall(to_all.data(), exchanged.data(), bytes);
        auto allgather = transport.allgather(mine.data(), gathered_by_all.data(), bytes);
        auto first = transport.broadcast(broadcast.data(), bytes, root);
        auto gather = transport.gather(mine.data(), gathered.data(), bytes, root);
        auto scatter = transport.scatter(to_all.data(), scattered.data(), bytes, root);
        // Requests are moved, awaited in another order, tested, and left to their destructors.
        Collective::Request moved = std::move(gather);
        moved.wait();
        CHECK(moved.test());
        first.wait();
        while (!allgather.test()) {
        }
    }
    CHECK(exchanged == from_all);
    CHECK(scattered == made(root, rank, bytes));
    CHECK(gathered_by_all == same);
    CHECK(broadcast == made(root, 99, bytes));
    if (rank == root) CHECK(gathered == same);
}

/// Parts of different sizes: from rank a to rank b a few bytes that depend on both, or none.
void unequal(Collective& transport, std::size_t unit) {
    const int rank = transport.rank();
    const int ranks = transport.size();
    const auto size = [unit](int from, int to) {
        return static_cast<std::size_t>((2 * from + to) % 4) * unit;
    };
    std::vector<std::size_t> sent;
    std::vector<std::size_t> received;
    std::vector<std::size_t> to_root;
    std::vector<std::byte> to_all;
    std::vector<std::byte> from_all;
    std::vector<std::byte> at_root;
    for (int other = 0; other < ranks; ++other) {
        sent.push_back(size(rank, other));
        received.push_back(size(other, rank));
        to_root.push_back(size(other, 0));
        append(to_all, made(rank, other, sent.back()));
        append(from_all, made(other, rank, received.back()));
        append(at_root, made(other, 0, to_root.back()));
    }
    std::vector<std::byte> exchanged(from_all.size());
    std::vector<std::byte> gathered(at_root.size());
    const auto mine = made(rank, 0, size(rank, 0));
    auto alltoall = transport.alltoallv(to_all.data(), sent, exchanged.data(), received);
    auto gather = transport.gatherv(mine.data(), mine.size(), gathered.data(), to_root, 0);
    std::vector<std::byte> gathered_by_all(at_root.size());
    std::vector<std::byte> scattered(size(0, rank));
    auto allgather =
        transport.allgatherv(mine.data(), mine.size(), gathered_by_all.data(), to_root);
    auto scatter = transport.scatterv(to_all.data(), sent, scattered.data(), scattered.size(), 0);
    // MPI reads the counts until the end: they stay with the request when it is moved.
    std::fill(sent.begin(), sent.end(), 12345);
    std::fill(to_root.begin(), to_root.end(), 12345);
    auto elsewhere = std::move(alltoall);
    gather.wait();
    elsewhere.wait();
    allgather.wait();
    scatter.wait();
    CHECK(exchanged == from_all);
    CHECK(gathered_by_all == at_root);
    CHECK(scattered == made(0, rank, scattered.size()));
    if (rank == 0) CHECK(gathered == at_root);

    sent.pop_back();
    try {
        (void)transport.alltoallv(to_all.data(), sent, exchanged.data(), received);
        CHECK(false);
    } catch (const std::invalid_argument&) {
    }
}

void reductions(Collective& transport, std::size_t count) {
    const int ranks = transport.size();
    std::vector<double> mine(count);
    std::vector<double> sum(count);
    std::vector<double> most(count);
    std::iota(mine.begin(), mine.end(), transport.rank());
    auto all = transport.allreduce(mine, sum.data());
    auto one = transport.reduce(mine, most.data(), 0, MPI_MAX);
    all.wait();
    one.wait();
    for (std::size_t i = 0; i < count; ++i) {
        const auto place = static_cast<double>(i);
        CHECK(sum[i] == ranks * place + ranks * (ranks - 1) / 2);
        if (transport.rank() == 0) CHECK(most[i] == place + ranks - 1);
    }
}

/// Reductions of which every rank gets a part.
void reduced_parts(Collective& transport, std::size_t count) {
    const auto ranks = static_cast<std::size_t>(transport.size());
    const auto rank = static_cast<std::size_t>(transport.rank());
    std::vector<std::size_t> counts;  // 0, count, 2 count …
    for (std::size_t other = 0; other < ranks; ++other) counts.push_back(other * count);
    std::vector<double> mine(ranks * count);
    std::vector<double> uneven(ranks * (ranks - 1) / 2 * count);
    std::iota(mine.begin(), mine.end(), transport.rank());
    std::iota(uneven.begin(), uneven.end(), transport.rank());
    std::vector<double> part(count);
    std::vector<double> most(rank * count);
    auto block = transport.reduce_scatter_block(mine, part.data());
    auto parts = transport.reduce_scatter(uneven, most.data(), counts, MPI_MAX);
    std::fill(counts.begin(), counts.end(), 12345);
    parts.wait();
    block.wait();
    const auto sum = static_cast<double>(ranks * (ranks - 1) / 2);
    for (std::size_t i = 0; i < count; ++i)
        CHECK(part[i] == static_cast<double>(ranks * (rank * count + i)) + sum);
    const std::size_t before = rank == 0 ? 0 : rank * (rank - 1) / 2 * count;
    for (std::size_t i = 0; i < most.size(); ++i)
        CHECK(most[i] == static_cast<double>(before + i + ranks - 1));

    mine.push_back(0);
    try {
        (void)transport.reduce_scatter(mine, part.data(), std::vector<std::size_t>(ranks, count));
        CHECK(false);
    } catch (const std::invalid_argument&) {
    }
}

/// Messages between partners; each rank has all others, some, or none.
void messages() {
    lapwing::Communicator world;
    const int rank = world.rank();
    std::vector<int> others;
    for (int other = 0; other < world.size(); ++other)
        if (other != rank) others.push_back(other);
    Collective transport(world.get(), others);
    std::vector<std::vector<std::byte>> in(others.size(), std::vector<std::byte>(1000));
    std::vector<std::vector<std::byte>> out;
    for (const int other : others) out.push_back(made(rank, other, 1000));
    {
        std::vector<Collective::Request> requests;
        for (std::size_t i = 0; i < others.size(); ++i) {
            requests.push_back(transport.send(out[i].data(), 1000, others[i], 0));
            requests.push_back(transport.receive(in[i].data(), 1000, others[i], 0));
        }
    }
    for (std::size_t i = 0; i < others.size(); ++i) CHECK(in[i] == made(others[i], rank, 1000));

    try {
        (void)transport.send(nullptr, 0, rank, 0);
        CHECK(false);
    } catch (const std::invalid_argument&) {
    }
}

}  // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int failed = 0;
    {
        Collective transport;
        for (const std::size_t bytes : {0, 1, 1001, 70'000, 1 << 20}) equal(transport, bytes);
        for (const std::size_t unit : {1, 999, 100'000}) unequal(transport, unit);
        for (const std::size_t count : {0, 1, 1000}) {
            reductions(transport, count);
            reduced_parts(transport, count);
        }
        messages();
        // What is done about counts that are too large for MPI, at smaller ones.
        Collective beyond(MPI_COMM_WORLD, {}, 1000);
        for (const std::size_t bytes : {1000, 1001, 70'000}) equal(beyond, bytes);
        for (const std::size_t unit : {1, 333, 334, 999, 1000, 100'000}) unequal(beyond, unit);
        for (const std::size_t count : {334, 1000, 1001, 5000}) {
            reductions(beyond, count);
            reduced_parts(beyond, count);
        }
        MPI_Allreduce(&lapwing::test::failures(), &failed, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return failed == 0 ? 0 : 1;
}
