// OpenSHMEM: symmetric memory, the transport over it, and the operations that calibration measures.
#include <algorithm>
#include <cstring>
#include <numeric>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "../support/check.hpp"
#include "../support/streams.hpp"
#include "lapwing/calibrate/ranks/rank_pair.hpp"
#include "lapwing/pipeline/feed.hpp"
#include "lapwing/pipeline/stream.hpp"
#include "lapwing/plan/messages.hpp"
#include "lapwing/transport/shmem/operations.hpp"
#include "lapwing/transport/shmem/session.hpp"
#include "lapwing/transport/shmem/shmem.hpp"

using lapwing::Shmem;
using lapwing::SymmetricMemory;

namespace {

template <class Action>
std::string refusal(Action&& action) {
    try {
        action();
    } catch (const std::runtime_error& error) {
        return error.what();
    }
    return "";
}

void symmetric_memory() {
    SymmetricMemory memory(1000);
    CHECK(std::all_of(memory.data(), memory.data() + memory.size(),
                      [](std::byte byte) { return byte == std::byte{0}; }));
    CHECK(memory.contains(memory.data(), 1000));
    CHECK(memory.contains(memory.data() + 1000, 0));
    CHECK(!memory.contains(memory.data() + 1, 1000));
    CHECK(!memory.contains(memory.data() - 1, 1));
    CHECK(!memory.contains(&memory, 1));
    std::byte* const place = memory.data();
    SymmetricMemory moved(std::move(memory));
    CHECK(moved.data() == place);
    CHECK(moved.size() == 1000);
    CHECK(memory.data() == nullptr);  // NOLINT(bugprone-use-after-move): that is the question
    SymmetricMemory assigned;
    assigned = std::move(moved);
    CHECK(assigned.data() == place);
    const std::string said = refusal([] { SymmetricMemory enormous(std::size_t{1} << 40); });
    CHECK(said.find("1099511627776 bytes in the symmetric heap") != std::string::npos);
    CHECK(said.find("SHMEM_SYMMETRIC_HEAP_SIZE is 64M") != std::string::npos);
}

void requests(Shmem& transport, SymmetricMemory& memory) {
    const int peer = 1 - transport.rank();
    auto& in = *reinterpret_cast<double*>(memory.data());
    double out = transport.rank() + 0.5;
    in = -1;
    {
        // Both directions at once; moving a request does not lose it.
        auto incoming = transport.receive(&in, sizeof in, peer, 7);
        auto outgoing = transport.send(&out, sizeof out, peer, 7);
        Shmem::Request moved(std::move(incoming));
        Shmem::Request assigned;
        assigned = std::move(moved);
        assigned.wait();
        assigned.wait();  // a second wait does nothing
        CHECK(assigned.test());
        while (!outgoing.test()) {
        }
        CHECK(outgoing.test());
    }
    CHECK(in == peer + 0.5);

    in = -1;
    {
        // A request that was not waited for waits in its destructor.
        const auto incoming = transport.receive(&in, sizeof in, peer, 8);
        const auto outgoing = transport.send(&out, sizeof out, peer, 8);
    }
    CHECK(in == peer + 0.5);

    // A message may have no bytes.
    auto incoming = transport.receive(nullptr, 0, peer, 9);
    transport.send(nullptr, 0, peer, 9).wait();
    incoming.wait();

    Shmem::Request none;
    CHECK(none.test());
    none.wait();
}

/// Short messages can be received anywhere, longer ones only into symmetric memory.
void anywhere(Shmem& transport) {
    const int peer = 1 - transport.rank();
    std::vector<std::byte> in(Shmem::small);
    const std::vector<std::byte> out(Shmem::small, std::byte{0x5a});
    {
        const auto incoming = transport.receive(in.data(), in.size(), peer, 1);
        const auto outgoing = transport.send(out.data(), out.size(), peer, 1);
    }
    CHECK(in == out);
    in.resize(Shmem::small + 1);
    CHECK(refusal([&] {
              (void)transport.receive(in.data(), in.size(), peer, 1);
          }).find("symmetric memory only") != std::string::npos);
    CHECK(refusal([&] {
              (void)transport.send(in.data(), 1, shmem_n_pes(), 1);
          }).find("there is no PE") != std::string::npos);
    lapwing::TransportPair<Shmem> pair(transport, transport.rank() == 0, peer);
    for (int i = 0; i < 100; ++i) CHECK(pair.from_first(transport.rank() == 0 ? i : -1) == i);
    pair.barrier();
}

/// While a rank waits for one message, the others progress: each rank begins its send first, but
/// waits for its receive first.
void each_waits_for_the_other(Shmem& transport, SymmetricMemory& memory) {
    const int peer = 1 - transport.rank();
    constexpr std::size_t size = 300'000;
    const std::vector<std::byte> out(size, static_cast<std::byte>(1 + transport.rank()));
    for (int i = 0; i < 20; ++i) {
        std::memset(memory.data(), 0, size);
        auto outgoing = transport.send(out.data(), size, peer, i);
        auto incoming = transport.receive(memory.data(), size, peer, i);
        if (i % 2 == 0) {
            incoming.wait();
            outgoing.wait();
        } else {
            while (!outgoing.test()) {
            }
            while (!incoming.test()) {
            }
        }
        CHECK(std::all_of(memory.data(), memory.data() + size, [&](std::byte byte) {
            return byte == static_cast<std::byte>(1 + peer);
        }));
    }
}

/// Messages are matched by tag in whatever order they are received; those of one tag arrive in
/// order.
void tags(Shmem& transport, SymmetricMemory& memory) {
    const std::vector<std::size_t> sizes = {8, std::size_t{1} << 20, 100, std::size_t{1} << 16};
    constexpr std::size_t repeated = 300;
    std::vector<std::vector<std::byte>> messages;
    for (const std::size_t size : sizes)
        messages.emplace_back(size, static_cast<std::byte>(size % 251));
    std::vector<std::uint64_t> numbers(repeated);
    std::iota(numbers.begin(), numbers.end(), 1);
    std::vector<Shmem::Request> requests;
    if (transport.rank() == 1) {
        for (std::size_t i = 0; i < messages.size(); ++i)
            requests.push_back(
                transport.send(messages[i].data(), messages[i].size(), 0, static_cast<int>(i)));
        for (const auto& number : numbers)
            requests.push_back(transport.send(&number, sizeof number, 0, 99));
        return;
    }
    std::vector<std::byte*> places;
    std::byte* place = memory.data();
    for (const std::size_t size : sizes) {
        places.push_back(place);
        place += size;
    }
    for (std::size_t i = sizes.size(); i-- > 0;)
        requests.push_back(transport.receive(places[i], sizes[i], 1, static_cast<int>(i)));
    std::vector<std::uint64_t> received(repeated);
    for (auto& number : received)
        requests.push_back(transport.receive(&number, sizeof number, 1, 99));
    requests.clear();
    CHECK(received == numbers);
    for (std::size_t i = 0; i < sizes.size(); ++i)
        CHECK(std::memcmp(places[i], messages[i].data(), sizes[i]) == 0);
}

/// A receive stays pending while many others use the slots beside it. More receives than there are
/// slots are refused.
void slots(SymmetricMemory& memory) {
    constexpr std::size_t outstanding = 4;
    Shmem transport(memory, outstanding);
    const int me = transport.rank();
    if (me > 1) return;
    const int peer = 1 - me;
    std::uint64_t last = 0;
    const std::uint64_t end = 77;
    auto patient = transport.receive(&last, sizeof last, peer, 1000);
    for (std::uint64_t i = 0; i < 600; ++i) {
        std::uint64_t in[2] = {};
        const std::uint64_t out[2] = {i * 2, i * 2 + 1};
        {
            const auto first = transport.receive(&in[0], sizeof in[0], peer, 0);
            const auto second = transport.receive(&in[1], sizeof in[1], peer, 1);
            const auto odd = transport.send(&out[1], sizeof out[1], peer, 1);
            const auto even = transport.send(&out[0], sizeof out[0], peer, 0);
        }
        CHECK(in[0] == out[0]);
        CHECK(in[1] == out[1]);
    }
    CHECK(!patient.test());
    {
        std::vector<Shmem::Request> others;
        for (std::size_t i = 1; i < outstanding; ++i)
            others.push_back(transport.receive(nullptr, 0, peer, 2));
        CHECK(refusal([&] {
                  (void)transport.receive(nullptr, 0, peer, 2);
              }).find("more than 4 receives") != std::string::npos);
        for (std::size_t i = 1; i < outstanding; ++i) transport.send(nullptr, 0, peer, 2).wait();
    }
    const auto farewell = transport.send(&end, sizeof end, peer, 1000);
    patient.wait();
    CHECK(last == end);
}

/// A stream as pipelines run it: pieces arrive in the memory where they are consumed.
void streams(Shmem& transport, SymmetricMemory& memory) {
    constexpr std::size_t count = 100'003;
    std::vector<double> whole(count);
    std::iota(whole.begin(), whole.end(), 0.0);
    lapwing::Plan plan;
    plan.messages = lapwing::Messages::uniform(count * sizeof(double), 8192, sizeof(double));
    plan.window = 4;
    if (transport.rank() == 1) {
        lapwing::feed(transport, 0, std::span<const double>(whole), plan);
        return;
    }
    const std::span<double> into(reinterpret_cast<double*>(memory.data()), count);
    const lapwing::Source source{transport, 1, into};
    std::size_t next = 0;
    for (const auto piece : lapwing::stream<double>(source, plan)) {
        CHECK(piece.first == next);
        CHECK(std::equal(piece.data.begin(), piece.data.end(), whole.begin() + next));
        next += piece.data.size();
    }
    CHECK(next == count);
}

/// All ranks send to all at once.
void everyone(Shmem& transport, SymmetricMemory& memory) {
    constexpr std::size_t size = 10'000;
    const int ranks = transport.size();
    std::vector<std::byte> out(size, static_cast<std::byte>(transport.rank()));
    std::vector<Shmem::Request> requests;
    for (int peer = 0; peer < ranks; ++peer) {
        requests.push_back(transport.send(out.data(), size, peer, 5));
        requests.push_back(transport.receive(memory.data() + static_cast<std::size_t>(peer) * size,
                                             size, peer, 5));
    }
    requests.clear();
    for (int peer = 0; peer < ranks; ++peer)
        CHECK(memory.data()[static_cast<std::size_t>(peer) * size + size - 1] ==
              static_cast<std::byte>(peer));
}

/// Each operation moves the right bytes and no others, and tells when it is complete.
template <lapwing::InspectableOperation O>
void moves(MPI_Comm pair, O& operation, std::uint64_t count, std::uint64_t bytes) {
    int rank = 0;
    MPI_Comm_rank(pair, &rank);
    const auto content = [&](int owner, std::uint64_t index, std::uint64_t i) {
        return static_cast<std::byte>((i * 31 + index * 7 + (i >> 8) + 101 * (1ULL + owner)) % 251);
    };
    for (std::uint64_t index = 0; index < count; ++index) {
        const auto out = operation.outgoing(index, bytes);
        for (std::uint64_t i = 0; i < out.size(); ++i) out[i] = content(rank, index, i);
        const auto in = operation.incoming(index, bytes);
        std::fill(in.begin(), in.end(), std::byte{255});
    }
    const auto last = operation.incoming(count - 1, bytes);
    if (!last.empty()) *last.end().base() = std::byte{254};
    operation.prepare(count, bytes);
    MPI_Barrier(pair);
    if (rank == 0) {
        std::vector<typename O::Request> requests;
        for (std::uint64_t i = 0; i < count; ++i) requests.push_back(operation.start(i, bytes));
        const bool blocking = std::string(O::name).find("_nbi") == std::string::npos;
        CHECK(requests.back().test() == blocking);
        for (auto& request : requests) request.wait();
        CHECK(requests.back().test());
        operation.finish();
    } else {
        operation.attend(count, bytes);
    }
    MPI_Barrier(pair);
    bool moved = true;
    for (std::uint64_t index = 0; index < count; ++index) {
        const auto in = operation.incoming(index, bytes);
        for (std::uint64_t i = 0; i < in.size(); ++i)
            moved = moved && in[i] == content(1 - rank, index, i);
    }
    CHECK(moved);
    if (!last.empty()) CHECK(*last.end().base() == std::byte{254});
    MPI_Barrier(pair);
}

void operations(MPI_Comm pair, SymmetricMemory& memory) {
    std::vector<std::string> names;
    lapwing::shmem::operations(pair, memory, [&](auto& operation) {
        names.emplace_back(operation.name);
        CHECK(std::string(operation.transport) == "shmem");
        for (const std::uint64_t bytes : {0, 1, 8, 1001, 70'000})
            for (const std::uint64_t count : {1, 2, 13}) moves(pair, operation, count, bytes);
        moves(pair, operation, 1, memory.size() / 2 - 1);
    });
    CHECK((names == std::vector<std::string>{"put", "get", "put_nbi", "get_nbi"}));
}

}  // namespace

int main(int argc, char** argv) {
    int failed = 0;
    {
        const lapwing::ShmemSession session(argc, argv);
        symmetric_memory();
        SymmetricMemory memory(4 << 20);
        {
            Shmem transport(memory);
            if (transport.rank() < 2) {
                requests(transport, memory);
                anywhere(transport);
                each_waits_for_the_other(transport, memory);
                tags(transport, memory);
                streams(transport, memory);
            }
            // Two ranks communicate while the others are inside of an MPI call.
            MPI_Barrier(MPI_COMM_WORLD);
            everyone(transport, memory);
            MPI_Barrier(MPI_COMM_WORLD);
            lapwing::test::check_streams(transport);
            MPI_Barrier(MPI_COMM_WORLD);
            lapwing::test::check_many_streams(transport);
            MPI_Barrier(MPI_COMM_WORLD);
            lapwing::test::check_shared_memory(transport);
            MPI_Barrier(MPI_COMM_WORLD);
            lapwing::test::check_unequal_streams(transport, true,
                                                 "shmem: a stream of 200 bytes meets one of 100");
            MPI_Barrier(MPI_COMM_WORLD);
        }
        slots(memory);
        // The last two ranks in reverse order: the ranks of the pair differ from the PE numbers.
        const int rank = shmem_my_pe();
        MPI_Comm pair = MPI_COMM_NULL;
        MPI_Comm_split(MPI_COMM_WORLD, rank >= shmem_n_pes() - 2 ? 0 : MPI_UNDEFINED, -rank, &pair);
        if (pair != MPI_COMM_NULL) {
            operations(pair, memory);
            MPI_Comm_free(&pair);
        }
        MPI_Allreduce(&lapwing::test::failures(), &failed, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    }
    return failed == 0 ? 0 : 1;
}
