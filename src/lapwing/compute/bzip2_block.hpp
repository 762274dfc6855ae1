#pragma once

#include <bzlib.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "lapwing/compute/charge.hpp"
#include "lapwing/compute/rates.hpp"

namespace lapwing {

/// The kernel "bzip2": compresses one block of 900 kB, bzip2's largest, as the parallel compression
/// of Hoefler, Gottschling and Lumsdaine (2008) does.
class Bzip2Block {
  public:
    static constexpr const char* name = "bzip2";
    static constexpr std::size_t bytes = 900'000;  ///< of a block, before compression

    Bzip2Block() : text_(some_text()), compressed_(bytes + bytes / 100 + 600) {}

    /// Compresses the block. Returns its size after that, in bytes.
    std::size_t operator()() {
        constexpr int block_in_100k = 9;
        constexpr int silent = 0;
        constexpr int usual_effort = 0;
        auto size = static_cast<unsigned>(compressed_.size());
        const int status = BZ2_bzBuffToBuffCompress(compressed_.data(), &size, text_.data(),
                                                    static_cast<unsigned>(text_.size()),
                                                    block_in_100k, silent, usual_effort);
        if (status != BZ_OK)
            throw std::runtime_error("bzip2 failed with status " + std::to_string(status));
        charge(seconds_);
        return size;
    }

  private:
    /// The block: 8 KB of text, with frequent and rare words, and 8 KB of numbers in turn, the same
    /// on every machine.
    static std::vector<char> some_text() {
        std::minstd_rand random(1);
        const auto below = [&](std::size_t limit) { return random() % limit; };
        std::array<std::string, 4096> words;
        for (auto& word : words)
            for (std::size_t letters = 2 + below(8); letters > 0; --letters)
                word += static_cast<char>('a' + std::min(below(26), below(26)));
        std::vector<char> text;
        text.reserve(bytes + 16);
        while (text.size() < bytes) {
            const bool numbers = text.size() / 8192 % 2 == 1;
            const auto word =
                numbers ? std::to_string(below(100'000)) : words[below(1 + below(words.size()))];
            text.insert(text.end(), word.begin(), word.end());
            text.push_back(below(12) == 0 ? '\n' : ' ');
        }
        text.resize(bytes);
        return text;
    }

    std::vector<char> text_;
    std::vector<char> compressed_;
    double seconds_ = simulated_time ? static_cast<double>(bytes) / simulated_rate(name) : 0;
};

}  // namespace lapwing
