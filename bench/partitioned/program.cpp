// A stream in partitions, in persistent requests and in messages of the library's, in turn:
//   program VOLUME MESSAGE WINDOW SECONDS ROUNDS
// Rank 1 sends VOLUME bytes in messages of MESSAGE bytes, WINDOW in flight, to rank 0, which
// computes for SECONDS on them as they arrive. Prints `WAY SECONDS` for each round and way.
#include <mpi.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <string_view>
#include <thread>
#include <vector>

#include "lapwing/compute/clock.hpp"
#include "lapwing/pipeline/feed.hpp"
#include "lapwing/pipeline/stream.hpp"
#include "lapwing/transport/partitioned/partitioned.hpp"
#include "lapwing/transport/repeated.hpp"
#include "lapwing/transport/two_sided/two_sided.hpp"

namespace {

struct Setting {
    lapwing::Plan plan;
    double compute = 0;  ///< seconds a byte
    std::span<std::byte> data;

    void consume(std::uint64_t bytes) const {
        lapwing::wait_until(lapwing::now() + compute * static_cast<double>(bytes));
    }
};

template <class T>
void stream(T& transport, const Setting& setting) {
    if (transport.rank() == 1) {
        lapwing::feed(transport, 0, std::span<const std::byte>(setting.data), setting.plan);
    } else {
        const lapwing::Source source{transport, 1, setting.data};
        for (const auto piece : lapwing::stream<std::byte>(source, setting.plan))
            setting.consume(piece.data.size());
    }
}

/// Requests made once, of which a window is under way.
class PersistentStream {
  public:
    PersistentStream(lapwing::TwoSided& transport, const Setting& setting)
        : rank_(transport.rank()), setting_(setting), messages_(transport) {
        int tag = 0;
        for (auto at = setting.plan.messages.begin(); at != lapwing::Messages::end(); ++at, ++tag) {
            std::byte* const place = setting.data.data() + at.offset();
            if (rank_ == 1) {
                messages_.add_send(place, *at, 0, tag);
            } else {
                messages_.add_receive(place, *at, 1, tag);
            }
        }
    }
    void run() {
        const auto count = static_cast<std::size_t>(setting_.plan.messages.count());
        const auto window = static_cast<std::size_t>(setting_.plan.window);
        std::size_t started = 0;
        std::size_t which = 0;
        for (auto at = setting_.plan.messages.begin(); which < count; ++at, ++which) {
            while (started < count && started < which + window) messages_.start(started++);
            while (!messages_.test(which)) {
            }
            if (rank_ == 0) {
                if (started < count) messages_.start(started++);
                setting_.consume(*at);
            }
        }
    }

  private:
    int rank_;
    const Setting& setting_;
    lapwing::Repeated<lapwing::TwoSided> messages_;
};

/// Runs one of the ways, and prints its time.
template <class Run>
void timed(const char* way, int rank, Run&& run) {
    // On a link whose ranks have real-time priority the kernel stops those that never pause.
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    MPI_Barrier(MPI_COMM_WORLD);
    const double begin = lapwing::now();
    run();
    if (rank == 0) std::printf("%s %.9f\n", way, lapwing::now() - begin);
    MPI_Barrier(MPI_COMM_WORLD);
}

void run(char** arguments) {
    const auto number = [&](int at) { return std::strtoull(arguments[at], nullptr, 10); };
    const std::uint64_t volume = number(1);
    std::vector<std::byte> data(volume);
    Setting setting;
    setting.plan.messages = lapwing::Messages::uniform(volume, number(2));
    setting.plan.window = static_cast<int>(number(3));
    setting.compute = std::strtod(arguments[4], nullptr) / static_cast<double>(volume);
    setting.data = data;
    lapwing::TwoSided two_sided;
    PersistentStream persistent(two_sided, setting);
#ifdef LAPWING_HAS_PARTITIONED
    lapwing::Partitioned partitioned;
#endif
    for (std::uint64_t round = 0; round < number(5); ++round) {
        const int rank = two_sided.rank();
        timed("two-sided", rank, [&] { stream(two_sided, setting); });
        timed("persistent", rank, [&] { persistent.run(); });
#ifdef LAPWING_HAS_PARTITIONED
        timed("partitioned", rank, [&] { stream(partitioned, setting); });
#endif
    }
}

}  // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    if (argc == 6) run(argv);
    MPI_Finalize();
    return argc == 6 ? 0 : 2;
}
