#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "lapwing/simulate/engine/event.hpp"

namespace lapwing::simulate {

/// A message or operations that wait for a host's resources, with the fields of their `Event`.
struct Pending {
    std::uint64_t place = 0;  ///< among the events of one time
    std::uint64_t size = 0;
    std::uint32_t peer = 0;
    std::uint32_t id = 0;
    std::uint32_t key = 0;
    /// Of a message: it was there before its receive was posted.
    bool unexpected = false;
};

/// What `event` is about, as an item of a queue.
[[nodiscard]] inline Pending pending(const Event& event) {
    return {.place = event.place(),
            .size = event.size,
            .peer = event.peer,
            .id = event.id,
            .key = event.key};
}

class WaitQueueStore;

/// A queue of waiting operations, by place. It is a list of small chunks, which all queues take
/// from one `WaitQueueStore`, so that millions of empty queues cost next to nothing.
class WaitQueue {
  public:
    [[nodiscard]] bool empty() const { return first_ == none; }

  private:
    friend class WaitQueueStore;
    static constexpr std::uint32_t none = 0xFFFFFFFF;
    std::uint32_t first_ = none;
    std::uint32_t last_ = none;
    std::uint16_t front_ = 0;  ///< in the first chunk
    std::uint16_t end_ = 0;    ///< in the last chunk
};

/// The items of many `WaitQueue`s.
class WaitQueueStore {
  public:
    [[nodiscard]] Pending& front(WaitQueue& queue) {
        return chunk(queue.first_).items[queue.front_];
    }

    /// Inserts `item` by its place, which is nearly always at the end; behind others of the same
    /// place. Returns whether it is first now.
    bool insert(WaitQueue& queue, const Pending& item) {
        if (queue.empty()) {
            queue.first_ = queue.last_ = take();
            queue.front_ = 0;
            queue.end_ = 0;
            append(queue, item);
            return true;
        }
        if (back(queue).place <= item.place) {
            append(queue, item);
            return false;
        }
        return insert_between(queue, item);
    }

    void pop(WaitQueue& queue) {
        ++queue.front_;
        if (queue.first_ == queue.last_) {
            if (queue.front_ == queue.end_) {
                give(queue.first_);
                queue = WaitQueue{};
            }
        } else if (queue.front_ == chunk_items) {
            const std::uint32_t next = chunk(queue.first_).next;
            give(queue.first_);
            queue.first_ = next;
            queue.front_ = 0;
        }
    }

  private:
    static constexpr std::size_t chunk_items = 8;
    static constexpr std::size_t block_chunks = 1024;
    struct Chunk {
        std::array<Pending, chunk_items> items;
        std::uint32_t next;
    };

    Chunk& chunk(std::uint32_t index) {
        return blocks_[index / block_chunks][index % block_chunks];
    }
    Pending& back(WaitQueue& queue) { return chunk(queue.last_).items[queue.end_ - 1U]; }

    void append(WaitQueue& queue, const Pending& item) {
        if (queue.end_ == chunk_items) {
            const std::uint32_t added = take();
            chunk(queue.last_).next = added;
            queue.last_ = added;
            queue.end_ = 0;
        }
        chunk(queue.last_).items[queue.end_++] = item;
    }

    /// Takes everything out and puts it back: rare, and the queue is short then.
    bool insert_between(WaitQueue& queue, const Pending& item) {
        std::vector<Pending> all;
        while (!queue.empty()) {
            all.push_back(front(queue));
            pop(queue);
        }
        std::size_t at = all.size();
        while (at > 0 && all[at - 1].place > item.place) --at;
        all.insert(all.begin() + static_cast<std::ptrdiff_t>(at), item);
        for (const auto& each : all) insert(queue, each);
        return at == 0;
    }

    std::uint32_t take() {
        if (!spare_.empty()) {
            const std::uint32_t index = spare_.back();
            spare_.pop_back();
            return index;
        }
        if (made_ % block_chunks == 0) blocks_.push_back(std::make_unique<Chunk[]>(block_chunks));
        return made_++;
    }
    void give(std::uint32_t index) { spare_.push_back(index); }

    std::vector<std::unique_ptr<Chunk[]>> blocks_;
    std::vector<std::uint32_t> spare_;
    std::uint32_t made_ = 0;
};

}  // namespace lapwing::simulate
