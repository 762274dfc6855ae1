#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <map>
#include <new>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>

namespace lapwing {

/// Where in `all` the `bytes` at `data` lie, bytes from its start: 0 if there are none. Nothing
/// where they are not all there.
[[nodiscard]] inline std::optional<std::size_t> offset_in(std::span<const std::byte> all,
                                                          const void* data, std::size_t bytes) {
    if (bytes == 0) return 0;
    const auto* const first = static_cast<const std::byte*>(data);
    const std::byte* const end = all.data() + all.size();
    if (std::less<>{}(first, all.data()) || std::less<>{}(end, first) ||
        static_cast<std::size_t>(end - first) < bytes)
        return std::nullopt;
    return static_cast<std::size_t>(first - all.data());
}

/// Allocates from one piece of memory, such as a window.
class Arena {
  public:
    /// An allocated part, given back by its destructor. The arena outlives it.
    class Part {
      public:
        Part() = default;
        Part(Part&& other) noexcept
            : arena_(std::exchange(other.arena_, nullptr)),
              bytes_(std::exchange(other.bytes_, {})) {}
        Part& operator=(Part&& other) noexcept {
            std::swap(arena_, other.arena_);
            std::swap(bytes_, other.bytes_);
            return *this;
        }
        Part(const Part&) = delete;
        Part& operator=(const Part&) = delete;
        ~Part() {
            if (arena_ != nullptr)
                arena_->used_.erase(static_cast<std::size_t>(data() - arena_->all_.data()));
        }

        [[nodiscard]] std::byte* data() const { return bytes_.data(); }
        [[nodiscard]] std::size_t size() const { return bytes_.size(); }

      private:
        friend Arena;
        Part(Arena& arena, std::span<std::byte> bytes) : arena_(&arena), bytes_(bytes) {}

        Arena* arena_ = nullptr;
        std::span<std::byte> bytes_;
    };

    explicit Arena(std::span<std::byte> all) : all_(all) {}
    // Parts point here.
    Arena(const Arena&) = delete;
    Arena& operator=(const Arena&) = delete;

    /// Allocates `bytes` in the first gap that has room for them. Throws `std::bad_alloc` where
    /// none has.
    [[nodiscard]] Part allocate(std::size_t bytes) {
        if (bytes > all_.size()) throw std::bad_alloc();
        // Parts begin at cache lines, and empty ones have a place of their own, too.
        const std::size_t length = std::max<std::size_t>(1, (bytes + line - 1) / line) * line;
        std::size_t begin = 0;
        for (const auto& [used, used_length] : used_) {
            if (used - begin >= length) break;
            begin = used + used_length;
        }
        if (begin > all_.size() - bytes) throw std::bad_alloc();
        used_.emplace(begin, length);
        return {*this, all_.subspan(begin, bytes)};
    }
    /// The same for users: throws `std::length_error` with the owner's name where there is no room.
    /// `owner`: such as "rma: a window".
    [[nodiscard]] Part allocate(std::size_t bytes, const char* owner) {
        try {
            return allocate(bytes);
        } catch (const std::bad_alloc&) {
            throw std::length_error(std::string(owner) + " of " + std::to_string(all_.size()) +
                                    " bytes has no room for " + std::to_string(bytes) + " more");
        }
    }

  private:
    static constexpr std::size_t line = 64;

    std::span<std::byte> all_;
    std::map<std::size_t, std::size_t> used_;  ///< bytes in use, by their offset
};

}  // namespace lapwing
