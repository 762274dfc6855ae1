#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <string_view>

namespace lapwing {

/// Reads the words, numbers and labels of a GOAL text. What is not as expected is refused by a
/// `std::runtime_error` that names line and column.
class GoalScanner {
  public:
    /// `text` outlives this, and has a readable character behind its end.
    explicit GoalScanner(std::string_view text)
        : begin_(text.data()), at_(begin_), end_(begin_ + text.size()) {}

    [[nodiscard]] const char* at() const { return at_; }
    [[nodiscard]] bool at_end() const { return at_ == end_; }
    [[nodiscard]] std::size_t size() const { return static_cast<std::size_t>(end_ - begin_); }

    [[noreturn]] void fail(const char* where, const std::string& what) const {
        std::size_t line = 1;
        const char* start = begin_;
        for (const char* c = begin_; c != where; ++c) {
            if (*c != '\n') continue;
            ++line;
            start = c + 1;
        }
        throw std::runtime_error("line " + std::to_string(line) + ", column " +
                                 std::to_string(where - start + 1) + ": " + what);
    }

    /// Skips blanks and comments (which may span lines), but no end of a line. The new position.
    const char* next() {
        for (;;) {
            while (at_ != end_ && (*at_ == ' ' || *at_ == '\t' || *at_ == '\r')) ++at_;
            if (end_ - at_ < 2 || *at_ != '/') return at_;
            if (at_[1] == '/') {
                const void* line = std::memchr(at_, '\n', static_cast<std::size_t>(end_ - at_));
                at_ = line == nullptr ? end_ : static_cast<const char*>(line);
            } else if (at_[1] == '*') {
                const std::string_view rest(at_ + 2, static_cast<std::size_t>(end_ - at_ - 2));
                const std::size_t close = rest.find("*/");
                if (close == std::string_view::npos) fail(at_, "a comment that does not end");
                at_ += close + 4;
            } else {
                return at_;
            }
        }
    }
    /// Skips ends of lines too.
    void skip_lines() {
        while (next() != end_ && *at_ == '\n') ++at_;
    }
    /// Reads `word` if it comes next.
    bool keyword(std::string_view word) {
        const char* const start = next();
        if (static_cast<std::size_t>(end_ - start) < word.size() ||
            std::memcmp(start, word.data(), word.size()) != 0)
            return false;
        const char* const after = start + word.size();
        if (after != end_ && is_word(*after)) return false;
        at_ = after;
        return true;
    }
    /// Reads `c` if it comes next.
    bool character(char c) {
        if (next() == end_ || *at_ != c) return false;
        ++at_;
        return true;
    }
    /// Reads a whole number up to `most`. `what` names it in messages.
    std::uint64_t integer(const char* what, std::uint64_t most) {
        const char* const start = next();
        std::uint64_t value = 0;
        for (; at_ != end_ && is_digit(*at_); ++at_) {
            value = value * 10 + static_cast<std::uint64_t>(*at_ - '0');
            if (value > most)
                fail(start, std::string(what) + " must be at most " + std::to_string(most));
        }
        if (at_ == start) fail(start, std::string(what) + " expected, a whole number");
        return value;
    }
    /// Reads a label: a letter, then letters, digits and underscores.
    std::string_view label() {
        const char* const start = next();
        if (at_ == end_ || !is_letter(*at_)) fail(start, "a label expected");
        while (at_ != end_ && is_word(*at_)) ++at_;
        return {start, static_cast<std::size_t>(at_ - start)};
    }
    /// Refuses anything but the end of the line, or of the block.
    void end_of_line() {
        if (next() != end_ && *at_ != '\n' && *at_ != '}')
            fail(at_, "the end of the line expected");
    }
    /// Reads -1, any rank or any tag, if it comes next.
    bool wildcard() {
        if (end_ - next() < 2 || at_[0] != '-' || at_[1] != '1') return false;
        at_ += 2;
        return true;
    }

  private:
    static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
    static bool is_digit(char c) { return c >= '0' && c <= '9'; }
    static bool is_word(char c) { return is_letter(c) || is_digit(c) || c == '_'; }

    const char* begin_;
    const char* at_;
    const char* end_;
};

}  // namespace lapwing
