// NAS IS, class S: verified in every schedule over every transport, and the ranks of all ways are
// those of the blocking one.
#include <mpi.h>

#include <cstdint>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "../../../../apps/nas/common/with_transport.hpp"
#include "../../../../apps/nas/is/benchmark.hpp"
#include "../../../../apps/nas/is/run.hpp"
#include "../verify_ways.hpp"

using namespace lapwing;
using nas::is::Benchmark;

namespace {

/// The ranks that this rank finds in all iterations.
std::vector<std::uint32_t> ranks_of(const nas::is::Problem& problem, const nas::Options& options) {
    std::vector<std::uint32_t> all;
    int size = 0;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    Benchmark::require_valid(problem, options, size);
    nas::with_transport(options.transport, MPI_COMM_WORLD,
                        Benchmark::capacity(problem, options, size), [&](auto& transport) {
                            using T = std::remove_cvref_t<decltype(transport)>;
                            Trace trace;
                            nas::Computation computation(Benchmark::kernels, trace);
                            Benchmark::Program<T, nas::Computation> program(transport, computation,
                                                                            problem, options);
                            program.reset();
                            program.iterate(0);
                            program.reset();
                            for (int iteration = 0; iteration < problem.iterations; ++iteration) {
                                program.iterate(iteration);
                                all.push_back(program.least_value());
                                const auto found = program.values_up_to();
                                all.insert(all.end(), found.begin(), found.end());
                            }
                            const nas::Verification verification = program.verify();
                            if (!verification.verified)
                                std::fprintf(stderr, "%s over %s: %g of %g\n",
                                             name(options.schedule), options.transport.c_str(),
                                             verification.found, verification.expected);
                            CHECK(verification.verified);
                        });
    return all;
}

/// The settings of class A that are left to the benchmark.
std::vector<std::int64_t> fitted(std::vector<std::int64_t> settings, int ranks) {
    nas::Options options{.settings = std::move(settings)};
    Benchmark::fit(options, Benchmark::problem("A"), ranks);
    return options.settings;
}

void test_usual_settings() {
    const std::vector<std::int64_t> left(3, nas::fitting);
    CHECK((fitted(left, 1) == std::vector<std::int64_t>{1, 1, 1}));
    CHECK((fitted(left, 2) == std::vector<std::int64_t>{171, 10, 8}));
    CHECK((fitted(left, 16) == std::vector<std::int64_t>{3, 1, 3}));
    CHECK((fitted(left, 64) == std::vector<std::int64_t>{2, 1, 2}));
    CHECK((fitted({32, nas::fitting, 1}, 2) == std::vector<std::int64_t>{32, 2, 1}));
}

}  // namespace

int main(int argc, char** argv) {
    return test::mpi_main(argc, argv, [&] {
        test_usual_settings();
        const auto problem = Benchmark::problem("S");
        const auto blocking =
            ranks_of(problem, {.schedule = nas::Schedule::blocking, .settings = {1, 1, 1}});
        std::vector<std::vector<std::int64_t>> ways{{5, 2, 3}};
        const std::vector<std::string> transports = test::transports_named(argc, argv);
        if (!simulated_time) ways.insert(ways.end(), {{1, 1, 1}, {8, 8, 1}});
        for (const std::string& transport : transports) {
            // One-sided messages between many simulated ranks take long to simulate: of them the
            // runs below are enough.
            if (simulated_time && transport != "two-sided") continue;
            for (const auto& settings : ways)
                CHECK(ranks_of(problem, {.transport = transport, .settings = settings}) ==
                      blocking);
        }
        test::verify_ways(nas::is::run, transports, {{2, 1, 2}});
    });
}
