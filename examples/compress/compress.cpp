// Parallel bzip2: rank 0 collects and writes blocks while others are compressed.
//
//   example-compress FILE FILE.bz2
#include <bzlib.h>

#include <filesystem>
#include <fstream>
#include <lapwing/lapwing.hpp>

constexpr std::size_t block = 900'000;  // bytes, the largest that bzip2 knows

void compress(const std::string& from, const std::string& to) {
    const std::uint64_t blocks = std::filesystem::file_size(from) / block + 1;
    std::ifstream in(from, std::ios::binary);
    std::ofstream out;
    lapwing::GatherVarying ranks;
    if (ranks.is_root()) out.open(to, std::ios::binary);
    std::vector<char> plain(block), packed(block + block / 100 + 600);
    const auto work = [&](std::uint64_t index, lapwing::Buffer& buffer) {
        in.clear();
        in.seekg(static_cast<std::streamoff>(index * block)).read(plain.data(), block);
        if (!in.is_open() || in.bad()) throw std::runtime_error(from + ": cannot be read");
        auto size = static_cast<unsigned>(packed.size());
        const auto bytes = static_cast<unsigned>(in.gcount());
        if (BZ2_bzBuffToBuffCompress(packed.data(), &size, plain.data(), bytes, 9, 0, 0) != BZ_OK)
            throw std::runtime_error("bzip2 failed");
        buffer.append(packed.data(), size);
    };
    const auto write = [&](std::span<const std::byte> data) {
        out.write(reinterpret_cast<const char*>(data.data()), std::ssize(data)).flush();
        if (!out) throw std::runtime_error(to + ": cannot be written");
    };
    lapwing::collect(ranks, blocks, lapwing::gather_with({}, ranks.size(), blocks), work, write);
}

int main(int argc, char** argv) {
    if (argc != 3) {
        std::fputs("usage: example-compress FILE FILE.bz2\n", stderr);
        return 2;
    }
    return lapwing::program("example-compress", argc, argv, [&] { compress(argv[1], argv[2]); });
}
