#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "lapwing/transport/arena.hpp"

namespace lapwing {

/// The memory of a stream on one side, and how much of it messages have used.
class StreamMemory {
  public:
    explicit StreamMemory(std::span<const std::byte> all) : all_(all) {}

    /// How far from the start of the peer's memory, which has `there` bytes, a message lies whose
    /// place here is `data`. Throws `std::runtime_error`, which begins with `library`, where the
    /// peer's stream is not as long.
    [[nodiscard]] std::uint64_t offset(const char* library, const void* data, std::size_t bytes,
                                       std::uint64_t there) const {
        const auto before =
            static_cast<std::uint64_t>(static_cast<const std::byte*>(data) - all_.data());
        if (there != all_.size() || before + bytes > there)
            throw std::runtime_error(std::string(library) + ": a stream of " +
                                     std::to_string(all_.size()) + " bytes meets one of " +
                                     std::to_string(there));
        return before;
    }
    /// Whether a message lies there that can still be one of the stream's: of streams over the same
    /// memory each has its own messages.
    [[nodiscard]] bool has(const void* data, std::size_t bytes) const {
        return offset_in(all_, data, bytes).has_value() && bytes <= all_.size() - taken_;
    }
    void take(std::size_t bytes) { taken_ += bytes; }

  private:
    std::span<const std::byte> all_;
    std::size_t taken_ = 0;
};

/// The streams that a rank has open one way, by their peers. `Stream` is one of a transport's: it
/// has `memory()`, a `StreamMemory`, `await_offer()` and `end()`.
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

    /// That with `peer` of which a message at `data` is one; null where it is of none, as one
    /// without bytes is.
    [[nodiscard]] Stream* take(int peer, const void* data, std::size_t bytes) {
        if (bytes == 0) return nullptr;
        for (Stream* const stream : of(peer)) {
            if (!stream->memory().has(data, bytes)) continue;
            stream->memory().take(bytes);
            return stream;
        }
        return nullptr;
    }

  private:
    [[nodiscard]] std::vector<Stream*>& of(int peer) {
        return open_.at(static_cast<std::size_t>(peer));
    }

    std::vector<std::vector<Stream*>> open_;
};

}  // namespace lapwing
