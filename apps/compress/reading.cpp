#include "reading.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <stdexcept>

#include "failure.hpp"

namespace lapwing::compress {

std::int64_t size_of(const std::string& path) {
    if (path == standard_input) return -1;
    struct stat found {};
    if (::stat(path.c_str(), &found) != 0) fail(path, "cannot read");
    if (S_ISDIR(found.st_mode)) fail(path, "cannot read", EISDIR);
    // Files of the kernel, such as those in /proc, say that they are empty and are not.
    return S_ISREG(found.st_mode) && found.st_size > 0 ? found.st_size : -1;
}

Reading::Reading(const std::string& path)
    : name_(path == standard_input ? "standard input" : path),
      file_(path == standard_input ? ::dup(STDIN_FILENO)
                                   : ::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
    if (file_.get() < 0) fail(name_, "cannot read");
}

std::size_t Reading::read(std::span<std::byte> into) {
    std::size_t done = 0;
    while (done < into.size()) {
        const ssize_t got = ::read(file_.get(), into.data() + done, into.size() - done);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) fail(name_, "cannot read");
        if (got == 0) break;
        done += static_cast<std::size_t>(got);
    }
    return done;
}

void Reading::read_at(std::uint64_t place, std::span<std::byte> into) const {
    for (std::size_t done = 0; done < into.size();) {
        const ssize_t got = ::pread(file_.get(), into.data() + done, into.size() - done,
                                    static_cast<off_t>(place + done));
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) fail(name_, "cannot read at byte " + std::to_string(place + done));
        if (got == 0) throw std::runtime_error(name_ + ": became shorter while it was read");
        done += static_cast<std::size_t>(got);
    }
}

}  // namespace lapwing::compress
