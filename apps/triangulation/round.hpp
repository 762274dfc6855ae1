#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "lapwing/pipeline/collectives/alltoall_varying.hpp"
#include "lapwing/pipeline/trace/trace.hpp"
#include "lapwing/pipeline/window/poll.hpp"
#include "lapwing/transport/mpi/communicator.hpp"
#include "point.hpp"
#include "point_type.hpp"
#include "questions.hpp"

namespace lapwing::triangulation {

/// Rounds of questions and answers among all ranks.
class Round {
  public:
    /// How often a round lets the rank compute: while the number of its questions travels, then the
    /// questions, the number of answers, and the answers.
    static constexpr std::size_t pauses = 4;

    struct Settings {
        bool blocking = false;     ///< whether everything is awaited where it is initiated
        double poll_interval = 0;  ///< seconds; 0: no polling
    };

    explicit Round(const Communicator& ranks) : all_(ranks.get(), type_.get(), sizeof(Point)) {}

    /// Sends each rank its `questions`. `answer(rank, faces)` returns points for a rank that asks,
    /// `arrived(points)` gets those that this rank is sent. `meanwhile()` computes, and returns
    /// whether there was anything to compute. Returns the bytes that this rank has sent to others.
    /// Collective.
    template <class Answer, class Meanwhile, class Arrived>
    std::uint64_t run(const ByRank<Face>& questions, const Settings& settings, Trace& trace,
                      Answer&& answer, Meanwhile&& meanwhile, Arrived&& arrived) {
        ++count_;
        const auto asked = exchange(questions, settings, trace, meanwhile);
        ByRank<Point> answers(questions.size());
        {
            const Traced traced(trace, Activity::consumption);
            for (std::size_t rank = 0; rank < questions.size(); ++rank)
                answers[rank] = answer(rank, received<Face>(asked, rank));
        }
        const auto answered = exchange(answers, settings, trace, meanwhile);
        const Traced traced(trace, Activity::consumption);
        for (std::size_t rank = 0; rank < questions.size(); ++rank)
            arrived(received<Point>(answered, rank));
        return bytes_of(questions) + bytes_of(answers);
    }

    /// Rounds so far.
    [[nodiscard]] std::uint64_t count() const { return count_; }

  private:
    /// An exchange that is complete, and what it sent.
    struct Exchanged {
        std::vector<Point> sent;
        AlltoallVarying::Request request;
    };

    template <class Element, class Meanwhile>
    std::unique_ptr<Exchanged> exchange(const ByRank<Element>& lists, const Settings& settings,
                                        Trace& trace, Meanwhile&& meanwhile) {
        constexpr std::size_t points = sizeof(Element) / sizeof(Point);
        auto exchanged = std::make_unique<Exchanged>();
        std::vector<std::size_t> counts;
        std::vector<std::size_t> begins;
        for (const auto& list : lists) {
            begins.push_back(exchanged->sent.size());
            counts.push_back(list.size() * points);
            const auto* const first = reinterpret_cast<const Point*>(list.data());
            exchanged->sent.insert(exchanged->sent.end(), first, first + counts.back());
        }
        {
            const Traced traced(trace, Activity::initiation);
            exchanged->request = all_.exchange(exchanged->sent.data(), {counts, begins});
        }
        const auto wait = [&] {
            const Traced traced(trace, Activity::wait);
            exchanged->request.wait();
        };
        if (settings.blocking) wait();
        const Poller poller(
            settings.blocking ? 0 : settings.poll_interval,
            [](void* request) { static_cast<AlltoallVarying::Request*>(request)->test(); },
            &exchanged->request);
        // Without computation in between there is nothing to see yet, and a look takes time.
        if (meanwhile()) all_.progress();
        meanwhile();
        wait();
        return exchanged;
    }
    template <class Element>
    [[nodiscard]] static std::span<const Element> received(
        const std::unique_ptr<Exchanged>& exchanged, std::size_t rank) {
        const auto bytes = exchanged->request.arrived(static_cast<int>(rank));
        return {reinterpret_cast<const Element*>(bytes.data()), bytes.size() / sizeof(Element)};
    }
    template <class Element>
    [[nodiscard]] static std::uint64_t bytes_of(const ByRank<Element>& lists) {
        std::uint64_t bytes = 0;
        for (const auto& list : lists) bytes += list.size() * sizeof(Element);
        return bytes;
    }

    PointType type_;
    AlltoallVarying all_;
    std::uint64_t count_ = 0;
};

}  // namespace lapwing::triangulation
