#include "serial.hpp"

#include <bzlib.h>

#include <memory>
#include <new>
#include <stdexcept>

#include "lapwing/pipeline/window/poll.hpp"

namespace lapwing::compress {
namespace {

constexpr std::size_t portion = 1 << 18;  // bytes, read or written at once

struct End {
    void operator()(bz_stream* stream) const { BZ2_bzDecompressEnd(stream); }
};

}  // namespace

Serial::Serial(Reader read, std::uint64_t begin, std::string name)
    : read_(std::move(read)), place_(begin), name_(std::move(name)), memory_(portion) {}

bool Serial::stream(const Writer& write) {
    if (rest_.empty() && !refill()) return false;
    const std::string where = "the stream at byte " + std::to_string(place());
    bz_stream state{};
    constexpr int silent = 0;
    constexpr int fast = 0;
    if (BZ2_bzDecompressInit(&state, silent, fast) != BZ_OK) throw std::bad_alloc();
    const std::unique_ptr<bz_stream, End> ended(&state);
    std::vector<std::byte> out(portion);
    for (;;) {
        state.next_in = reinterpret_cast<char*>(rest_.data());
        state.avail_in = static_cast<unsigned>(rest_.size());
        state.next_out = reinterpret_cast<char*>(out.data());
        state.avail_out = static_cast<unsigned>(out.size());
        const int status = BZ2_bzDecompress(&state);
        const std::size_t made = out.size() - state.avail_out;
        rest_ = rest_.last(state.avail_in);
        write(std::span(out).first(made));
        if (status == BZ_STREAM_END) return true;
        if (status == BZ_MEM_ERROR) throw std::bad_alloc();
        if (status == BZ_DATA_ERROR_MAGIC)
            throw std::runtime_error(name_ + ": no bzip2 data from byte " +
                                     where.substr(where.rfind(' ') + 1) + " on");
        if (status != BZ_OK) throw std::runtime_error(name_ + ": damaged: " + where);
        if (rest_.empty() && made < out.size() && !refill())
            throw std::runtime_error(name_ + ": cut short: " + where + " does not end");
        poll();
    }
}

bool Serial::refill() {
    rest_ = std::span(memory_).first(read_(memory_));
    place_ += rest_.size();
    return !rest_.empty();
}

}  // namespace lapwing::compress
