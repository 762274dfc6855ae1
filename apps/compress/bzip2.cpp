#include "bzip2.hpp"

#include <bzlib.h>

#include <algorithm>
#include <new>
#include <stdexcept>
#include <string>

#include "alarm.hpp"
#include "lapwing/compute/charge.hpp"
#include "lapwing/compute/rates.hpp"
#include "lapwing/pipeline/window/poll.hpp"

namespace lapwing::compress {
namespace {

constexpr int silent = 0;
constexpr int usual_effort = 0;
constexpr int fast = 0;  // of decompression: more memory, less time
constexpr std::size_t pieces =
    64;  // a block's simulated time passes in so many parts, with a poll after each

/// libbz2 wants a pointer to non-const characters, though it only reads them.
char* characters(std::span<const std::byte> data) {
    return const_cast<char*>(reinterpret_cast<const char*>(data.data()));
}

[[noreturn]] void fail(const char* call, int status) {
    if (status == BZ_MEM_ERROR) throw std::bad_alloc();
    throw std::runtime_error(std::string(call) + " failed with status " + std::to_string(status));
}

/// Frees a stream of libbz2 at the end of the scope.
template <auto end>
struct Closed : bz_stream {
    Closed() : bz_stream{} {}
    Closed(const Closed&) = delete;
    Closed& operator=(const Closed&) = delete;
    ~Closed() { end(this); }
};

}  // namespace

int level_for(std::size_t bytes) {
    return static_cast<int>(std::clamp<std::size_t>((bytes + 99'999) / 100'000, 1, 9));
}

void append_compressed(std::span<const std::byte> block, int level, std::vector<std::byte>& out) {
    Closed<BZ2_bzCompressEnd> stream;
    if (const int begun = BZ2_bzCompressInit(&stream, level, silent, usual_effort); begun != BZ_OK)
        fail("BZ2_bzCompressInit", begun);
    // bzip2 promises never to need more.
    const std::size_t most = block.size() + block.size() / 100 + 600;
    const std::size_t before = out.size();
    out.resize(before + most);
    stream.next_out = reinterpret_cast<char*>(out.data() + before);
    stream.avail_out = static_cast<unsigned>(most);
    stream.next_in = characters(block);
    stream.avail_in = static_cast<unsigned>(block.size());
    int status = BZ_OK;
    // The call returns when all of the block is compressed, and calls nobody back.
    poll_meanwhile([&] { status = BZ2_bzCompress(&stream, BZ_FINISH); });
    if (status != BZ_STREAM_END) fail("BZ2_bzCompress", status);
    out.resize(before + most - stream.avail_out);
    charge_compression(block.size());
}

void charge_compression([[maybe_unused]] std::size_t bytes) {
    if constexpr (simulated_time) {
        const double seconds = static_cast<double>(bytes) / simulated_rate("bzip2");
        for (std::size_t i = 0; i < pieces; ++i) {
            charge(seconds / static_cast<double>(pieces));
            poll();
        }
    }
}

Decoded append_decompressed(std::span<const std::byte> data, std::size_t most,
                            std::vector<std::byte>& out) {
    Closed<BZ2_bzDecompressEnd> stream;
    if (const int status = BZ2_bzDecompressInit(&stream, silent, fast); status != BZ_OK)
        fail("BZ2_bzDecompressInit", status);
    constexpr std::size_t at_once = 1 << 16;
    std::size_t made = out.size();
    const std::size_t end = made + most;
    stream.next_in = characters(data);
    stream.avail_in = static_cast<unsigned>(data.size());
    for (;;) {
        if (made == end) return Decoded::longer;
        out.resize(std::min(end, made + at_once));
        stream.next_out = reinterpret_cast<char*>(out.data() + made);
        stream.avail_out = static_cast<unsigned>(out.size() - made);
        const unsigned before = stream.avail_in;
        const int status = BZ2_bzDecompress(&stream);
        const std::size_t got = out.size() - made - stream.avail_out;
        made += got;
        out.resize(made);
        if (status == BZ_STREAM_END) return stream.avail_in == 0 ? Decoded::whole : Decoded::other;
        if (status == BZ_MEM_ERROR) throw std::bad_alloc();
        // No more input is taken and no output made: the data is cut short.
        if (status != BZ_OK || (got == 0 && stream.avail_in == before)) return Decoded::other;
        poll();
    }
}

}  // namespace lapwing::compress
