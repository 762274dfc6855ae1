#pragma once

#include <cstddef>
#include <cstdint>

#include "lapwing/simulate/engine/operation.hpp"
#include "lapwing/simulate/engine/time.hpp"

namespace lapwing::simulate {

/// A resource that can be busy.
enum class Resource : std::uint8_t {
    processor,
    sending,   ///< a network interface, on the way out
    receiving  ///< a network interface, on the way in
};

/// A time in which a resource is busy with one operation.
struct Interval {
    Resource resource = Resource::processor;
    Operation operation = Operation::calculation;
    /// The rank that sends, receives or calculates.
    Rank rank = 0;
    /// Whose resource it is: a rank, or a node, whose ranks share its interfaces.
    std::uint32_t owner = 0;
    std::uint32_t pair = 0;   ///< its processor and interface: index of `Graph::pairs`
    Rank peer = 0;            ///< rank at the other end of a message
    std::uint64_t bytes = 0;  ///< of a message
    Time start = 0;           ///< ticks
    Time end = 0;
};

/// The engine calls it with each interval of a simulation, as soon as its end is known. Intervals
/// of an interface overlap where messages share it.
class Observer {
  public:
    virtual ~Observer() = default;
    Observer() = default;
    Observer(const Observer&) = delete;
    Observer& operator=(const Observer&) = delete;
    virtual void interval(const Interval& interval) = 0;
};

/// Ignores intervals, at no cost.
struct Unobserved {
    constexpr void operator()(const Interval&) const {}
};

/// Calls an observer.
class CallObserver {
  public:
    explicit CallObserver(Observer& observer) : observer_(&observer) {}
    void operator()(const Interval& interval) const { observer_->interval(interval); }

  private:
    Observer* observer_;
};

}  // namespace lapwing::simulate
