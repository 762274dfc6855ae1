#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "lapwing/simulate/engine/wait_queue.hpp"

namespace lapwing::simulate {

/// Messages that arrived before their receives were posted: a hash table by rank and step.
class UnexpectedMessages {
  public:
    void add(std::uint32_t rank, const Pending& message) {
        if (count_ >= heads_.size()) grow();
        std::uint32_t index = static_cast<std::uint32_t>(nodes_.size());
        if (spare_ != none) {
            index = spare_;
            spare_ = nodes_[index].next;
        } else {
            nodes_.emplace_back();
        }
        auto& head = heads_[bucket(rank, message.key)];
        nodes_[index] = {message, rank, head};
        head = index;
        ++count_;
    }

    /// Moves the messages of `rank` for its step `key` to `taken`, in the order in which they
    /// arrived.
    void take(std::uint32_t rank, std::uint32_t key, std::vector<Pending>& taken) {
        taken.clear();
        if (heads_.empty()) return;
        std::uint32_t* link = &heads_[bucket(rank, key)];
        while (*link != none) {
            Node& node = nodes_[*link];
            if (node.rank != rank || node.message.key != key) {
                link = &node.next;
                continue;
            }
            const std::uint32_t index = *link;
            taken.push_back(node.message);
            *link = node.next;
            node.next = spare_;
            spare_ = index;
            --count_;
        }
        for (std::size_t i = 0, j = taken.size(); i + 1 < j; ++i) std::swap(taken[i], taken[--j]);
    }

  private:
    static constexpr std::uint32_t none = 0xFFFFFFFF;
    struct Node {
        Pending message;
        std::uint32_t rank = 0;
        std::uint32_t next = none;
    };

    [[nodiscard]] std::size_t bucket(std::uint32_t rank, std::uint32_t key) const {
        const std::uint64_t mixed =
            (std::uint64_t{rank} << 32U | key) * std::uint64_t{0x9E3779B97F4A7C15};
        return static_cast<std::size_t>(mixed >> 32U) & (heads_.size() - 1);
    }

    void grow() {
        std::vector<std::uint32_t> old(heads_.empty() ? 64 : heads_.size() * 2, none);
        old.swap(heads_);
        for (const std::uint32_t first : old) {
            // Reversing a list twice keeps its order.
            std::uint32_t reversed = none;
            for (std::uint32_t i = first; i != none;) {
                const std::uint32_t next = nodes_[i].next;
                nodes_[i].next = reversed;
                reversed = i;
                i = next;
            }
            for (std::uint32_t i = reversed; i != none;) {
                const std::uint32_t next = nodes_[i].next;
                auto& head = heads_[bucket(nodes_[i].rank, nodes_[i].message.key)];
                nodes_[i].next = head;
                head = i;
                i = next;
            }
        }
    }

    std::vector<Node> nodes_;
    std::vector<std::uint32_t> heads_;
    std::size_t count_ = 0;
    std::uint32_t spare_ = none;
};

}  // namespace lapwing::simulate
