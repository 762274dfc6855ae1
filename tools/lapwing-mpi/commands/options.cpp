// The options of every command. They need no MPI: this file is compiled once for all flavours, as
// CLI11 takes long to compile.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <climits>

#include "apps/compress/bzip2.hpp"
#include "commands/calibrate.hpp"
#include "commands/compress.hpp"
#include "commands/doctor.hpp"
#include "commands/fft.hpp"
#include "commands/ft.hpp"
#include "commands/nas.hpp"
#include "commands/sweep.hpp"
#include "commands/triangulation.hpp"
#include "commands/validate.hpp"

namespace lapwing::tools {

CalibrateCommand::CalibrateCommand(CLI::App& app)
    : command_(app.add_subcommand("calibrate", "measure the ranks, write the profile")) {
    command_->add_option("--output", output_, "file for the profile")->required();
    command_->add_flag("--quick", quick_, "fewer sizes and bursts, less accuracy");
    command_->add_option("--accuracy", accuracy_, "relative error to reach, e.g. 0.02")
        ->check(CLI::Range(1e-4, 1.0));
    command_->add_option("--processes", processes_, "numbers of processes for the patterns")
        ->delimiter(',');
    command_->add_option("--pair", pairs_, "two ranks to measure as well, e.g. 0,5; repeatable")
        ->take_all();
    command_->add_option("--only", only_, "parts to measure; all if not given")->delimiter(',');
    command_->add_option("--sizes-of", sizes_of_,
                         "a profile of another launch, to measure messages at its sizes");
    command_
        ->add_option("--wait", wait_,
                     "seconds to wait in all for the best environment to come again")
        ->check(CLI::Range(0.0, 1e6));
}

bool CalibrateCommand::chosen() const { return command_->parsed(); }

SweepCommand::SweepCommand(CLI::App& app)
    : command_(app.add_subcommand("sweep", "time a workload cut in every way, and as planned")) {
    constexpr std::uint64_t most = std::uint64_t{1} << 40;
    command_->add_option("--profile", profile_, "the machine's profile")->required();
    command_->add_option("--output", output_, "file for the result")->required();
    command_->add_option("--plan", plan_, "a plan to run instead of ours");
    command_->add_option("--pattern", pattern_, "how messages run between ranks");
    command_->add_option("--direction", direction_, "which side of a message is computed on");
    command_->add_option("--dependence", dependence_, "what the computation needs of arrivals");
    command_->add_flag("--unknown-sizes", unknown_sizes_, "sizes go ahead of data; collective");
    command_->add_option("--block", block_, "bytes of data that lie side by side");
    command_->add_option("--stride", stride_, "bytes from one such block to the next");
    command_->add_option(
        "--transport", transport_,
        "two-sided, put, get, ucx-put, ucx-get, shmem, partitioned, or any, as the "
        "plan is");
    command_->add_option("--peers", peers_, "with how many others a rank exchanges; 0: as usual");
    command_->add_flag("--unbalanced", unbalanced_, "runs follow each other without a barrier");
    command_->add_option("--volume", volume_, "bytes")
        ->required()
        ->check(CLI::Range(std::uint64_t{8}, most));
    command_->add_option("--ratio", ratio_, "computation over communication")
        ->check(CLI::Range(0.0, 1e6));
    command_->add_option("--compute", compute_, "seconds of computation, instead of a ratio")
        ->check(CLI::Range(0.0, 1e6));
    command_->add_option("--grain", grain_, "bytes; messages are cut at its multiples")
        ->check(CLI::Range(std::uint64_t{8}, most));
    command_->add_option("--smallest", smallest_, "bytes of the smallest message of the cells")
        ->check(CLI::Range(std::uint64_t{8}, most));
    command_
        ->add_option("--schedules", schedules_, "of the paper's figure 6, A to E, for the cells")
        ->delimiter(',');
    command_->add_option("--repetitions", repetitions_, "runs of each cell")
        ->check(CLI::Range(1, 1000));
    command_->add_flag("--plan-only", plan_only_, "no cells: the baseline and the plans only");
}

bool SweepCommand::chosen() const { return command_->parsed(); }

DoctorCommand::DoctorCommand(CLI::App& app)
    : command_(app.add_subcommand("doctor", "the share of communication that can be hidden")) {
    command_->add_option("--output", output_, "file for the result")->required();
    command_->add_option("--transports", options_.transports, "those to look at; all if not given")
        ->delimiter(',');
    command_->add_option("--sizes", options_.sizes, "bytes of a message, several")
        ->delimiter(',')
        ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1} << 30));
    command_->add_option("--seconds", options_.seconds, "to take, about")
        ->check(CLI::Range(0.0, 1e6));
}

