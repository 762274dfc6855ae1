#include "apps/ft/ft.hpp"

#include "commands/ft.hpp"

#include <mpi.h>

#include <nlohmann/json.hpp>
#include <stdexcept>

#include "lapwing/fft/names.hpp"
#include "lapwing/io/file.hpp"
#include "support/command.hpp"

namespace lapwing::tools {
namespace {

using Json = nlohmann::ordered_json;

Json spent_json(const ft::Spent& spent) { return {{"seconds", spent.mean}, {"most", spent.most}}; }

Json done_json(const ft::Problem& problem, const fft::Options& options, const ft::Done& done) {
    const auto phase = [&](fft::Phase which) {
        return spent_json(done.transforms[static_cast<std::size_t>(which)]);
    };
    int ranks = 0;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    Json json = {{"lapwing", "ft"},
                 {"class", std::string(1, problem.name)},
                 {"size", {problem.nx, problem.ny, problem.nz}},
                 {"iterations", problem.iterations},
                 {"ranks", ranks},
                 {"schedule", fft::name(options.schedule)},
                 {"transport", fft::name(options.transport)},
                 {"tile", options.tile},
                 {"window", options.window},
                 {"strips", options.strips},
                 {"packing", fft::name(options.packing)},
                 {"block", options.block},
                 {"padding", options.padding},
                 {"verified", done.verified},
                 {"seconds", done.seconds},
                 {"mops", done.mops},
                 {"planning", {{"seconds", done.planning}}},
                 {"messages", done.messages},
                 {"overlap_share", done.overlap_share},
                 {"setup", spent_json(done.setup)},
                 {"evolution", spent_json(done.evolution)},
                 {"checksum", spent_json(done.checksum)},
                 {"transforms",
                  {{"computation", phase(fft::Phase::computation)},
                   {"packing", phase(fft::Phase::packing)},
                   {"initiation", phase(fft::Phase::initiation)},
                   {"completion", phase(fft::Phase::completion)},
                   {"waiting", phase(fft::Phase::waiting)}}}};
    json["checksums"] = Json::array();
    for (const auto& sum : done.checksums) json["checksums"].push_back({sum.real(), sum.imag()});
    return json;
}

}  // namespace

void FtCommand::run() const {
    const auto problem = ft::find_problem(class_);
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
    const auto done = ft::run(MPI_COMM_WORLD, *problem, options,
                              [](double share, const char* what) { report_progress(share, what); });
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank != 0 || result_.empty()) return;
    write_file(result_, done_json(*problem, options, done).dump(2) + "\n");
}

}  // namespace lapwing::tools
