#include "results/ft_json.hpp"

#include "results/fft_options_json.hpp"
#include "results/time_json.hpp"

namespace lapwing::tools {
namespace {

Json spent_json(const ft::Spent& spent) { return {{"seconds", spent.mean}, {"most", spent.most}}; }

}  // namespace

std::string ft_json(const ft::Problem& problem, const fft::Options& options, const ft::Done& done,
                    int ranks) {
    const auto phase = [&](fft::Phase which) {
        return spent_json(done.transforms[static_cast<std::size_t>(which)]);
    };
    Json json = {{"lapwing", "ft"},
                 {"class", std::string(1, problem.name)},
                 {"size", {problem.nx, problem.ny, problem.nz}},
                 {"iterations", problem.iterations},
                 {"ranks", ranks}};
    json.update(options_json(options));
    json.update({{"verified", done.verified},
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
                   {"waiting", phase(fft::Phase::waiting)}}}});
    json["checksums"] = Json::array();
    for (const auto& sum : done.checksums) json["checksums"].push_back({sum.real(), sum.imag()});
    return text_of(json);
}

}  // namespace lapwing::tools
