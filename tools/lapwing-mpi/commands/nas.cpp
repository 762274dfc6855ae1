#include "commands/nas.hpp"

#include <mpi.h>

#include <array>
#include <stdexcept>
#include <string_view>

#include "apps/nas/cg/run.hpp"
#include "apps/nas/common/request.hpp"
#include "apps/nas/common/result.hpp"
#include "apps/nas/is/run.hpp"
#include "apps/nas/mg/run.hpp"
#include "lapwing/io/file.hpp"
#include "lapwing/io/profile_json.hpp"
#include "results/nas_json.hpp"
#include "support/command.hpp"

namespace lapwing::tools {
namespace {

/// What runs each benchmark, in the order of `nas::benchmarks`.
constexpr std::array runs{nas::mg::run, nas::cg::run, nas::is::run};
static_assert(runs.size() == nas::benchmarks.size());

nas::Schedule schedule_named(std::string_view name) {
    std::size_t which = 0;
    while (nas::schedules[which] != name) ++which;  // the command line has no others
    return static_cast<nas::Schedule>(which);
}

}  // namespace

void NasCommand::run() const {
    nas::Request request{.problem = class_,
                         .ranks_per_node = ranks_per_node_,
                         .trace = trace_,
                         .tell = report_progress};
    if (schedule_ != "auto")
        request.options = {
            .schedule = schedule_named(schedule_), .transport = transport_, .settings = settings_};
    if (!profile_.empty()) request.profile = load_profile(profile_);
    std::size_t which = 0;
    while (&nas::benchmarks[which] != &benchmark_) ++which;
    const nas::Result result = runs[which](MPI_COMM_WORLD, request);
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0 && !result_.empty()) write_file(result_, nas_json(result, benchmark_));
}

}  // namespace lapwing::tools
