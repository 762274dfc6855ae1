#include "output.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <stdexcept>

#include "failure.hpp"

namespace lapwing::compress {
namespace {

constexpr mode_t anyone = 0666;  // less the user's mask

std::string folder_of(const std::string& path) {
    const auto slash = path.rfind('/');
    return slash == std::string::npos ? "." : path.substr(0, slash + 1);
}

/// A temporary name beside `path` that nobody else uses.
std::string name_beside(const std::string& path) {
    const auto slash = path.rfind('/');
    const std::size_t name = slash == std::string::npos ? 0 : slash + 1;
    return path.substr(0, name) + ".lapwing-" + std::to_string(::getpid()) + "-" +
           path.substr(name);
}

[[noreturn]] void refuse(const std::string& path) {
    throw std::runtime_error(path + ": exists already; overwrite with --force");
}

}  // namespace

Output::Output(std::string path, bool replace) : path_(std::move(path)), replace_(replace) {
    struct stat found {};
    if (!replace_ && ::lstat(path_.c_str(), &found) == 0) refuse(path_);
    file_ = Descriptor(::open(folder_of(path_).c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, anyone));
    if (file_.get() >= 0) return;
    part_ = name_beside(path_);
    file_ = Descriptor(::open(part_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, anyone));
    if (file_.get() < 0) fail(path_, "cannot write");
}

Output::~Output() { remove(); }

void Output::write(std::span<const std::byte> data) {
    written_ += data.size();
    while (!data.empty()) {
        const ssize_t done = ::write(file_.get(), data.data(), data.size());
        if (done < 0 && errno == EINTR) continue;
        if (done < 0) give_up("cannot write");
        data = data.subspan(static_cast<std::size_t>(done));
    }
}

void Output::finish() {
    // That the disk is full may come up only here.
    if (::fsync(file_.get()) != 0) give_up("cannot write");
    if (part_.empty()) {
        const std::string nameless = "/proc/self/fd/" + std::to_string(file_.get());
        const auto name_it = [&](const std::string& name) {
            return ::linkat(AT_FDCWD, nameless.c_str(), AT_FDCWD, name.c_str(),
                            AT_SYMLINK_FOLLOW) == 0;
        };
        if (name_it(path_)) return;
        if (errno != EEXIST) give_up("cannot be given its name");
        if (!replace_) refuse(path_);
        // Only a file with a name can replace another.
        part_ = name_beside(path_);
        if (!name_it(part_)) {
            part_.clear();
            give_up("cannot be given its name");
        }
    }
    if (replace_) {
        if (::rename(part_.c_str(), path_.c_str()) != 0) give_up("cannot be given its name");
        part_.clear();
    } else {
        // This fails where somebody has made the file meanwhile.
        if (::link(part_.c_str(), path_.c_str()) != 0) {
            if (errno == EEXIST) refuse(path_);
            give_up("cannot be given its name");
        }
        remove();
    }
}

void Output::remove() {
    if (!part_.empty()) ::unlink(part_.c_str());
    part_.clear();
}

void Output::give_up(const char* what) {
    // An exception in a template ends the process before this object is destroyed.
    const int error = errno;
    remove();
    fail(path_, what, error);
}

}  // namespace lapwing::compress
