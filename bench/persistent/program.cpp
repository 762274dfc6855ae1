// The repeated messages of a halo exchange, for an instruction counter:
//   program WAY EXCHANGES BYTES
// Two ranks exchange four edges of BYTES in each direction. WAY: `halo`, by the library; `isend`
// and `persistent`, by hand with a call for each message; `isend-all` and `persistent-all`, by hand
// with one call for all messages where MPI has one.
//
// Functions whose names begin with `counted` are to be counted, without those that begin with
// `uncounted`, which make sure that all has arrived: what is counted never waits.
#include <mpi.h>

#include <array>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "lapwing/pipeline/halo.hpp"
#include "lapwing/transport/two_sided/two_sided.hpp"

namespace {

constexpr int sides = 4;
constexpr int messages = 2 * sides;

struct Sides {
    explicit Sides(std::size_t bytes) {
        for (auto& one : data) one.resize(bytes);
    }
    std::array<std::vector<char>, messages> data;  ///< received, then sent
};

int peer = 0;

}  // namespace

extern "C" {

[[gnu::noipa]] void uncounted_arrival() {
    // Messages sent before a barrier have arrived when it ends, as they take the same way.
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
}

[[gnu::noipa]] void counted_isend(Sides& sides_, bool all) {
    std::array<MPI_Request, messages> requests{};
    for (int side = 0; side < sides; ++side) {
        auto& data = sides_.data[static_cast<std::size_t>(side)];
        MPI_Irecv(data.data(), static_cast<int>(data.size()), MPI_BYTE, peer, side ^ 1,
                  MPI_COMM_WORLD, &requests[static_cast<std::size_t>(side)]);
    }
    for (int side = 0; side < sides; ++side) {
        const auto place = sides + static_cast<std::size_t>(side);
        auto& data = sides_.data[place];
        MPI_Isend(data.data(), static_cast<int>(data.size()), MPI_BYTE, peer, side, MPI_COMM_WORLD,
                  &requests[place]);
    }
    uncounted_arrival();
    if (all) {
        MPI_Waitall(messages, requests.data(), MPI_STATUSES_IGNORE);
    } else {
        for (auto& request : requests) MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
}

[[gnu::noipa]] void counted_persistent(std::array<MPI_Request, messages>& requests, bool all) {
    if (all) {
        MPI_Startall(messages, requests.data());
    } else {
        for (auto& request : requests) MPI_Start(&request);
    }
    uncounted_arrival();
    if (all) {
        MPI_Waitall(messages, requests.data(), MPI_STATUSES_IGNORE);
    } else {
        for (auto& request : requests) MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
}

[[gnu::noipa]] void counted_halo(lapwing::Halo<lapwing::TwoSided, char>& halo) {
    halo.exchange([] { uncounted_arrival(); });
}

}  // extern "C"

namespace {

void run_persistent(Sides& all_sides, int exchanges, bool all) {
    std::array<MPI_Request, messages> requests{};
    for (int message = 0; message < messages; ++message) {
        const auto place = static_cast<std::size_t>(message);
        auto& data = all_sides.data[place];
        const int count = static_cast<int>(data.size());
        if (message < sides) {
            MPI_Recv_init(data.data(), count, MPI_BYTE, peer, message ^ 1, MPI_COMM_WORLD,
                          &requests[place]);
        } else {
            MPI_Send_init(data.data(), count, MPI_BYTE, peer, message - sides, MPI_COMM_WORLD,
                          &requests[place]);
        }
    }
    for (int i = 0; i < exchanges; ++i) counted_persistent(requests, all);
    for (auto& request : requests) MPI_Request_free(&request);
}

void run_halo(Sides& all_sides, int exchanges) {
    lapwing::TwoSided transport;
    std::vector<lapwing::Edge<char>> edges;
    for (std::size_t side = 0; side < sides; ++side)
        edges.push_back({.peer = peer,
                         .send = all_sides.data[sides + side],
                         .receive = all_sides.data[side],
                         .send_tag = static_cast<int>(side),
                         .receive_tag = static_cast<int>(side ^ 1U)});
    lapwing::Halo halo(transport, edges);
    for (int i = 0; i < exchanges; ++i) counted_halo(halo);
}

}  // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    if (argc != 4) MPI_Abort(MPI_COMM_WORLD, 2);
    MPI_Comm_rank(MPI_COMM_WORLD, &peer);
    peer = 1 - peer;
    const std::string_view way = argv[1];
    const int exchanges = std::atoi(argv[2]);
    Sides all_sides(static_cast<std::size_t>(std::atoi(argv[3])));
    const bool all = way.ends_with("-all");
    if (way == "halo") {
        run_halo(all_sides, exchanges);
    } else if (way.starts_with("persistent")) {
        run_persistent(all_sides, exchanges, all);
    } else {
        for (int i = 0; i < exchanges; ++i) counted_isend(all_sides, all);
    }
    MPI_Finalize();
    return 0;
}
