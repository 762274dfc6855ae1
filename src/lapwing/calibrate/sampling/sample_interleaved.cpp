#include "lapwing/calibrate/sampling/sample_interleaved.hpp"

#include "lapwing/calibrate/sampling/campaign.hpp"

namespace lapwing {

std::vector<Series> sample_interleaved(const Sampling& sampling, const std::string& what,
                                       std::vector<Series> series,
                                       const std::function<double(std::size_t)>& measure) {
    constexpr double visit = 2e-3;  // seconds
    constexpr int most = 16;        // samples of one quantity in a visit
    RankPair& pair = sampling.pair;
    std::vector<int> times(series.size(), 0);
    Campaign campaign(sampling);
    for (std::size_t i = 0; i < series.size(); ++i) {
        campaign.add(what, {&series[i]}, [&, i] {
            const double start = pair.now();
            series[i].add(measure(i));
            if (times[i] == 0) {
                const double took = pair.now() - start;
                times[i] = static_cast<int>(pair.from_first(repetitions(took, visit, most)));
            }
            for (int k = 1; k < times[i]; ++k) series[i].add(measure(i));
        });
    }
    campaign.run();
    return series;
}

}  // namespace lapwing
