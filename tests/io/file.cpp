#include "lapwing/io/file.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <thread>

namespace fs = std::filesystem;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

namespace {

/// A directory of its own for a test, gone at the end.
class Scratch {
  public:
    Scratch() {
        std::string name = (fs::temp_directory_path() / "lapwing-XXXXXX").string();
        path_ = ::mkdtemp(name.data());
    }
    Scratch(const Scratch&) = delete;
    Scratch& operator=(const Scratch&) = delete;
    ~Scratch() {
        fs::permissions(path_, fs::perms::owner_all);
        fs::remove_all(path_);
    }
    [[nodiscard]] std::string file(const char* name) const { return (path_ / name).string(); }
    [[nodiscard]] const fs::path& path() const { return path_; }
    [[nodiscard]] std::size_t entries() const {
        return static_cast<std::size_t>(
            std::distance(fs::directory_iterator(path_), fs::directory_iterator()));
    }

  private:
    fs::path path_;
};

template <class Action>
std::string file_complaint(Action&& action) {
    try {
        action();
    } catch (const std::runtime_error& error) {
        return error.what();
    }
    return "";
}

}  // namespace

TEST_CASE("what is written is read, any bytes", "[io]") {
    const Scratch scratch;
    const std::string path = scratch.file("f");
    const std::string content("a\0b\r\n\xff", 6);
    lapwing::write_file(path, content);
    CHECK(lapwing::read_file(path) == content);
    lapwing::write_file(path, "");
    CHECK(lapwing::read_file(path).empty());
    const std::string large(5 << 20, 'x');
    lapwing::write_file(path, large);
    CHECK(lapwing::read_file(path) == large);
    CHECK(scratch.entries() == 1);  // nothing left beside it
}

TEST_CASE("what cannot be read says which and why", "[io]") {
    const Scratch scratch;
    const std::string missing = scratch.file("missing");
    const std::string said = file_complaint([&] { (void)lapwing::read_file(missing); });
    CHECK_THAT(said, StartsWith(missing + ": "));
    CHECK_THAT(said, Contains("No such file"));
    const std::string directory = scratch.path().string();
    CHECK_THAT(file_complaint([&] { (void)lapwing::read_file(directory); }), StartsWith(directory));
    const std::string longest(10000, 'a');
    CHECK_THAT(file_complaint([&] { (void)lapwing::read_file(longest); }), Contains("too long"));
}

TEST_CASE("what cannot be written leaves what was there", "[io]") {
    const Scratch scratch;
    const std::string missing = scratch.file("no/such/directory");
    const std::string said = file_complaint([&] { lapwing::write_file(missing, "x"); });
    CHECK_THAT(said, StartsWith(missing + ": "));
    // Writing over a directory fails at the very end, after the content was written beside it.
    fs::create_directory(scratch.file("taken"));
    CHECK_THAT(file_complaint([&] { lapwing::write_file(scratch.file("taken"), "x"); }),
               StartsWith(scratch.file("taken")));
    CHECK(fs::is_directory(scratch.file("taken")));
    CHECK(scratch.entries() == 1);

    lapwing::write_file(scratch.file("kept"), "old");
    fs::permissions(scratch.path(), fs::perms::owner_read | fs::perms::owner_exec);
    if (::access(scratch.path().c_str(), W_OK) == 0) return;  // root writes everywhere
    CHECK_THAT(file_complaint([&] { lapwing::write_file(scratch.file("kept"), "new"); }),
               Contains("Permission denied"));
    CHECK(lapwing::read_file(scratch.file("kept")) == "old");
    CHECK(scratch.entries() == 2);
}

TEST_CASE("a pipe and a device are written into", "[io]") {
    const Scratch scratch;
    const std::string pipe = scratch.file("pipe");
    REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
    std::string read;
    std::thread reader([&] { read = lapwing::read_file(pipe); });
    lapwing::write_file(pipe, "content");
    reader.join();
    CHECK(read == "content");
    CHECK(fs::is_fifo(pipe));
    CHECK(scratch.entries() == 1);

    fs::create_symlink("/dev/full", scratch.file("full"));
    CHECK_THAT(file_complaint([&] { lapwing::write_file(scratch.file("full"), "x"); }),
               Contains("full: cannot write: No space left on device"));
    CHECK(fs::is_symlink(scratch.file("full")));
}

TEST_CASE("a link to a file stays one", "[io]") {
    const Scratch scratch;
    lapwing::write_file(scratch.file("file"), "old");
    fs::create_symlink("file", scratch.file("link"));
    lapwing::write_file(scratch.file("link"), "new");
    CHECK(fs::is_symlink(scratch.file("link")));
    CHECK(lapwing::read_file(scratch.file("file")) == "new");
    CHECK(scratch.entries() == 2);
}
