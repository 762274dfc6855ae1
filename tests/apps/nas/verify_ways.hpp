#pragma once

#include <mpi.h>

#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "../../../apps/nas/common/request.hpp"
#include "../../../apps/nas/common/result.hpp"
#include "../../support/check.hpp"
#include "../../support/sanitized.hpp"
#include "lapwing/compute/charge.hpp"

namespace lapwing::test {

/// Runs a class of a benchmark with `settings`, blocking and overlapped: each run must be verified,
/// and both must find the same, to the bit. `run(ranks, request)`: runs the benchmark.
template <class Run>
void verify_way(Run&& run, const std::string& problem, const std::string& transport,
                const std::vector<std::int64_t>& settings) {
    const auto found = [&](nas::Schedule schedule) {
        const nas::Options options{schedule, transport, settings};
        const nas::Result result =
            run(MPI_COMM_WORLD, nas::Request{.problem = problem, .options = options});
        const nas::Verification& verification = result.verification;
        if (!verification.verified)
            std::fprintf(stderr, "%s %s %s over %s: %.13e in place of %.13e\n",
                         result.benchmark.c_str(), problem.c_str(), name(schedule),
                         transport.c_str(), verification.found, verification.expected);
        CHECK(verification.verified);
        CHECK(result.seconds > 0);
        CHECK(result.ranks > 0);
        return verification.found;
    };
    CHECK(found(nas::Schedule::blocking) == found(nas::Schedule::overlapped));
}

/// What a test's command line names: transports. Nothing: all.
inline std::vector<std::string> transports_named(int argc, char** argv) {
    if (argc == 1) return {"two-sided", "put", "get"};
    return {argv + 1, argv + argc};
}

/// Verifies class S with each of `settings` over these transports, and class W with the first of
/// them. Sanitizers see nothing in class W that is not in class S.
template <class Run>
void verify_ways(Run&& run, const std::vector<std::string>& transports,
                 const std::vector<std::vector<std::int64_t>>& settings) {
    for (const std::string& transport : transports) {
        // One-sided messages between many simulated ranks take long to simulate.
        const bool brief = simulated_time && transport != "two-sided";
        for (const auto& setting : settings) {
            if (brief && &setting != &settings.front()) continue;
            verify_way(run, "S", transport, setting);
        }
        if (!brief && !sanitized) verify_way(run, "W", transport, settings.front());
    }
}

/// Calls `body()` between `MPI_Init` and `MPI_Finalize`, and returns the status of the program: 1
/// where a check failed on any rank.
template <class Body>
int mpi_main(int argc, char** argv, Body&& body) {
    MPI_Init(&argc, &argv);
    body();
    int failed = 0;
    MPI_Allreduce(&failures(), &failed, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    return failed == 0 ? 0 : 1;
}

}  // namespace lapwing::test