bool DoctorCommand::chosen() const { return command_->parsed(); }

ValidateCommand::ValidateCommand(CLI::App& app)
    : command_(app.add_subcommand("validate", "time operations, from one start on all ranks")) {
    command_->add_option("--time", wanted_, "an operation and its sizes, bytes; repeatable")
        ->type_name("NAME:SIZE,…")
        ->required();
    command_
        ->add_option("--stride", stride_,
                     "bytes from one double to the next, of a send or "
                     "bcast, each as a derived type and packed by hand")
        ->check(CLI::Range(std::uint64_t{8}, std::uint64_t{1} << 30));
    command_->add_option("--accuracy", accuracy_, "relative error to reach")
        ->check(CLI::Range(1e-4, 1.0));
    command_->add_option("--seconds", seconds_, "to try for it, each size")
        ->check(CLI::Range(0.0, 1e6));
    command_
        ->add_option("--wait", wait_,
                     "seconds to wait in all for the environment that is asked for")
        ->check(CLI::Range(0.0, 1e6));
    command_
        ->add_option("--environment", wanted_environment_,
                     "an indicator of the environment to measure in; repeatable")
        ->type_name("NAME=SECONDS:TOLERANCE");
    command_->add_option("--output", output_, "file for the result")->required();
}

bool ValidateCommand::chosen() const { return command_->parsed(); }

CompressCommand::CompressCommand(CLI::App& app)
    : command_(app.add_subcommand("compress", "bzip2 by blocks, on all ranks")) {
    command_->add_option("input", input_, "a file, or - for standard input");
    command_->add_option("--output", output_, "the file to write");
    command_->add_option("--result", result_, "file for what is to be said about it, JSON");
    command_->add_option("--profile", profile_, "the machine's profile, to plan for it");
    command_->add_option("--block-size", block_, "bytes compressed at once")
        ->check(CLI::Range(std::size_t{1000}, compress::largest_block));
    command_->add_option("--tile,--tiles", tiles_, "blocks of each rank in a gather")
        ->delimiter(',')
        ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1} << 20));
    command_->add_option("--window,--windows", windows_, "gathers in flight")
        ->delimiter(',')
        ->check(CLI::Range(1, 1024));
    command_->add_flag("-d,--decompress", decompress_, "the other way");
    command_->add_flag("--force", force_, "overwrite the output if there is one already");
    command_->add_option("--trace", trace_, "file for what each rank did when, for Perfetto");
    command_->add_flag("--benchmark", benchmark_, "time it beside the blocking scheme");
    command_->add_option("--random", random_, "benchmark: bytes of random data instead of a file");
    command_->add_option("--repetitions", repetitions_, "benchmark: runs of each way")
        ->check(CLI::Range(1, 1000));
}

bool CompressCommand::chosen() const { return command_->parsed(); }

FftCommand::FftCommand(CLI::App& app)
    : command_(app.add_subcommand("fft", "transforms in several ways, timed in turn")) {
    command_->add_option("--size", size_, "elements along each axis, e.g. 256,256,256")
        ->delimiter(',')
        ->expected(3)
        ->required();
    command_->add_flag("--real", real_, "real numbers, to half a spectrum");
    command_->add_option("--batch", batch_, "arrays in one transform")
        ->check(CLI::Range(std::size_t{1}, std::size_t{1} << 20));
    command_->add_option("--decomposition", decomposition_, "in planes, or to a grid")
        ->check(CLI::IsMember({"1d", "2d", "auto"}));
    command_->add_option("--order", order_, "of the spectrum")
        ->check(CLI::IsMember({"transposed", "natural"}));
    command_
        ->add_option("--way", ways_,
                     "schedule:transport:tile:window:strips:packing:block:padding; repeatable")
        ->take_all()
        ->required();
    command_->add_option("--repeat", repetitions_, "runs of each way")->check(CLI::Range(1, 1000));
    command_->add_option("--effort", effort_, "of planning a line's transform")
        ->check(CLI::IsMember({"estimate", "measure", "patient"}));
    command_->add_option("--poll", poll_, "seconds between two looks at what is under way")
        ->check(CLI::NonNegativeNumber);
    command_->add_option("--result", result_, "file for the result, JSON")->required();
}

bool FftCommand::chosen() const { return command_->parsed(); }

