// All ranks' events are gathered at one rank, in the time of one clock, and written to a file.
#include "lapwing/pipeline/trace/trace.hpp"

#include <mpi.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "../support/check.hpp"
#include "lapwing/pipeline/pipeline.hpp"
#include "lapwing/pipeline/trace/gather_trace.hpp"
#include "lapwing/transport/collective/collective.hpp"

using lapwing::Activity;

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int failed = 0;
    {
        lapwing::Collective transport;
        const lapwing::Communicator world;
        struct Sums {
            std::vector<double> mine;
            std::vector<double> all;
            void clear() { mine.clear(); }
        };
        lapwing::Plan plan;
        plan.messages = lapwing::Messages::uniform(10 * sizeof(double), 3 * sizeof(double), 8);
        plan.window = 2;
        lapwing::Trace trace;
        const double start = lapwing::now();
        MPI_Barrier(world.get());
        lapwing::pipeline<Sums>(
            plan, 10, [](std::uint64_t, Sums& buffer) { buffer.mine.push_back(1); },
            [&](Sums& buffer) {
                buffer.all.resize(buffer.mine.size());
                return transport.allreduce(buffer.mine, buffer.all.data());
            },
            lapwing::NoConsume(), trace);
        MPI_Barrier(world.get());
        const double end = lapwing::now();

        const auto ranks = lapwing::gather_trace(trace.events(), world);
        CHECK(ranks.size() == (world.rank() == 0 ? static_cast<std::size_t>(world.size()) : 0));
        for (const auto& events : ranks) {
            std::vector<int> counts(lapwing::activities);
            for (const auto& event : events) {
                ++counts[static_cast<std::size_t>(event.activity)];
                CHECK(start <= event.start);
                CHECK(event.start <= event.end);
                CHECK(event.end <= end);
            }
            CHECK(counts[static_cast<std::size_t>(Activity::computation)] == 10);
            CHECK(counts[static_cast<std::size_t>(Activity::initiation)] == 4);
            CHECK(counts[static_cast<std::size_t>(Activity::wait)] == 4);
        }
        // A rank without events is gathered, too.
        CHECK(lapwing::gather_trace({}, world).size() == ranks.size());

        const char* const folder = std::getenv("TMPDIR");
        const std::string path = std::string(folder == nullptr ? "/tmp" : folder) +
                                 "/lapwing-trace-" + std::to_string(end) + ".json";
        lapwing::write_trace(path, trace.events(), world);
        if (world.rank() == 0) {
            std::ifstream file(path);
            const std::string text{std::istreambuf_iterator<char>(file), {}};
            CHECK(text.find("\"rank " + std::to_string(world.size() - 1) + "\"") !=
                  std::string::npos);
            CHECK(text.find("\"step\":9") != std::string::npos);
            std::remove(path.c_str());
        }
        MPI_Allreduce(&lapwing::test::failures(), &failed, 1, MPI_INT, MPI_SUM, world.get());
    }
    MPI_Finalize();
    return failed == 0 ? 0 : 1;
}
