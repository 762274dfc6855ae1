#include "lapwing/record/stream.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cstring>

namespace lapwing::record {

Stream::Stream(int file, std::size_t items)
    : file_(file),
      room_(new std::uint8_t[Encoder::most_bytes(items)], Encoder::most_bytes(items)),
      encoder_(room_) {}

Stream::~Stream() {
    unmap();
    if (file_ >= 0) close(file_);
    delete[] room_.data();
}

bool Stream::write(const Record& record) {
    const auto bytes = encoder_.write(record);
    if (used_ + bytes.size() > length_ && !move(bytes.size())) return false;
    std::uint8_t* const to = mapped_ + used_;
    std::memcpy(to + 1, bytes.data() + 1, bytes.size() - 1);
    // The program may be killed between any two instructions.
    std::atomic_signal_fence(std::memory_order_release);
    *to = bytes[0];
    used_ += bytes.size();
    return true;
}

void Stream::finish() {
    const std::uint64_t whole = size();
    unmap();
    start_ = whole;
    full_ = true;
    if (file_ >= 0 && ftruncate(file_, static_cast<off_t>(whole)) != 0) return;
}

/// Maps the file from the page on in which its records end. Returns false if the disk is full.
bool Stream::move(std::size_t needed) {
    if (full_) return false;
    const std::uint64_t end = size();
    unmap();
    const auto page = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
    start_ = end / page * page;
    used_ = end - start_;
    const std::size_t step = end == 0 ? first_step : later_step;
    const std::size_t length = (used_ + needed + step - 1) / step * step;
    // All of it is allocated at once: a full disk must not end the program later.
    void* memory = MAP_FAILED;
    const auto offset = static_cast<off_t>(start_);
    if (file_ >= 0 && posix_fallocate(file_, offset, static_cast<off_t>(length)) == 0)
        memory = mmap(nullptr, length, PROT_READ | PROT_WRITE, MAP_SHARED, file_, offset);
    full_ = memory == MAP_FAILED;
    if (full_) return false;
    mapped_ = static_cast<std::uint8_t*>(memory);
    length_ = length;
    return true;
}

void Stream::unmap() {
    if (mapped_) munmap(mapped_, length_);
    mapped_ = nullptr;
    start_ += used_;
    used_ = 0;
    length_ = 0;
}

}  // namespace lapwing::record