FtCommand::FtCommand(CLI::App& app)
    : command_(app.add_subcommand("ft", "NAS FT: a diffusion equation, solved by transforms")) {
    command_->add_option("--class", class_, "size of the problem");
    command_->add_option("--schedule", schedule_, "when data is sent")
        ->check(CLI::IsMember({"exchange", "slabs", "pencils", "tiled", "strips", "tails"}));
    command_->add_option("--transport", transport_, "how it is sent")
        ->check(CLI::IsMember({"collective", "two-sided", "rma", "ucx", "shmem"}));
    command_->add_option("--effort", effort_, "of planning a line's transform")
        ->check(CLI::IsMember({"estimate", "measure", "patient"}));
    command_->add_option("--tile", tile_, "planes in an all-to-all, for tiled")
        ->check(CLI::Range(std::size_t{1}, std::size_t{1} << 30));
    command_->add_option("--window", window_, "messages, or all-to-alls, in flight")
        ->check(CLI::Range(0, INT_MAX));
    command_->add_option("--strips", strips_, "into which a part of a plane is cut")
        ->check(CLI::Range(std::size_t{1}, std::size_t{1} << 30));
    command_->add_option("--packing", packing_, "of what one rank gets, for exchange")
        ->check(CLI::IsMember({"copy", "derived", "blocked"}));
    command_->add_option("--block", block_, "planes packed at a time, for blocked")
        ->check(CLI::Range(std::size_t{1}, std::size_t{1} << 30));
    command_->add_option("--padding", padding_, "elements between two of them")
        ->check(CLI::Range(std::size_t{0}, std::size_t{1} << 30));
    command_->add_option("--result", result_, "file for the result, JSON");
}

bool FtCommand::chosen() const { return command_->parsed(); }

NasCommand::NasCommand(CLI::App& app, const nas::BenchmarkOptions& benchmark)
    : benchmark_(benchmark), command_(app.add_subcommand(benchmark.name, benchmark.meaning)) {
    for (const nas::Setting& setting : benchmark.settings) settings_.push_back(setting.usual);
    command_->add_option("--class", class_, "size of the problem");
    command_->add_option("--schedule", schedule_, "when it communicates; auto: as planned")
        ->check(CLI::IsMember({"blocking", "overlapped", "chain", "auto"}));
    command_->add_option("--transport", transport_, "how")
        ->check(CLI::IsMember({"two-sided", "put", "get"}));
    for (std::size_t i = 0; i < settings_.size(); ++i) {
        const nas::Setting& setting = benchmark.settings[i];
        command_->add_option(std::string("--") + setting.name, settings_[i], setting.meaning)
            ->check(CLI::Range(setting.least, setting.most));
    }
    command_->add_option("--profile", profile_, "the machine's profile, to predict and plan");
    command_->add_option("--ranks-per-node", ranks_per_node_, "consecutive ranks, for the same")
        ->check(CLI::Range(1, INT_MAX));
    command_->add_option("--trace", trace_, "file for what each rank did when, for Perfetto");
    command_->add_option("--result", result_, "file for the result, JSON");
}

bool NasCommand::chosen() const { return command_->parsed(); }
TriangulationCommand::TriangulationCommand(CLI::App& app)
    : command_(app.add_subcommand("triangulation", "a distributed Delaunay triangulation")) {
    constexpr std::uint64_t most = std::uint64_t{1} << 40;
    command_->add_option("--points", points_, "random points in the unit square")
        ->check(CLI::Range(std::uint64_t{0}, most));
    command_->add_option("--seed", seed_, "of the random points");
    command_->add_option("--input", input_, "a file of points instead");
    command_->add_option("--output", output_, "file for the triangles");
    command_->add_option("--trace", trace_, "file for what each rank did when, for Perfetto");
    command_->add_flag("--verify", verify_, "compare with the sequential triangulation");
    command_->add_option("--schedule", schedule_, "when a rank communicates")
        ->check(CLI::IsMember({"blocking", "overlapped", "auto"}));
    command_->add_option("--transport", transport_, "how borders are sent")
        ->check(CLI::IsMember({"two-sided", "put", "get"}));
    command_->add_option("--profile", profile_, "the machine's profile, to plan for it");
    command_->add_option("--message-size", message_size_, "bytes, instead of those planned")
        ->check(CLI::Range(std::uint64_t{1}, most));
    command_->add_option("--window", window_, "messages in flight, instead of those planned")
        ->check(CLI::Range(1, 1 << 20));
    command_->add_option("--result", result_, "file for the result, JSON");
}

bool TriangulationCommand::chosen() const { return command_->parsed(); }

}  // namespace lapwing::tools
