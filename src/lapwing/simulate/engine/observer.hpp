#pragma once

#include <cstddef>
#include <cstdint>

#include "lapwing/simulate/engine/operation.hpp"
#include "lapwing/simulate/engine/time.hpp"

namespace lapwing::simulate {

/// What is busy.
enum class Resource : std::uint8_t {
    processor,
    sending,   ///< a network interface, on the way out
    receiving  ///< a network interface, on the way in
};

/// A stretch of time in which a resource was busy with one operation.
struct Interval {
    Resource resource = Resource::processor;
    Operation operation = Operation::calculation;
    /// Of a message the rank at this end; of a calculation who does it.
    Rank rank = 0;
    /// Whose resource: a rank; of the interfaces that the ranks of a node share, a node.
    std::uint32_t owner = 0;
    std::uint32_t pair = 0;   ///< which processor and interface: of `Graph::pairs`
    Rank peer = 0;            ///< of a message the rank at the other end
    std::uint64_t bytes = 0;  ///< of a message
    Time start = 0;           ///< ticks
    Time end = 0;
};

/// Is told what happens while a schedule is played, when it is known when it ends. Intervals of an
/// interface overlap where messages share it.
class Observer {
  public:
    virtual ~Observer() = default;
    Observer() = default;
    Observer(const Observer&) = delete;
    Observer& operator=(const Observer&) = delete;
    virtual void interval(const Interval& interval) = 0;
};

/// Nobody looks, and it costs nothing.
struct Unobserved {
    constexpr void operator()(const Interval&) const {}
};

/// Somebody looks.
class CallObserver {
  public:
    explicit CallObserver(Observer& observer) : observer_(&observer) {}
    void operator()(const Interval& interval) const { observer_->interval(interval); }

  private:
    Observer* observer_;
};

}  // namespace lapwing::simulate
