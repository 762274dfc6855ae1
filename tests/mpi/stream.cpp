// A stream gives the same result to the bit however it is cut, and leaving it early hangs no rank.
#include "lapwing/pipeline/stream.hpp"

#include <mpi.h>

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <vector>

#include "../support/check.hpp"
#include "../support/machine.hpp"
#include "lapwing/pipeline/feed.hpp"
#include "lapwing/transport/two_sided/two_sided.hpp"

using lapwing::Messages;
using lapwing::Plan;
using lapwing::TwoSided;
using lapwing::test::Random;

namespace {

std::vector<double> numbers(std::size_t count) {
    std::vector<double> values(count);
    for (std::size_t i = 0; i < count; ++i) values[i] = 0.37 * static_cast<double>(i) + 1;
    return values;
}

/// What a program computes from its data, element by element in order.
double consume(std::span<const double> data, double before) {
    for (const double value : data) before = 0.999 * before + value;
    return before;
}

struct Ranks {
    TwoSided transport;
    bool receiver = transport.rank() == 0;
    int peer = 1 - transport.rank();

    /// Sends by `plan` on one rank; on the other `receive(range, data)` runs over the stream.
    template <class Receive>
    void stream(const Plan& plan, const std::vector<double>& data, Receive&& receive) {
        if (!receiver) {
            lapwing::feed(transport, peer, std::span<const double>(data), plan);
            return;
        }
        std::vector<double> place(data.size(), -1);
        const lapwing::Source source{transport, peer, std::span<double>(place)};
        receive(lapwing::stream<double>(source, plan));
        CHECK(place == data);  // received in whole, even where left early
    }
    void check_stream(const Plan& plan) {
        const auto data = numbers(plan.messages.volume() / sizeof(double));
        const double blocking = consume(data, 0);
        stream(plan, data, [&](auto&& pieces) {
            double result = 0;
            std::uint64_t next = 0;
            for (const auto piece : pieces) {
                CHECK(piece.first == next);
                next += piece.data.size();
                result = consume(piece.data, result);
            }
            CHECK(next == data.size());
            CHECK(std::memcmp(&result, &blocking, sizeof result) == 0);
        });
    }
};

Plan plan_of(const Messages& messages, int window) {
    Plan plan;
    plan.messages = messages;
    plan.window = window;
    return plan;
}

void random_plans(Ranks& ranks) {
    Random random(1);
    for (int trial = 0; trial < 60; ++trial) {
        const auto machine = lapwing::test::any_machine(random);
        const std::uint64_t volume = sizeof(double) * random.integer(1, 20000);
        const lapwing::Workload workload{
            .volume = volume,
            .compute = random.uniform(0, 3) * machine.loggp.G * static_cast<double>(volume),
            .grain = sizeof(double) * random.integer(1, 50)};
        Plan plan = lapwing::plan(machine, workload,
                                  random.pick({lapwing::Method::lapwing, lapwing::Method::paper}));
        plan.window = static_cast<int>(random.integer(1, 80));
        plan.pace = 0;  // slow machines would make a slow test
        ranks.check_stream(plan);
    }
}

void uneven_sizes(Ranks& ranks) {
    // Small messages are sent eagerly, large ones are not and may be overtaken by small ones.
    Messages growing(8);
    for (std::uint64_t size = 512; size <= 1 << 20; size *= 2) growing.append(size);
    const Messages shrinking = growing.reversed();
    Messages sawtooth(8);
    sawtooth.append(8, 20);
    for (int tooth = 0; tooth < 4; ++tooth) {
        sawtooth.append(1 << 18);
        sawtooth.append(8, 3);
        sawtooth.append(1 << 16, 2);
    }
    for (const auto& messages : {growing, shrinking, sawtooth})
        for (const int window : {1, 2, 8, 64}) ranks.check_stream(plan_of(messages, window));
    for (const std::uint64_t size : {1024, 4096, 8192, 65536, 131072, 1048576})
        for (const std::uint64_t beside : {size - 8, size, size + 8})
            ranks.check_stream(plan_of(Messages::uniform(4 << 20, beside, 8), 4));
}

/// More messages than there are tags.
void many_messages(Ranks& ranks) {
    ranks.check_stream(plan_of(Messages::uniform(40000 * sizeof(double), 8, 8), 16));
}

/// The first messages of the second stream are awaited while the first stream is consumed.
void two_at_once(Ranks& ranks) {
    const Plan first = plan_of(Messages::uniform(8000, 80, 8), 4);
    const Plan second = plan_of(Messages::uniform(4000, 400, 8), 2);
    const auto data = numbers(1500);
    const std::span<const double> all(data);
    if (!ranks.receiver) {
        lapwing::feed(ranks.transport, ranks.peer, all.first(1000), first);
        lapwing::feed(ranks.transport, ranks.peer, all.last(500), second);
        return;
    }
    std::vector<double> place(data.size(), -1);
    const std::span<double> room(place);
    auto earlier = lapwing::stream<double>(
        lapwing::Source{ranks.transport, ranks.peer, room.first(1000)}, first);
    auto later = lapwing::stream<double>(
        lapwing::Source{ranks.transport, ranks.peer, room.last(500)}, second);
    double sum = 0;
    for (const auto piece : earlier) sum = consume(piece.data, sum);
    for (const auto piece : later) sum = consume(piece.data, sum);
    CHECK(place == data);
    CHECK(sum == consume(data, 0));
}

void leave_early(Ranks& ranks) {
    const auto data = numbers(50000);
    for (const int leave_after : {0, 1, 5}) {
        for (const std::uint64_t size : {800, 80000}) {
            const Plan plan = plan_of(Messages::uniform(400000, size, 8), 4);
            ranks.stream(plan, data, [&](auto&& pieces) {
                int seen = 0;
                for (const auto piece : pieces) {
                    CHECK(!piece.data.empty());
                    if (seen++ == leave_after) break;
                }
            });
        }
    }
}

void exception(Ranks& ranks) {
    const auto data = numbers(50000);
    const Plan plan = plan_of(Messages::uniform(400000, 40000, 8), 3);
    bool caught = false;
    lapwing::on_failure(lapwing::OnFailure::rethrow);
    ranks.stream(plan, data, [&](auto&& pieces) {
        try {
            for (const auto piece : pieces)
                if (piece.first > 0) throw std::runtime_error("enough");
        } catch (const std::runtime_error&) {
            caught = true;
        }
    });
    CHECK(!ranks.receiver || caught);
    lapwing::on_failure(lapwing::OnFailure::end_job);
    ranks.check_stream(plan);
}

void polled_and_paced(Ranks& ranks) {
    Plan plan = plan_of(Messages::uniform(1 << 20, 1 << 15, 8), 4);
    plan.poll_interval = 1e-6;
    const auto data = numbers((1 << 20) / sizeof(double));
    ranks.stream(plan, data, [&](auto&& pieces) {
        double result = 0;
        for (const auto piece : pieces) {
            for (std::size_t i = 0; i < piece.data.size(); i += 64) {
                result =
                    consume(piece.data.subspan(i, std::min<std::size_t>(64, piece.data.size() - i)),
                            result);
                lapwing::poll();
            }
        }
        CHECK(result == consume(data, 0));
    });
    plan.pace = 1e-9;
    ranks.check_stream(plan);
}

}  // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int failed = 0;
    {
        int rank = 0;
        MPI_Comm_rank(MPI_COMM_WORLD, &rank);
        Ranks ranks;
        if (rank < 2) {
            random_plans(ranks);
            uneven_sizes(ranks);
            many_messages(ranks);
            two_at_once(ranks);
            leave_early(ranks);
            exception(ranks);
            polled_and_paced(ranks);
        }
        MPI_Allreduce(&lapwing::test::failures(), &failed, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return failed == 0 ? 0 : 1;
}
