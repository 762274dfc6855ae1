#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace lapwing {

/// Whether a message at `data` lies in the memory of a stream.
[[nodiscard]] inline bool lies_in(std::span<const std::byte> memory, const void* data) {
    const auto* const at = static_cast<const std::byte*>(data);
    return !std::less<>()(at, memory.data()) && std::less<>()(at, memory.data() + memory.size());
}

/// The streams that a rank has open, by their peers. `Stream` is one of a transport's: it has
/// `holds(data)`, `await_offer()` and `end()`.
template <class Stream>
class StreamList {
  public:
    /// Keeps a stream open.
    class Open {
      public:
        Open(StreamList& all, int peer, std::unique_ptr<Stream> stream)
            : all_(&all), peer_(peer), stream_(std::move(stream)) {
            all.of(peer).push_back(stream_.get());
        }
        Open(Open&&) noexcept = default;
        Open& operator=(Open&& other) noexcept {
            std::swap(all_, other.all_);
            std::swap(peer_, other.peer_);
            std::swap(stream_, other.stream_);
            return *this;
        }
        void await_offer() { stream_->await_offer(); }
        void end() { stream_->end(); }
        Open(const Open&) = delete;
        Open& operator=(const Open&) = delete;
        ~Open() {
            if (stream_ != nullptr) std::erase(all_->of(peer_), stream_.get());
        }

      private:
        StreamList* all_;
        int peer_;
        std::unique_ptr<Stream> stream_;
    };

    explicit StreamList(int ranks) : open_(static_cast<std::size_t>(ranks)) {}

    /// That with `peer` in which a message at `data` lies; null where it is in none.
    [[nodiscard]] Stream* find(int peer, const void* data) {
        for (Stream* const stream : of(peer))
            if (stream->holds(data)) return stream;
        return nullptr;
    }

  private:
    [[nodiscard]] std::vector<Stream*>& of(int peer) {
        return open_.at(static_cast<std::size_t>(peer));
    }

    std::vector<std::vector<Stream*>> open_;
};

}  // namespace lapwing
