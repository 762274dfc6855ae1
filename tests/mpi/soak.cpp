// Ten thousand pipelines in one process, of every template, need no more memory than a thousand,
// and leave no request, communicator or window behind.
#include <mpi.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <numeric>
#include <span>
#include <vector>

#include "../support/check.hpp"
#include "../support/sanitized.hpp"
#include "lapwing/pipeline/collect.hpp"
#include "lapwing/pipeline/collectives/allreduce.hpp"
#include "lapwing/pipeline/exchange.hpp"
#include "lapwing/pipeline/feed.hpp"
#include "lapwing/pipeline/halo.hpp"
#include "lapwing/pipeline/multi.hpp"
#include "lapwing/pipeline/pipeline.hpp"
#include "lapwing/pipeline/stream.hpp"
#include "lapwing/pipeline/templates.hpp"
#include "lapwing/transport/collective/collective.hpp"
#include "lapwing/transport/memory.hpp"
#include "lapwing/transport/rma/notified_get.hpp"
#include "lapwing/transport/rma/notified_put.hpp"
#include "lapwing/transport/two_sided/two_sided.hpp"

namespace {

/// The handles of MPI that the library holds at this moment.
struct Held {
    long requests = 0;
    long communicators = 0;
    long windows = 0;
};
Held held;

void ended(bool was, bool is) { held.requests -= was && !is ? 1 : 0; }

}  // namespace

// MPI's profiling interface: these are called in place of MPI's own, which begin with a P.
extern "C" {

int MPI_Isend(const void* from, int count, MPI_Datatype type, int peer, int tag, MPI_Comm among,
              MPI_Request* request) {
    ++held.requests;
    return PMPI_Isend(from, count, type, peer, tag, among, request);
}
int MPI_Issend(const void* from, int count, MPI_Datatype type, int peer, int tag, MPI_Comm among,
               MPI_Request* request) {
    ++held.requests;
    return PMPI_Issend(from, count, type, peer, tag, among, request);
}
int MPI_Irecv(void* into, int count, MPI_Datatype type, int peer, int tag, MPI_Comm among,
              MPI_Request* request) {
    ++held.requests;
    return PMPI_Irecv(into, count, type, peer, tag, among, request);
}
int MPI_Send_init(const void* from, int count, MPI_Datatype type, int peer, int tag, MPI_Comm among,
                  MPI_Request* request) {
    ++held.requests;
    return PMPI_Send_init(from, count, type, peer, tag, among, request);
}
int MPI_Recv_init(void* into, int count, MPI_Datatype type, int peer, int tag, MPI_Comm among,
                  MPI_Request* request) {
    ++held.requests;
    return PMPI_Recv_init(into, count, type, peer, tag, among, request);
}
int MPI_Request_free(MPI_Request* request) {
    --held.requests;
    return PMPI_Request_free(request);
}
int MPI_Iallreduce(const void* from, void* into, int count, MPI_Datatype type, MPI_Op operation,
                   MPI_Comm among, MPI_Request* request) {
    ++held.requests;
    return PMPI_Iallreduce(from, into, count, type, operation, among, request);
}
int MPI_Rput(const void* from, int count, MPI_Datatype type, int peer, MPI_Aint place, int there,
             MPI_Datatype their_type, MPI_Win window, MPI_Request* request) {
    ++held.requests;
    return PMPI_Rput(from, count, type, peer, place, there, their_type, window, request);
}
int MPI_Rget(void* into, int count, MPI_Datatype type, int peer, MPI_Aint place, int there,
             MPI_Datatype their_type, MPI_Win window, MPI_Request* request) {
    ++held.requests;
    return PMPI_Rget(into, count, type, peer, place, there, their_type, window, request);
}
int MPI_Wait(MPI_Request* request, MPI_Status* status) {
    const bool was = *request != MPI_REQUEST_NULL;
    const int code = PMPI_Wait(request, status);
    ended(was, *request != MPI_REQUEST_NULL);
    return code;
}
int MPI_Test(MPI_Request* request, int* done, MPI_Status* status) {
    const bool was = *request != MPI_REQUEST_NULL;
    const int code = PMPI_Test(request, done, status);
    ended(was, *request != MPI_REQUEST_NULL);
    return code;
}
int MPI_Waitany(int count, MPI_Request* requests, int* index, MPI_Status* status) {
    const int code = PMPI_Waitany(count, requests, index, status);
    // A persistent one stays until it is freed.
    if (*index != MPI_UNDEFINED) ended(true, requests[*index] != MPI_REQUEST_NULL);
    return code;
}
int MPI_Comm_dup(MPI_Comm original, MPI_Comm* copy) {
    ++held.communicators;
    return PMPI_Comm_dup(original, copy);
}
int MPI_Comm_create_group(MPI_Comm original, MPI_Group group, int tag, MPI_Comm* made) {
    ++held.communicators;
    return PMPI_Comm_create_group(original, group, tag, made);
}
int MPI_Comm_free(MPI_Comm* handle) {
    --held.communicators;
    return PMPI_Comm_free(handle);
}
int MPI_Win_allocate(MPI_Aint bytes, int unit, MPI_Info info, MPI_Comm among, void* data,
                     MPI_Win* window) {
    ++held.windows;
    return PMPI_Win_allocate(bytes, unit, info, among, data, window);
}
int MPI_Win_free(MPI_Win* window) {
    --held.windows;
    return PMPI_Win_free(window);
}

}  // extern "C"

