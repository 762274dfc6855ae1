#include "lapwing/record/recording.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <catch2/catch.hpp>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "lapwing/record/stream.hpp"

using namespace lapwing::record;
using Catch::Matchers::Contains;

namespace {

/// A file that is removed.
class TemporaryFile {
  public:
    explicit TemporaryFile(const std::string& content = "") {
        std::string name = (std::filesystem::temp_directory_path() / "lapwing-XXXXXX").string();
        close(mkstemp(name.data()));
        path = name;
        std::ofstream(path, std::ios::binary) << content;
    }
    TemporaryFile(const TemporaryFile&) = delete;
    TemporaryFile& operator=(const TemporaryFile&) = delete;
    ~TemporaryFile() { std::filesystem::remove(path); }

    std::string path;
};

template <class Number>
std::string little_endian(Number value) {
    std::string text;
    for (std::size_t i = 0; i < sizeof value; ++i) text += static_cast<char>(value >> 8 * i);
    return text;
}

const std::string finish_record("\x02\x05", 2);

std::string recording_of(const std::vector<std::string>& records, const std::string& text = "{}") {
    std::string file = "LWTRACE\n" + little_endian(std::uint32_t{1}) +
                       little_endian(std::uint32_t{0}) +
                       little_endian(std::uint64_t{records.size()}) +
                       little_endian(std::uint64_t{text.size()}) + text;
    for (const auto& rank : records) file += little_endian(std::uint64_t{rank.size()}) + rank;
    return file;
}

std::string refusal_of(const std::string& content) {
    const TemporaryFile file(content);
    try {
        const Recording recording(file.path);
    } catch (const std::runtime_error& error) {
        return error.what();
    }
    return "";
}

std::uint64_t records_in(Decoder decoder) {
    for (Record record; decoder.next(record);) continue;
    return decoder.records();
}

}  // namespace

TEST_CASE("a recording has its ranks and its description", "[record]") {
    const TemporaryFile file(recording_of({finish_record, "", std::string(3, 0)}, R"({"a": 1})"));
    Recording first(file.path);
    const Recording recording(std::move(first));
    CHECK(recording.ranks() == 3);
    CHECK(recording.description() == R"({"a": 1})");
    CHECK(recording.path() == file.path);
    CHECK(records_in(recording.rank(0)) == 1);
    CHECK(records_in(recording.rank(1)) == 0);
    CHECK(records_in(recording.rank(2)) == 0);
}

TEST_CASE("a recording that is cut off is refused", "[record]") {
    const std::string whole = recording_of({finish_record, finish_record});
    CHECK(refusal_of(whole).empty());
    for (std::size_t size = 1; size < whole.size(); ++size) {
        CAPTURE(size);
        CHECK_FALSE(refusal_of(whole.substr(0, size)).empty());
    }
    CHECK_THAT(refusal_of(whole + "x"), Contains("bytes follow the records of the last rank"));
}

TEST_CASE("a file that is no recording is refused", "[record]") {
    CHECK_THAT(refusal_of(""), Contains("it is no recording"));
    CHECK_THAT(refusal_of("LWTRACE"), Contains("it is no recording"));
    CHECK_THAT(refusal_of("a text that is no recording"), Contains("it is no recording"));
    std::string other = recording_of({finish_record});
    other[8] = 2;
    CHECK_THAT(refusal_of(other), Contains("of version 2, not 1"));
    CHECK_THAT(refusal_of(recording_of({})), Contains("there are 0 ranks"));
    std::string many = recording_of({finish_record});
    many.replace(16, 8, 8, '\xff');
    CHECK_THAT(refusal_of(many), Contains("has no room for so many"));
    std::string text = recording_of({finish_record});
    text.replace(24, 8, 8, '\xff');
    CHECK_THAT(refusal_of(text), Contains("it is cut off"));
    CHECK_THROWS_WITH(Recording("/nowhere/x.lwt"), Contains("No such file"));
    CHECK_THROWS_WITH(Recording("/tmp"), Contains("it is no file"));
}

TEST_CASE("a stream leaves whole records behind", "[record]") {
    const TemporaryFile file;
    constexpr std::uint64_t ranks = 4096;
    const std::vector<std::uint64_t> sizes(ranks, std::uint64_t{1} << 40U);
    const Record record{
        .kind = Kind::collective, .collective = Collective::alltoallv, .blocks = sizes};
    constexpr std::uint64_t count = 200;  // several times what is mapped at once
    Stream stream(open(file.path.c_str(), O_RDWR), ranks);
    for (std::uint64_t i = 0; i < count; ++i) REQUIRE(stream.write(record));
    const auto content = [&] {
        std::ifstream in(file.path, std::ios::binary);
        return std::vector<char>(std::istreambuf_iterator<char>(in), {});
    };
    const auto bytes_of = [](const std::vector<char>& read) {
        return std::span(reinterpret_cast<const std::uint8_t*>(read.data()), read.size());
    };
    // As a program that is killed leaves it.
    const auto killed = content();
    CHECK(killed.size() > stream.size());
    CHECK(records_in(Decoder(bytes_of(killed), 0, ranks)) == count);
    stream.finish();
    CHECK_FALSE(stream.write(record));
    const auto finished = content();
    CHECK(finished.size() == stream.size());
    CHECK(records_in(Decoder(bytes_of(finished), 0, ranks)) == count);
}

TEST_CASE("a stream without a file says so", "[record]") {
    Stream stream(-1, 1);
    CHECK_FALSE(stream.write({.kind = Kind::finish}));
    CHECK(stream.size() == 0);
    stream.finish();
}
