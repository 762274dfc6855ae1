// NAS IS: verified by every schedule over every transport, or over the one that is named, and the
// ranks of all ways are those of the blocking one.
//   test-is CLASS [TRANSPORT]
#include <mpi.h>

#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "../../../../apps/nas/common/with_transport.hpp"
#include "../../../../apps/nas/is/benchmark.hpp"
#include "../../../support/check.hpp"

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

}  // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    const std::vector<std::string> arguments(argv + 1, argv + argc);
    const auto problem = Benchmark::problem(arguments.empty() ? "S" : arguments[0]);
    std::vector<std::string> transports{"two-sided", "put", "get"};
    if (arguments.size() > 1) transports = {arguments[1]};
    const auto blocking =
        ranks_of(problem, {.schedule = nas::Schedule::blocking, .settings = {1, 1, 1}});
    for (const std::string& transport : transports)
        for (const auto& settings :
             std::vector<std::vector<std::int64_t>>{{1, 1, 1}, {5, 2, 3}, {8, 8, 1}})
            CHECK(ranks_of(problem, {.transport = transport, .settings = settings}) == blocking);
    int failed = 0;
    MPI_Allreduce(&test::failures(), &failed, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    return failed == 0 ? 0 : 1;
}
