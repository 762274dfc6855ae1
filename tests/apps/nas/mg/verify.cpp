// NAS MG, classes S and W: verified in every schedule over every transport.
#include <stdexcept>

#include "../../../../apps/nas/mg/run.hpp"
#include "../verify_ways.hpp"

using namespace lapwing;

int main(int argc, char** argv) {
    return test::mpi_main(argc, argv, [&] {
        test::verify_ways(nas::mg::run, test::transports_named(argc, argv), {{4}, {2}, {16}});
        const auto run = [](const char* problem, std::optional<nas::Options> options) {
            (void)nas::mg::run(MPI_COMM_WORLD, {.problem = problem, .options = options});
        };
        test::check_throws<std::invalid_argument>([&] { run("X", nas::Options{}); }, "no class");
        test::check_throws<std::invalid_argument>([&] { run("S", std::nullopt); }, "profile");
        const nas::Options carrier{.transport = "pigeon"};
        test::check_throws<std::invalid_argument>([&] { run("S", carrier); }, "pigeon");
    });
}
