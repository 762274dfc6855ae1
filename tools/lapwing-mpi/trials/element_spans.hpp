#pragma once

#include <cstddef>
#include <cstdint>

#include "lapwing/plan/messages.hpp"

namespace lapwing::tools {

/// The elements that one message of a pipeline carries, of a vector of doubles.
struct ElementSpan {
    std::uint64_t message = 0;  ///< number of the message
    std::uint64_t first = 0;    ///< index of the first element
    std::uint64_t count = 0;    ///< elements

    void clear() { count = 0; }
    [[nodiscard]] std::size_t bytes() const { return count * sizeof(double); }
};

/// What the messages of a plan carry, one after another.
class ElementSpans {
  public:
    explicit ElementSpans(const Messages& messages)
        : messages_(messages), next_(messages_.begin()) {}
    ElementSpans(const ElementSpans&) = delete;
    ElementSpans& operator=(const ElementSpans&) = delete;

    /// Writes the next one to `span`; false if there is none.
    bool next(ElementSpan& span) {
        if (next_ == Messages::end()) return false;
        span = {next_.index(), next_.offset() / sizeof(double), *next_ / sizeof(double)};
        ++next_;
        return true;
    }

  private:
    Messages messages_;
    Messages::Iterator next_;
};

}  // namespace lapwing::tools
