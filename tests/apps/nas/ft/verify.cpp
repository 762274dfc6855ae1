// NAS FT, class S: verified by every schedule over every transport, or by those that are named.
//   test-ft [SCHEDULE TRANSPORT ...]
#include <mpi.h>

#include <cstdio>
#include <string>
#include <vector>

#include "../../../../apps/nas/ft/ft.hpp"
#include "../../../support/check.hpp"

using namespace lapwing;

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    const std::vector<std::string> wanted(argv + 1, argv + argc);
    const auto problem = nas::ft::find_problem("S");
    int runs = 0;
    for (const auto schedule :
         {fft::Schedule::exchange, fft::Schedule::slabs, fft::Schedule::pencils,
          fft::Schedule::tiled, fft::Schedule::strips, fft::Schedule::tails})
        for (const auto transport :
             {fft::Transport::collective, fft::Transport::two_sided, fft::Transport::rma}) {
            bool asked = wanted.empty();
            for (std::size_t i = 0; i + 1 < wanted.size(); i += 2)
                asked = asked || (wanted[i] == name(schedule) && wanted[i + 1] == name(transport));
            if (!asked || !fits(schedule, transport)) continue;
            fft::Options options;
            options.schedule = schedule;
            options.transport = transport;
            options.tile = 3;
            options.effort = fft::Effort::estimate;
            const nas::ft::Result result = nas::ft::run(MPI_COMM_WORLD, *problem, options);
            if (!result.verified)
                std::fprintf(stderr, "%s over %s is not verified: %.12e%+.12ei\n", name(schedule),
                             name(transport), result.checksums.back().real(),
                             result.checksums.back().imag());
            CHECK(result.verified);
            CHECK(result.checksums.size() == 6);
            CHECK(result.seconds > 0);
            ++runs;
        }
    CHECK(runs > 0);
    int failed = 0;
    MPI_Allreduce(&test::failures(), &failed, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    return failed == 0 ? 0 : 1;
}
