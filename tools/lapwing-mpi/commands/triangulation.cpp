#include "commands/triangulation.hpp"

#include <mpi.h>

#include "apps/triangulation/schedules.hpp"
#include "apps/triangulation/triangulation.hpp"
#include "lapwing/io/file.hpp"
#include "lapwing/io/profile_json.hpp"
#include "lapwing/plan/names.hpp"
#include "results/triangulation_json.hpp"
#include "support/command.hpp"

namespace lapwing::tools {

triangulation::Job TriangulationCommand::job() const {
    triangulation::Job job;
    job.points = points_;
    job.seed = seed_;
    job.input = input_;
    job.output = output_;
    job.trace = trace_;
    job.verify = verify_;
    job.schedule = triangulation::schedule_named(schedule_);
    job.transport = transport_named(transport_);
    job.message_size = message_size_;
    job.window = window_;
    if (!profile_.empty()) job.profile = load_profile(profile_);
    return job;
}

void TriangulationCommand::run() const {
    const triangulation::Job job = this->job();
    const auto result = triangulation::run(
        MPI_COMM_WORLD, job, [](double share, const char* what) { report_progress(share, what); });
    int rank = 0;
    int ranks = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (rank == 0 && !result_.empty()) write_file(result_, triangulation_json(job, result, ranks));
}

}  // namespace lapwing::tools
