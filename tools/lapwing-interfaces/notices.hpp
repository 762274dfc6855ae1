#pragma once

#include <deque>
#include <map>
#include <memory>
#include <utility>

#include "completion.hpp"
#include "workers.hpp"

namespace lapwing::interfaces {

/// Arrivals at a rank's part of a window, of puts that tell their target, and the requests of those
/// who await them. Of several of one origin and tag the first meets the first.
class Notices {
  public:
    /// Tells of an arrival. For workers.
    void arrived(int origin, int tag) {
        Meeting& meeting = meetings_[{origin, tag}];
        ++meeting.all;
        if (meeting.awaited.empty()) {
            ++meeting.arrived;
            return;
        }
        const auto completion = std::move(meeting.awaited.front());
        meeting.awaited.pop_front();
        completion->complete();
    }
    /// Makes a request for an arrival, unless it has come: then the request is null.
    void await(int origin, int tag, MPI_Request& request) {
        request = MPI_REQUEST_NULL;
        Meeting& meeting = meetings_[{origin, tag}];
        if (meeting.arrived > 0) {
            --meeting.arrived;
            return;
        }
        // Whatever SimGrid is asked for, other actors may go on meanwhile.
        auto completion = std::make_shared<Completion>(request);
        if (meeting.arrived > 0) {
            --meeting.arrived;
            run_beside([completion] { completion->complete(); });
        } else {
            meeting.awaited.push_back(std::move(completion));
        }
    }

    /// How many there have been.
    [[nodiscard]] int count(int origin, int tag) const {
        const auto found = meetings_.find({origin, tag});
        return found == meetings_.end() ? 0 : found->second.all;
    }

  private:
    struct Meeting {
        int all = 0;
        int arrived = 0;  ///< and not awaited
        std::deque<std::shared_ptr<Completion>> awaited;
    };

    std::map<std::pair<int, int>, Meeting> meetings_;
};

}  // namespace lapwing::interfaces