namespace {

using lapwing::Buffer;
using lapwing::Messages;
using lapwing::Plan;

/// Resident memory of this process, in pages.
long resident() {
    long size = 0;
    long pages = 0;
    std::ifstream("/proc/self/statm") >> size >> pages;
    return pages;
}

Plan plan_for(std::uint64_t steps, std::uint64_t tile, int window) {
    Plan plan;
    plan.messages = Messages::uniform(steps * 64, tile * 64, 64);
    plan.window = window;
    return plan;
}

/// Each rank sends to the other what it computes.
template <lapwing::Transport T>
void exchange(T& transport, const Plan& plan, int peer) {
    const std::uint64_t steps = plan.messages.volume() / 64;
    auto in = lapwing::memory_for(transport, plan.messages.volume());
    auto out = lapwing::memory_for(transport, plan.messages.volume());
    std::uint64_t offset = 0;
    int tag = 0;
    struct Both {
        typename T::Request incoming;
        typename T::Request outgoing;
        bool test() { return incoming.test() && outgoing.test(); }
        void wait() {
            incoming.wait();
            outgoing.wait();
        }
    };
    lapwing::pipeline(
        plan, steps,
        [](std::uint64_t step, Buffer& buffer) {
            const std::vector<std::byte> made(64, static_cast<std::byte>(step % 251));
            buffer.append(made.data(), made.size());
        },
        [&](Buffer& buffer) {
            std::byte* const place = out.data() + offset;
            std::copy_n(buffer.data(), buffer.size(), place);
            Both both{transport.receive(in.data() + offset, buffer.size(), peer, tag),
                      transport.send(place, buffer.size(), peer, tag)};
            offset += buffer.size();
            ++tag;
            return both;
        });
    bool right = true;
    for (std::size_t i = 0; i < in.size(); ++i)
        right = right && in.data()[i] == static_cast<std::byte>(i / 64 % 251);
    CHECK(right);
}

void reduction(lapwing::Collective& transport, const Plan& plan) {
    struct Sums {
        std::vector<double> mine;
        std::vector<double> all;
        void clear() { mine.clear(); }
    };
    double sum = 0;
    const std::uint64_t steps = plan.messages.volume() / 64;
    lapwing::pipeline<Sums>(
        plan, steps, [](std::uint64_t, Sums& buffer) { buffer.mine.push_back(1); },
        [&](Sums& buffer) {
            buffer.all.resize(buffer.mine.size());
            return transport.allreduce(buffer.mine, buffer.all.data());
        },
        [&](const Sums& buffer) {
            for (const double one : buffer.all) sum += one;
        });
    CHECK(sum == 2.0 * static_cast<double>(steps));
}

/// What rank 1 has, `count` numbers, and room for it on rank 0.
std::vector<double> numbers(const lapwing::TwoSided& transport, std::size_t count) {
    std::vector<double> data(count, -1);
    if (transport.rank() == 1) std::iota(data.begin(), data.end(), 0.5);
    return data;
}
void check_numbers(const std::vector<double>& data) {
    bool right = true;
    for (std::size_t i = 0; i < data.size(); ++i)
        right = right && data[i] == 0.5 + static_cast<double>(i);
    CHECK(right);
}

/// Rank 1 feeds what `receive(data)` takes on rank 0.
template <class Receive>
void fed(lapwing::TwoSided& transport, const Plan& plan, Receive&& receive) {
    auto data = numbers(transport, plan.messages.volume() / sizeof(double));
    if (transport.rank() == 1) {
        lapwing::feed(transport, 0, std::span<const double>(data), plan);
    } else {
        receive(std::span<double>(data));
    }
    check_numbers(data);
}
void stream(lapwing::TwoSided& transport, const Plan& plan, bool leave) {
    fed(transport, plan, [&](std::span<double> data) {
        for (const auto piece :
             lapwing::stream<double>(lapwing::Source{transport, 1, data}, plan)) {
            lapwing::poll();
            if (leave && piece.first > 0) break;
        }
    });
}
void multi(lapwing::TwoSided& transport, const Plan& plan, lapwing::PeerOrder order) {
    fed(transport, plan, [&](std::span<double> data) {
        std::size_t seen = 0;
        for (const auto piece :
             lapwing::multi<double>(lapwing::Sources{transport, {1}, data, order}, plan))
            seen += piece.data.size();
        CHECK(seen == data.size());
    });
}
void schedule(lapwing::TwoSided& transport, lapwing::TemplateSchedule which, const Plan& plan) {
    const int burst = plan.window;
    Plan as_many = plan;
    as_many.window = lapwing::outstanding(which, burst);
    fed(transport, as_many, [&](std::span<double> data) {
        std::size_t seen = 0;
        const lapwing::Source source{transport, 1, std::span(std::as_writable_bytes(data))};
        lapwing::run_schedule(which, source, plan.messages.runs().front().size, burst,
                              [&](std::uint64_t, std::size_t bytes) { seen += bytes; });
        CHECK(seen == data.size_bytes());
    });
}

/// Both ranks send and receive.
void two_way(lapwing::TwoSided& transport, const Plan& plan) {
    const std::size_t count = plan.messages.volume() / sizeof(double);
    const std::vector<double> out(count, transport.rank());
    std::vector<double> in(count, -1);
    const int peer = 1 - transport.rank();
    const lapwing::Parties parties{transport, lapwing::ring_sequence(transport.rank(), 2),
                                   std::span<const double>(out), std::span(in)};
    double sum = 0;
    lapwing::exchange<double>(parties, plan, [&](const auto& piece) {
        for (const double one : piece.data) sum += one;
    });
    CHECK(sum == peer * static_cast<double>(count));
}

/// A halo of two edges, exchanged `steps` times.
void halo(lapwing::TwoSided& transport, std::size_t length, std::uint64_t steps) {
    const int peer = 1 - transport.rank();
    std::vector<std::vector<double>> out(2, std::vector<double>(length));
    std::vector<std::vector<double>> in(2, std::vector<double>(length));
    std::vector<lapwing::Edge<double>> edges;
    for (std::size_t side = 0; side < 2; ++side)
        edges.push_back({.peer = peer,
                         .send = out[side],
                         .receive = in[side],
                         .send_tag = static_cast<int>(side),
                         .receive_tag = static_cast<int>(side ^ 1U)});
    lapwing::Halo halo(transport, edges, 1e-6);
    for (std::uint64_t step = 0; step < steps; ++step) {
        const auto value = [&](int rank, std::size_t side) {
            return static_cast<double>(step) + 0.5 * rank + 0.25 * static_cast<double>(side);
        };
        halo.exchange(
            [&](std::size_t side) {
                std::fill(out[side].begin(), out[side].end(), value(transport.rank(), side));
            },
            [] { lapwing::poll(); },
            [&](std::size_t side) { CHECK(in[side].back() == value(peer, side ^ 1U)); });
    }
}

void sums(lapwing::TwoSided& transport, std::uint64_t steps) {
    lapwing::Allreduce doubling(transport, 2, 0, 1e-6);
    std::array<double, 2> sum{1, 2};
    for (std::uint64_t step = 0; step < steps; ++step) {
        const auto mine = sum;
        auto request = doubling.allreduce(mine, sum.data());
        lapwing::poll();
    }
    CHECK(sum[1] == std::ldexp(2.0, static_cast<int>(steps)));
}

void collect(lapwing::GatherVarying& gathers, std::uint64_t pieces, int window) {
    std::size_t arrived = 0;
    lapwing::collect(
        gathers, pieces, lapwing::gather_with({.window = window}, gathers.size(), pieces),
        [](std::uint64_t piece, Buffer& buffer) {
            const std::vector<std::byte> made(piece * 10);
            buffer.append(made.data(), made.size());
        },
        [&](std::span<const std::byte> results) { arrived += results.size(); });
    if (gathers.is_root()) CHECK(arrived == pieces * (pieces - 1) / 2 * 10);
}

void soak() {
    constexpr int pipelines = 10'000;
    long early = 0;
    lapwing::Collective collective;
    lapwing::TwoSided lasting;
    lapwing::NotifiedGet gets(MPI_COMM_WORLD, 1 << 16);
    lapwing::NotifiedPut puts(MPI_COMM_WORLD, 1 << 16);
    lapwing::GatherVarying gathers;
    const Held before = held;
    for (int i = 0; i < pipelines; ++i) {
        const auto kind = static_cast<std::uint64_t>(i);
        const std::uint64_t steps = 1 + kind % 13;
        Plan plan = plan_for(steps, 1 + kind % 4, 1 + i % 5);
        if (i % 2 == 0) plan.poll_interval = 1e-6;
        constexpr int kinds = 11;
        const int turn = i / kinds;
        switch (i % kinds) {
            case 0: {
                // MPICH supports fewer of these at a time.
                lapwing::TwoSided transport;
                exchange(transport, plan, 1 - lasting.rank());
                break;
            }
            case 1:
                exchange(gets, plan, 1 - lasting.rank());
                break;
            case 2:
                exchange(puts, plan, 1 - lasting.rank());
                break;
            case 3:
                reduction(collective, plan);
                break;
            case 4:
                multi(lasting, plan,
                      turn % 2 == 0 ? lapwing::PeerOrder::contiguous
                                    : lapwing::PeerOrder::interleaved);
                break;
            case 5:
                schedule(lasting, static_cast<lapwing::TemplateSchedule>(turn % 5), plan);
                break;
            case 6:
                two_way(lasting, plan);
                break;
            case 7:
                halo(lasting, 1 + kind % 300, steps);
                break;
            case 8:
                sums(lasting, steps);
                break;
            case 9:
                collect(gathers, steps, 1 + i % 5);
                break;
            default:
                stream(lasting, plan, turn % 2 == 0);
        }
        if (i % 1000 == 1) {
            lapwing::NotifiedGet transport(MPI_COMM_WORLD, 1 << 16);
            exchange(transport, plan, 1 - lasting.rank());
        }
        if (i == pipelines / 10) early = resident();
    }
    CHECK(held.requests == before.requests);
    CHECK(held.communicators == before.communicators);
    CHECK(held.windows == before.windows);
    const long late = resident();
    std::printf("rank %d: %ld pages after a thousand pipelines, %ld after ten\n", lasting.rank(),
                early, late);
    // Sanitizers keep freed memory for a while.
    CHECK((lapwing::test::sanitized || late <= early + early / 33));
}

}  // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int failed = 0;
    soak();
    CHECK(held.requests == 0);
    CHECK(held.communicators == 0);
    CHECK(held.windows == 0);
    MPI_Allreduce(&lapwing::test::failures(), &failed, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    return failed == 0 ? 0 : 1;
}
