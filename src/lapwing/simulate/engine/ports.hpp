#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "lapwing/simulate/engine/time.hpp"

namespace lapwing::simulate {

/// When the resources of each host are next free: one processor and one interface each.
class OnePort {
  public:
    explicit OnePort(std::size_t ranks) : hosts_(ranks) {}

    [[nodiscard]] static constexpr std::size_t pairs() { return 1; }
    [[nodiscard]] Time& processor(std::size_t host, std::size_t) { return hosts_[host].processor; }
    [[nodiscard]] Time& sending(std::size_t host, std::size_t) { return hosts_[host].sending; }
    [[nodiscard]] Time& receiving(std::size_t host, std::size_t) { return hosts_[host].receiving; }
    [[nodiscard]] Time finish(std::size_t host) const { return hosts_[host].processor; }

  private:
    struct Host {
        Time processor = 0;
        Time sending = 0;
        Time receiving = 0;
    };
    std::vector<Host> hosts_;
};

/// The same with several processors and interfaces a host. A pair is a processor and an interface
/// that some operation uses together.
class ManyPorts {
  public:
    /// `pairs`: the processor and the interface of each pair, both numbered from 0 without gaps.
    ManyPorts(std::size_t ranks, std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs)
        : pairs_(std::move(pairs)) {
        for (const auto& [processor, interface] : pairs_) {
            processors_ = std::max<std::size_t>(processors_, processor + 1);
            interfaces_ = std::max<std::size_t>(interfaces_, interface + 1);
        }
        processor_.resize(ranks * processors_);
        sending_.resize(ranks * interfaces_);
        receiving_.resize(ranks * interfaces_);
    }

    [[nodiscard]] std::size_t pairs() const { return pairs_.size(); }
    [[nodiscard]] Time& processor(std::size_t host, std::size_t pair) {
        return processor_[host * processors_ + pairs_[pair].first];
    }
    [[nodiscard]] Time& sending(std::size_t host, std::size_t pair) {
        return sending_[host * interfaces_ + pairs_[pair].second];
    }
    [[nodiscard]] Time& receiving(std::size_t host, std::size_t pair) {
        return receiving_[host * interfaces_ + pairs_[pair].second];
    }
    [[nodiscard]] Time finish(std::size_t host) const {
        const auto first = processor_.begin() + static_cast<std::ptrdiff_t>(host * processors_);
        return *std::max_element(first, first + static_cast<std::ptrdiff_t>(processors_));
    }

  private:
    std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs_;
    std::size_t processors_ = 1;
    std::size_t interfaces_ = 1;
    std::vector<Time> processor_;
    std::vector<Time> sending_;
    std::vector<Time> receiving_;
};

}  // namespace lapwing::simulate
