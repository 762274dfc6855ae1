#pragma once

#include <simgrid/s4u/ConditionVariable.hpp>
#include <simgrid/s4u/Host.hpp>
#include <simgrid/s4u/Mutex.hpp>

#include <cstddef>

#include "settings.hpp"

namespace lapwing::interfaces {

/// The network interface of a rank: the operations under way, and the cost of the next initiation.
/// Messages and one-sided operations are the same to it.
class Interface {
  public:
    explicit Interface(const simgrid::s4u::Host& host) : settings_(host) {}
    /// That of a host. Made when it is first asked for, and there until the end.
    static Interface& of(const simgrid::s4u::Host& host);

    [[nodiscard]] const Settings& settings() const { return settings_; }

    /// Waits until the queue has room, if the interface has a queue that makes its rank wait.
    void await_room();
    /// Seconds of the processor for an initiation. `plain`: what it is without a burst, for a
    /// message of `bytes`.
    [[nodiscard]] double overhead(double plain, double bytes) const;

    /// `bytes` have been given to the interface, or have been delivered.
    void begin(double bytes);
    void end(double bytes);

    /// Share of the bandwidth of a transfer that starts now, its bytes among those outstanding.
    [[nodiscard]] double bandwidth_share() const {
        return bytes_ > settings_.outstanding_limit ? settings_.outstanding_share : 1;
    }

  private:
    [[nodiscard]] bool full() const { return operations_ >= settings_.queue_depth; }

    Settings settings_;
    std::size_t operations_ = 0;  ///< outstanding
    double bytes_ = 0;            ///< of them
    std::size_t waiting_ = 0;
    simgrid::s4u::MutexPtr mutex_ = simgrid::s4u::Mutex::create();
    simgrid::s4u::ConditionVariablePtr room_ = simgrid::s4u::ConditionVariable::create();
};

/// Seconds that the processor takes to initiate an operation of `bytes`, as SMPI's option `smpi/os`
/// or `smpi/ois` says, and the state of the interface of `host`. Waits for room in its queue.
[[nodiscard]] double initiation(const char* option, const simgrid::s4u::Host& host, double bytes);

}  // namespace lapwing::interfaces
