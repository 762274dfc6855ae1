// Gathers of data whose sizes only their senders know: any sizes, any number under way, and ended
// in any order.
#include "lapwing/pipeline/collectives/gather_varying.hpp"

#include <mpi.h>

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "../support/check.hpp"
#include "../support/random.hpp"
#include "lapwing/pipeline/window/message_window.hpp"

using lapwing::GatherVarying;
using lapwing::test::Random;

namespace {

/// Bytes that rank `from` has in gather `index` of trial `seed`: often none, sometimes many.
std::size_t size_of(std::uint64_t seed, std::uint64_t index, int from) {
    Random random(seed * 1'000'003 + index * 101 + static_cast<std::uint64_t>(from));
    if (random.chance(0.2)) return 0;
    return static_cast<std::size_t>(random.log_uniform(1, 300'000));
}

std::vector<std::byte> made(std::uint64_t seed, std::uint64_t index, int from) {
    std::vector<std::byte> all(size_of(seed, index, from));
    for (std::size_t i = 0; i < all.size(); ++i)
        all[i] = static_cast<std::byte>((seed + 13 * index + 29 * static_cast<unsigned>(from) + i) %
                                        251);
    return all;
}

void check_arrived(const GatherVarying& gathers, const GatherVarying::Request& request,
                   std::uint64_t seed, std::uint64_t index) {
    if (!gathers.is_root()) return;
    for (int from = 0; from < gathers.size(); ++from)
        CHECK(std::ranges::equal(request.arrived(from), made(seed, index, from)));
}

/// Through a window, as a pipeline does it: memory is used again when its gather is complete.
void windowed(GatherVarying& gathers, std::uint64_t seed, std::size_t window, std::uint64_t count) {
    std::vector<std::vector<std::byte>> buffers(window);
    std::vector<GatherVarying::Request> requests(window);
    for (std::uint64_t index = 0; index < count + window; ++index) {
        const std::size_t slot = index % window;
        if (index >= window) {
            requests[slot].wait();
            CHECK(requests[slot].test());
            check_arrived(gathers, requests[slot], seed, index - window);
        }
        if (index >= count) continue;
        buffers[slot] = made(seed, index, gathers.rank());
        requests[slot] = {};
        requests[slot] = gathers.gather(buffers[slot].data(), buffers[slot].size());
    }
}

/// All gathers at once: some ranks await the last first, others test all in turn, some leave them
/// to their destructors.
void in_any_order(GatherVarying& gathers, std::uint64_t seed, std::uint64_t count) {
    std::vector<std::vector<std::byte>> buffers;
    std::vector<GatherVarying::Request> requests;
    for (std::uint64_t index = 0; index < count; ++index) {
        buffers.push_back(made(seed, index, gathers.rank()));
        requests.push_back(gathers.gather(buffers.back().data(), buffers.back().size()));
    }
    if ((seed + static_cast<unsigned>(gathers.rank())) % 2 == 0) {
        for (std::uint64_t index = count; index-- > count / 2;) {
            const GatherVarying::Request moved = [&] {
                GatherVarying::Request request = std::move(requests[index]);
                request.wait();
                return request;
            }();
            check_arrived(gathers, moved, seed, index);
        }
    } else {
        std::vector<bool> complete(count);
        for (std::uint64_t left = count; left > 0;) {
            for (std::uint64_t index = 0; index < count; ++index) {
                if (complete[index] || !requests[index].test()) continue;
                complete[index] = true;
                --left;
                check_arrived(gathers, requests[index], seed, index);
            }
        }
    }
}

/// The root tests only the first of two gathers, and the second becomes complete on all other
/// ranks.
void all_progress(GatherVarying& gathers) {
    constexpr int tag = 99;
    constexpr int root = 0;
    const std::vector<std::byte> data(100'000, static_cast<std::byte>(gathers.rank()));
    auto one = gathers.gather(data.data(), data.size());
    auto other = gathers.gather(data.data(), data.size());
    if (gathers.is_root()) {
        for (int told = 1; told < gathers.size();) {
            one.test();
            int there = 0;
            MPI_Iprobe(MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, &there, MPI_STATUS_IGNORE);
            if (there == 0) continue;
            MPI_Recv(nullptr, 0, MPI_BYTE, MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            ++told;
        }
    } else {
        other.wait();
        MPI_Send(nullptr, 0, MPI_BYTE, root, tag, MPI_COMM_WORLD);
    }
}

/// In a `MessageWindow`, whose polls let the oldest progress.
void in_flight(GatherVarying& gathers, std::uint64_t count) {
    constexpr std::uint64_t seed = 7;
    lapwing::MessageWindow<GatherVarying::Request, std::vector<std::byte>> flight(3, 1e-9);
    std::uint64_t complete = 0;
    const auto completed = [&](std::vector<std::byte>&, GatherVarying::Request& request) {
        check_arrived(gathers, request, seed, complete++);
    };
    for (std::uint64_t index = 0; index < count; ++index) {
        flight.make_room(completed);
        auto& buffer = flight.next_attachment();
        buffer = made(seed, index, gathers.rank());
        lapwing::poll();
        flight.launch([&] { return gathers.gather(buffer.data(), buffer.size()); });
    }
    flight.drain(completed);
    CHECK(complete == count);
}

}  // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int failed = 0;
    {
        int ranks = 0;
        MPI_Comm_size(MPI_COMM_WORLD, &ranks);
        for (int root = 0; root < ranks; root += 2) {
            GatherVarying gathers(MPI_COMM_WORLD, root);
            for (std::uint64_t seed = 1; seed <= 10; ++seed)
                windowed(gathers, seed, 1 + seed % 4, seed * 2);
            for (std::uint64_t seed = 11; seed <= 20; ++seed) in_any_order(gathers, seed, seed - 7);
            if (root == 0) all_progress(gathers);
            in_flight(gathers, 20);
            windowed(gathers, 3, 2, 0);
        }
        MPI_Allreduce(&lapwing::test::failures(), &failed, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return failed == 0 ? 0 : 1;
}
