// NAS CG, classes S and W: verified in every schedule over every transport.
//   test-cg [CLASS [SETTINGS ...]]
#include <mpi.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "../../../../apps/nas/cg/run.hpp"
#include "../../../../apps/nas/cg/settings.hpp"
#include "../../../support/check.hpp"

using namespace lapwing;

namespace {

nas::Result run(const std::string& problem, const nas::Options& options) {
    return nas::cg::run(MPI_COMM_WORLD, {.problem = problem, .options = options});
}

std::string words(const nas::Options& options) {
    std::string text = std::string(name(options.schedule)) + " over " + options.transport;
    for (std::size_t i = 0; i < options.settings.size(); ++i)
        text += std::string(" ") + nas::cg::settings[i].name + " " +
                std::to_string(options.settings[i]);
    return text;
}

}  // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const std::string problem = argc > 1 ? argv[1] : "S";
    std::vector<std::vector<std::int64_t>> all{
        {2, 2, 0, 1}, {1, 2, 0, 1}, {2, 4, 3, 3}, {1, 3, 8, 2}, {1, 4, 512, 5}};
    if (argc > 2) {
        all.assign(1, {});
        for (int i = 2; i < argc; ++i) all[0].push_back(std::atoi(argv[i]));
    }
    for (const auto& settings : all)
        for (const char* transport : {"two-sided", "put", "get"}) {
            double blocking = 0;
            for (const auto schedule : {nas::Schedule::blocking, nas::Schedule::overlapped}) {
                const nas::Options options{schedule, transport, settings};
                const nas::Result result = run(problem, options);
                if (rank == 0)
                    std::printf("%s: zeta %.13f, %.1f Mop/s, %.4e s\n", words(options).c_str(),
                                result.verification.found, result.mops, result.seconds);
                CHECK(result.verification.verified);
                if (schedule == nas::Schedule::blocking) blocking = result.verification.found;
                CHECK(result.verification.found == blocking);
            }
        }
    int failed = 0;
    MPI_Allreduce(&test::failures(), &failed, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    return failed == 0 ? 0 : 1;
}
