#include "streams.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "bzip2.hpp"
#include "serial.hpp"
#include "support/random.hpp"

namespace {

using lapwing::compress::Decoded;
using lapwing::test::Random;
using Bytes = std::vector<std::byte>;

Bytes bytes_of(const std::string& text) {
    Bytes all(text.size());
    std::transform(text.begin(), text.end(), all.begin(),
                   [](char c) { return static_cast<std::byte>(c); });
    return all;
}

/// Words that repeat, or noise.
Bytes any_content(Random& random, std::size_t most) {
    Bytes all(random.integer(0, most));
    const std::uint64_t letters = random.pick({1, 4, 256});
    for (auto& one : all) one = static_cast<std::byte>(random.integer(0, letters - 1));
    return all;
}

/// The streams of all of `data`, one after another.
Bytes all_of(const Bytes& data, std::uint64_t& place) {
    Bytes out;
    std::size_t read = 0;
    lapwing::compress::Serial serial(
        [&](std::span<std::byte> into) {
            const std::size_t count = std::min({into.size(), data.size() - read, std::size_t{77}});
            std::copy_n(data.begin() + static_cast<std::ptrdiff_t>(read), count, into.begin());
            read += count;
            return count;
        },
        0, "data");
    while (serial.stream([&](std::span<const std::byte> part) {
        out.insert(out.end(), part.begin(), part.end());
    })) {
    }
    place = serial.place();
    return out;
}

}  // namespace

TEST_CASE("streams are found where they begin", "[compress]") {
    Random random(5);
    for (int trial = 0; trial < 30; ++trial) {
        Bytes file;
        Bytes content;
        std::vector<std::uint64_t> begins;
        for (auto streams = random.integer(1, 8); streams > 0; --streams) {
            const Bytes part = any_content(random, 20'000);
            begins.push_back(file.size());
            lapwing::compress::append_compressed(part, random.pick({1, 5, 9}), file);
            content.insert(content.end(), part.begin(), part.end());
        }
        CHECK(lapwing::compress::find_streams(file) == begins);
        // Each stream by itself, and all of them, one after the other.
        Bytes out;
        for (std::size_t i = 0; i < begins.size(); ++i) {
            const std::uint64_t end = i + 1 < begins.size() ? begins[i + 1] : file.size();
            CHECK(lapwing::compress::append_decompressed(
                      std::span(file).subspan(begins[i], end - begins[i]), 1 << 20, out) ==
                  Decoded::whole);
        }
        CHECK(out == content);
        std::uint64_t place = 0;
        CHECK(all_of(file, place) == content);
        CHECK(place == file.size());
    }
}

TEST_CASE("what only looks like a stream is not taken for one", "[compress]") {
    using lapwing::compress::find_streams;
    CHECK(find_streams(bytes_of("")).empty());
    CHECK(find_streams(bytes_of("BZh")).empty());
    CHECK(find_streams(bytes_of("BZh91AY&S")).empty());
    CHECK(find_streams(bytes_of("BZh91AY&SX")).empty());
    CHECK(find_streams(bytes_of("BZh01AY&SY")).empty());
    CHECK(find_streams(bytes_of("BZBZh91AY&SY")) == std::vector<std::uint64_t>{2});
    CHECK(find_streams(bytes_of("BZh1\x17rE8P\x90")) == std::vector<std::uint64_t>{0});
}

TEST_CASE("a stream that is damaged, cut or too long is told from a whole one", "[compress]") {
    using lapwing::compress::append_decompressed;
    Random random(6);
    Bytes content(50'000);
    for (auto& one : content) one = static_cast<std::byte>(random.integer(0, 255));
    Bytes whole;
    lapwing::compress::append_compressed(content, 1, whole);
    Bytes out;
    CHECK(append_decompressed(whole, content.size() + 1, out) == Decoded::whole);
    CHECK(append_decompressed(whole, content.size() / 2, out) == Decoded::longer);
    for (int trial = 0; trial < 50; ++trial) {
        const auto cut = random.integer(0, whole.size() - 1);
        CHECK(append_decompressed(std::span(whole).first(cut), 1 << 20, out) == Decoded::other);
        Bytes damaged = whole;
        // Behind the head and the block's checksum, and before the bits that pad the last byte.
        damaged[random.integer(10, whole.size() - 2)] ^= std::byte{0x10};
        CHECK(append_decompressed(damaged, 1 << 20, out) == Decoded::other);
        std::uint64_t place = 0;
        CHECK_THROWS_WITH(all_of(damaged, place), Catch::Contains("the stream at byte 0"));
        if (cut > 0)
            CHECK_THROWS_WITH(
                all_of(Bytes(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(cut)),
                       place),
                Catch::Contains("cut short"));
    }
    Bytes longer = whole;
    longer.push_back(std::byte{0});
    CHECK(append_decompressed(longer, 1 << 20, out) == Decoded::other);
}

TEST_CASE("the level is the least that holds a block", "[compress]") {
    using lapwing::compress::level_for;
    CHECK(level_for(1000) == 1);
    CHECK(level_for(100'000) == 1);
    CHECK(level_for(100'001) == 2);
    CHECK(level_for(900'000) == 9);
}
