#include "lapwing/plan/plan.hpp"

#include <stdexcept>
#include <string>

#include "lapwing/plan/paper.hpp"
#include "lapwing/plan/stream.hpp"
#include "lapwing/plan/words.hpp"

namespace lapwing {
Plan plan(const Profile& profile, const Workload& workload, Method method) {
    validate(profile);
    const Workload whole = complete(workload);
    if (whole.pattern != Pattern::stream || whole.direction == Direction::both)
        throw std::invalid_argument(std::string(name(whole.pattern)) + " cannot be planned yet");
    return method == Method::paper ? plan_paper(profile, whole) : plan_stream(profile, whole);
}

}  // namespace lapwing
