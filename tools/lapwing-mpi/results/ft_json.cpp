#include "results/ft_json.hpp"

#include "results/fft_options_json.hpp"
#include "results/rank_share_json.hpp"
#include "results/time_json.hpp"

namespace lapwing::tools {
std::string ft_json(const nas::ft::Problem& problem, const fft::Options& options,
                    const nas::ft::Result& result, int ranks) {
    const auto phase = [&](fft::Phase which) {
        return rank_share_json(result.transforms[static_cast<std::size_t>(which)]);
    };
    Json json = {{"lapwing", "ft"},
                 {"class", std::string(1, problem.name)},
                 {"size", {problem.nx, problem.ny, problem.nz}},
                 {"iterations", problem.iterations},
                 {"ranks", ranks}};
    json.update(options_json(options));
    json.update({{"verified", result.verified},
                 {"seconds", result.seconds},
                 {"mops", result.mops},
                 {"planning", {{"seconds", result.planning}}},
                 {"messages", result.messages},
                 {"overlap_share", result.overlap_share},
                 {"setup", rank_share_json(result.setup)},
                 {"evolution", rank_share_json(result.evolution)},
                 {"checksum", rank_share_json(result.checksum)},
                 {"transforms",
                  {{"computation", phase(fft::Phase::computation)},
                   {"packing", phase(fft::Phase::packing)},
                   {"initiation", phase(fft::Phase::initiation)},
                   {"completion", phase(fft::Phase::completion)},
                   {"waiting", phase(fft::Phase::waiting)}}}});
    json["checksums"] = Json::array();
    for (const auto& sum : result.checksums) json["checksums"].push_back({sum.real(), sum.imag()});
    return text_of(json);
}

}  // namespace lapwing::tools
