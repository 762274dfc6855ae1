// What one-sided operations and messages take: `interfaces KIND BYTES COUNT` with KIND put, get,
// rput, rget, notified or message. All ranks but 0 initiate COUNT operations to or from rank 0, at
// the same time, and `exchange` has ranks 0 and 1 put to each other. Each initiator prints a line:
// its rank, the seconds until all are complete, and those of each initiation. The last line are the
// seconds in which rank 0 computed a second. Without arguments, data is checked alone.
#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "../support/check.hpp"
#include "lapwing/compute/charge.hpp"
#include "lapwing/compute/clock.hpp"
#include "lapwing/transport/mpi/window.hpp"
#include "lapwing/transport/rma/notified_access.hpp"

using lapwing::charge;
using lapwing::now;

namespace {

int rank = 0;
int ranks = 0;

/// The same time on all ranks, some milliseconds from now.
void start_together() {
    double mine = now();
    double last = 0;
    MPI_Allreduce(&mine, &last, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    charge(last + 0.01 - now());
}

/// The operations of one kind between the other ranks and rank 0.
class Operations {
  public:
    Operations(std::string kind, std::size_t bytes, int count)
        : kind_(std::move(kind)),
          bytes_(static_cast<int>(bytes)),
          window_(MPI_COMM_WORLD, bytes * static_cast<std::size_t>(count * ranks)),
          local_(bytes * static_cast<std::size_t>(count * ranks), std::byte(rank + 1)) {
        std::fill_n(window_.data(), window_.size(), std::byte{100});
        MPI_Barrier(MPI_COMM_WORLD);
    }
    void expect(int from, int index) { requests_.push_back(receive(from, index)); }
    void initiate(int peer, int index) {
        std::byte* const mine = local_.data() + place(rank, index);
        const auto offset = static_cast<MPI_Aint>(place(rank, index));
        MPI_Request request = MPI_REQUEST_NULL;
        if (kind_ == "put" || kind_ == "exchange") {
            MPI_Put(mine, bytes_, MPI_BYTE, peer, offset, bytes_, MPI_BYTE, window_.get());
        } else if (kind_ == "get") {
            MPI_Get(mine, bytes_, MPI_BYTE, peer, offset, bytes_, MPI_BYTE, window_.get());
        } else if (kind_ == "rput") {
            MPI_Rput(mine, bytes_, MPI_BYTE, peer, offset, bytes_, MPI_BYTE, window_.get(),
                     &request);
        } else if (kind_ == "notified") {
            lapwing_rput_notified(mine, static_cast<std::size_t>(bytes_), peer, offset,
                                  window_.get(), index, &request);
        } else if (kind_ == "rget") {
            MPI_Rget(mine, bytes_, MPI_BYTE, peer, offset, bytes_, MPI_BYTE, window_.get(),
                     &request);
        } else {
            MPI_Isend(mine, bytes_, MPI_BYTE, peer, index, MPI_COMM_WORLD, &request);
        }
        requests_.push_back(request);
    }
    void complete(int peer) {
        for (MPI_Request& request : requests_) MPI_Wait(&request, MPI_STATUS_IGNORE);
        requests_.clear();
        if (kind_ != "message") MPI_Win_flush(peer, window_.get());
    }
    /// Whether this rank has what the operation of `origin` should have left.
    [[nodiscard]] bool arrived(int origin, int index) const {
        const bool got = kind_ == "get" || kind_ == "rget";
        const std::byte* const data =
            (got ? local_.data() : static_cast<const std::byte*>(window_.data())) +
            place(origin, index);
        const std::byte right = got ? std::byte{100} : std::byte(origin + 1);
        return std::all_of(data, data + bytes_, [&](std::byte byte) { return byte == right; });
    }

  private:
    [[nodiscard]] std::size_t place(int origin, int index) const {
        return static_cast<std::size_t>(bytes_) * static_cast<std::size_t>(index * ranks + origin);
    }
    MPI_Request receive(int from, int index) {
        MPI_Request request = MPI_REQUEST_NULL;
        if (kind_ == "notified") {
            lapwing_notice(from, window_.get(), index, &request);
            return request;
        }
        MPI_Irecv(window_.data() + place(from, index), bytes_, MPI_BYTE, from, index,
                  MPI_COMM_WORLD, &request);
        return request;
    }

    std::string kind_;
    int bytes_;
    lapwing::Window window_;
    std::vector<std::byte> local_;
    std::vector<MPI_Request> requests_;
};

void run(std::string kind, std::size_t bytes, int count, bool print) {
    const std::size_t plus = kind.find("+work");
    const bool works = plus != std::string::npos;
    kind.resize(std::min(plus, kind.size()));
    Operations operations(kind, bytes, count);
    const bool exchange = kind == "exchange";
    const bool initiates = exchange ? rank < 2 : rank > 0;
    const int peer = exchange ? 1 - rank : 0;
    const bool expected = kind == "message" || kind == "notified";
    if (expected && rank == 0)
        for (int from = 1; from < ranks; ++from)
            for (int i = 0; i < count; ++i) operations.expect(from, i);
    start_together();
    const double start = now();
    std::vector<double> times;
    if (initiates) {
        for (int i = 0; i < count; ++i) {
            const double before = now();
            operations.initiate(peer, i);
            times.push_back(now() - before);
        }
        for (int i = 0; works && i < 8; ++i) charge(2.25e-6);
        operations.complete(peer);
    } else if (expected) {
        operations.complete(0);
    } else if (rank == 0 && print) {
        charge(1);
    }
    const double seconds = now() - start;
    for (int turn = 1; turn <= ranks; ++turn) {
        MPI_Barrier(MPI_COMM_WORLD);
        if (turn % ranks != rank || !print) continue;
        std::printf("%d %.12g", rank, seconds);
        for (const double time : times) std::printf(" %.12g", time);
        std::printf("\n");
        std::fflush(stdout);
    }
    const bool got = kind == "get" || kind == "rget";
    for (int origin = 0; origin < ranks; ++origin) {
        const bool mine =
            got ? origin == rank && rank > 0
                : (exchange ? rank < 2 && origin == 1 - rank : rank == 0 && origin > 0);
        for (int i = 0; mine && i < count; ++i) CHECK(operations.arrived(origin, i));
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

}  // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (argc == 3 && std::string(argv[1]) == "window") {
        const double start = now();
        const lapwing::Window window(MPI_COMM_WORLD, std::strtoull(argv[2], nullptr, 10));
        if (rank == 0) std::printf("%d %.12g\n", rank, now() - start);
    } else if (argc == 4) {
        run(argv[1], std::strtoull(argv[2], nullptr, 10), std::atoi(argv[3]), true);
    } else {
        for (const char* const kind :
             {"put", "get", "rput", "rget", "notified", "message", "exchange"})
            for (const std::size_t bytes : {0, 1, 5000})
                if (std::string(kind) != "notified" || lapwing::notified_access::exists())
                    run(kind, bytes, 3, false);
    }
    int failed = 0;
    MPI_Allreduce(&lapwing::test::failures(), &failed, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    return failed == 0 ? 0 : 1;
}
