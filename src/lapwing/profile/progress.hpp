#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "lapwing/profile/fields.hpp"

namespace lapwing {

/// How much of a message the transport moves while the program computes, by message size (MPI calls
/// this asynchronous progress).
struct AsyncProgress {
    std::vector<std::uint64_t> sizes;     ///< bytes, increasing
    std::vector<double> without_polling;  ///< share of the transfer hidden without a call: 0 … 1
    std::vector<double> with_polling;     ///< the same if the program polls meanwhile
    std::vector<int> window;              ///< messages in flight that hid most, without polling

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
        visit("sizes", self.sizes, fields::Axis{});
        visit("without_polling", self.without_polling, fields::Column{self.sizes.size()});
        visit("with_polling", self.with_polling, fields::Column{self.sizes.size()});
        visit("window", self.window, fields::Counts{self.sizes.size()});
    }
};

/// What a rank does with messages while it computes.
enum class Traffic {
    receive,  ///< it receives them and sends none
    both,     ///< it sends one for each that it receives
};
/// Their names in documents, in this order.
[[nodiscard]] constexpr std::array<const char*, 2> names_of(Traffic) { return {"receive", "both"}; }

/// The exposed time of a message, by its size: the seconds by which it delays a computing rank.
/// They are calls, waiting, and processor time of the system. With `Traffic::both`, of the message
/// and the one that goes the other way.
struct ExposedTime {
    Traffic traffic = Traffic::both;
    double computation = 1;  ///< seconds of computation per second that the wire takes
    /// All messages are initiated before the computation and awaited after it. Otherwise the
    /// computation works on each message when it has come.
    bool independent = false;
    std::vector<std::uint64_t> sizes;    ///< bytes, increasing
    std::vector<double> exposed;         ///< seconds a message, without polling
    std::vector<double> exposed_polled;  ///< the same if the program polls meanwhile
    std::vector<int> window;             ///< messages in flight that exposed least, without polling

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
        visit("traffic", self.traffic, fields::Free{});
        visit("computation", self.computation, fields::Cost{});
        visit("independent", self.independent, fields::Free{});
        visit("sizes", self.sizes, fields::Axis{});
        visit("exposed", self.exposed, fields::Column{self.sizes.size()});
        visit("exposed_polled", self.exposed_polled, fields::Column{self.sizes.size()});
        visit("window", self.window, fields::Counts{self.sizes.size()});
    }
};

/// What messages do while the program computes. The members of `AsyncProgress` were measured on
/// streams with as much computation as communication. They are relative to the time by the LogGP
/// parameters; the sender polled or not.
struct Progress : AsyncProgress {
    double poll_interval = 0;  ///< seconds between the polls
    /// One entry for each combination of traffic, computation and independence that was measured.
    std::vector<ExposedTime> exposed_time;
    // Processor time that the system takes from a computing rank for each byte of a message under
    // way, beyond the time of its calls (O of LogGOPS), seconds per byte:
    double O_s = 0;     ///< of a message that the rank sends
    double O_r = 0;     ///< of one that it receives
    double O_both = 0;  ///< of one that it sends while it receives another

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
        AsyncProgress::fields(self, visit);
        visit("poll_interval", self.poll_interval, fields::Cost{});
        visit("exposed_time", self.exposed_time, fields::OptionalSections{});
        visit("O_s", self.O_s, fields::OptionalCost{});
        visit("O_r", self.O_r, fields::OptionalCost{});
        visit("O_both", self.O_both, fields::OptionalCost{});
    }
};

/// A share hidden that is nearer to 1 than measurements tell counts as all.
inline constexpr double all_hidden = 0.98;

/// Whether messages of all measured sizes advance without calls; true where nothing was measured.
[[nodiscard]] bool advances_alone(const Progress& progress);

/// The entry of `progress.exposed_time` for a rank with this `traffic` and `computation` (seconds
/// per second of the wire). Its computation is the nearest by ratio, and the larger of two equally
/// near ones. If `independent`, only independent entries count, unless there are none; otherwise
/// only the others. Null if there is no entry.
[[nodiscard]] const ExposedTime* find_exposed_time(const Progress& progress, Traffic traffic,
                                                   bool independent, double computation);

}  // namespace lapwing
