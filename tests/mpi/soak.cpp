// Ten thousand pipelines in one process need no more memory than a thousand, and leave no request,
// communicator or window behind.
#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <span>
#include <vector>

#include "../support/check.hpp"
#include "lapwing/pipeline/feed.hpp"
#include "lapwing/pipeline/pipeline.hpp"
#include "lapwing/pipeline/stream.hpp"
#include "lapwing/transport/collective/collective.hpp"
#include "lapwing/transport/memory.hpp"
#include "lapwing/transport/rma/notified_get.hpp"
#include "lapwing/transport/two_sided/two_sided.hpp"

namespace {

/// What the library has of MPI's at this moment.
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
int MPI_Irecv(void* into, int count, MPI_Datatype type, int peer, int tag, MPI_Comm among,
              MPI_Request* request) {
    ++held.requests;
    return PMPI_Irecv(into, count, type, peer, tag, among, request);
}
int MPI_Iallreduce(const void* from, void* into, int count, MPI_Datatype type, MPI_Op operation,
                   MPI_Comm among, MPI_Request* request) {
    ++held.requests;
    return PMPI_Iallreduce(from, into, count, type, operation, among, request);
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
    ended(*index != MPI_UNDEFINED, false);
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

/// Memory of this process that is there, pages.
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
    std::vector<std::byte> in(plan.messages.volume());
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
        right = right && in[i] == static_cast<std::byte>(i / 64 % 251);
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

void stream(lapwing::TwoSided& transport, const Plan& plan, bool leave) {
    std::vector<double> data(plan.messages.volume() / sizeof(double));
    const int peer = 1 - transport.rank();
    if (transport.rank() == 1) {
        lapwing::feed(transport, peer, std::span<const double>(data), plan);
        return;
    }
    for (const auto piece :
         lapwing::stream<double>(lapwing::Source{transport, peer, std::span<double>(data)}, plan))
        if (leave && piece.first > 0) break;
}

void soak() {
    constexpr int pipelines = 10'000;
    long early = 0;
    lapwing::Collective collective;
    lapwing::TwoSided lasting;
    lapwing::NotifiedGet one_sided(MPI_COMM_WORLD, 1 << 16);
    const Held before = held;
    for (int i = 0; i < pipelines; ++i) {
        const auto kind = static_cast<std::uint64_t>(i);
        const Plan plan = plan_for(1 + kind % 13, 1 + kind % 4, 1 + i % 5);
        switch (i % 4) {
            case 0: {
                // MPICH has fewer than these at a time.
                lapwing::TwoSided transport;
                exchange(transport, plan, 1 - lasting.rank());
                break;
            }
            case 1:
                exchange(one_sided, plan, 1 - lasting.rank());
                break;
            case 2:
                reduction(collective, plan);
                break;
            default:
                stream(lasting, plan, i % 8 == 3);
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
#ifndef __SANITIZE_ADDRESS__  // which keeps for a while what is freed
    CHECK(late <= early + early / 33);
#endif
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
