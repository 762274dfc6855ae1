// NAS CG, classes S and W: verified in every schedule over every transport.
#include <stdexcept>

#include "../../../../apps/nas/cg/run.hpp"
#include "../verify_ways.hpp"

using namespace lapwing;

int main(int argc, char** argv) {
    return test::mpi_main(argc, argv, [&] {
        // Sums, group, early, pieces: the textbook's method and the pipelined one, with no, some
        // and all columns multiplied early.
        test::verify_ways(nas::cg::run, test::transports_named(argc, argv),
                          {{2, 2, 0, 1}, {2, 3, 3, 2}, {1, 4, 512, 1}});
        test::check_throws<std::invalid_argument>(
            [] { (void)nas::cg::run(MPI_COMM_WORLD, {.problem = "X", .options = nas::Options{}}); },
            "no class");
    });
}
