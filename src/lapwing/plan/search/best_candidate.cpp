#include "lapwing/plan/search/best_candidate.hpp"

#include <cmath>
#include <utility>

#include "lapwing/plan/candidates/independent.hpp"
#include "lapwing/plan/candidates/stream.hpp"
#include "lapwing/plan/candidates/two_way.hpp"
#include "lapwing/plan/search/local_search.hpp"

namespace lapwing {
namespace {

Found of_closed_form(Shortlist list) {
    Found found;
    found.best = list.best;
    found.whole = list.whole.seconds;
    found.list = std::move(list);
    return found;
}

Found by_local_search(const Evaluator& evaluator, double budget) {
    auto [list, limits, starts] = two_way_candidates(evaluator);
    Found found;
    found.best = list.best;
    found.whole = list.whole.seconds;
    if (evaluator.fits_engine()) {
        SearchResult result = local_search(evaluator, starts, limits, budget);
        found.simulated = std::isfinite(result.seconds);
        if (found.simulated) found.best = {std::move(result.best), result.seconds};
        if (std::isfinite(result.first_seconds)) found.whole = result.first_seconds;
    }
    found.lost_to_queue =
        lost_to_queue(evaluator, limits, {found.best.candidate, list.best.seconds});
    found.list = std::move(list);
    return found;
}

}  // namespace

Found best_candidate(const Evaluator& evaluator, double budget) {
    if (is_independent(evaluator.costs().workload))
        return of_closed_form(independent_candidates(evaluator));
    if (evaluator.stream() != nullptr) return of_closed_form(stream_candidates(evaluator));
    return by_local_search(evaluator, budget);
}

}  // namespace lapwing
