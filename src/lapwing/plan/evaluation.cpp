#include "lapwing/plan/evaluation.hpp"

#include "lapwing/plan/attendance.hpp"
#include "lapwing/plan/finals.hpp"
#include "lapwing/plan/loose.hpp"
#include "lapwing/plan/one_way.hpp"
#include "lapwing/plan/played.hpp"
#include "lapwing/plan/settle.hpp"

namespace lapwing {

Evaluation::Evaluation(const Profile& profile, const Workload& workload, const Flow& flow,
                       double most)
    : profile_(profile),
      workload_(workload),
      flow_(flow),
      most_(most),
      stalled_(
          attendance(profile, as_fetched(workload, flow.costs), workload, flow.two_way).stalled *
          flow.volume) {
    if (is_loose(workload)) return;
    if (has_closed_form(profile, workload)) {
        stream_.emplace(profile, workload, flow);
    } else if (blocking(workload, flow, profile.nic) < longest_to_play) {
        rehearsal_.emplace(profile);
    }
}

bool Evaluation::plays(const Plan& way) const {
    return rehearsal_ && rehearsal_->effort(way) <= most_;
}

double Evaluation::seconds(const Plan& way, bool by_engine) const {
    // What is one message is not overlapped.
    const bool overlaps = way.messages.count() * flow_.peers > 1;
    if (by_engine) {
        Plan here = way;
        here.workload = workload_;
        return rehearsal_->play(here).seconds + (overlaps ? stalled_ : 0);
    }
    if (is_loose(workload_)) return play_loose(profile_, workload_, flow_, way.messages, stalled_);
    if (!overlaps) return blocking(workload_, flow_, profile_.nic);
    if (stream_) return stream_->seconds(way.messages) + stalled_;
    return play_exchange(profile_, workload_, flow_, way) + stalled_;
}

}  // namespace lapwing
