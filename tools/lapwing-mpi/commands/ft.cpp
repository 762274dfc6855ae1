#include "commands/ft.hpp"

#include <mpi.h>

#include <stdexcept>

#include "apps/nas/ft/ft.hpp"
#include "lapwing/fft/names.hpp"
#include "lapwing/io/file.hpp"
#include "results/ft_json.hpp"
#include "support/command.hpp"

namespace lapwing::tools {
void FtCommand::run() const {
    const auto problem = nas::ft::find_problem(class_);
    if (!problem) throw std::invalid_argument("NAS FT has no class \"" + class_ + "\"");
    fft::Options options;
    options.schedule = fft::schedule_named(schedule_);
    options.transport = transport_.empty() ? fft::usual_transport(options.schedule)
                                           : fft::transport_named(transport_);
    options.effort = fft::effort_named(effort_);
    options.tile = tile_;
    options.window = window_;
    options.strips = strips_;
    options.packing = fft::packing_named(packing_);
    options.block = block_;
    options.padding = padding_;
    const auto result =
        nas::ft::run(MPI_COMM_WORLD, *problem, options,
                     [](double share, const char* what) { report_progress(share, what); });
    int rank = 0;
    int ranks = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (rank == 0 && !result_.empty())
        write_file(result_, ft_json(*problem, options, result, ranks));
}

}  // namespace lapwing::tools
