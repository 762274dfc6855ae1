#include "record_files.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace lapwing::observe {
namespace {

constexpr int tag = 1;
constexpr std::size_t piece = 1U << 20U;  // bytes that are sent at once

using Path = std::array<char, 4096>;

Path path_of(const char* directory, int rank, const char* suffix = "") {
    Path path{};
    std::snprintf(path.data(), path.size(), "%s/record.%d%s", directory, rank, suffix);
    return path;
}

void send_pieces(int file, std::uint64_t size, MPI_Comm ranks) {
    std::vector<char> bytes(piece);
    for (std::uint64_t at = 0; at < size; at += piece) {
        const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(piece, size - at));
        if (pread(file, bytes.data(), count, static_cast<off_t>(at)) < 0)
            std::fill(bytes.begin(), bytes.end(), 0);
        PMPI_Send(bytes.data(), static_cast<int>(count), MPI_BYTE, 0, tag, ranks);
    }
}

/// Writes the file that a rank sends, whole or not at all.
void receive(int rank, std::uint64_t size, const char* directory, MPI_Comm ranks) {
    // The rank may be sending a file that is this one, after all.
    const Path part = path_of(directory, rank, ".part");
    std::vector<char> bytes(piece);
    std::FILE* const file = std::fopen(part.data(), "wb");
    bool written = file != nullptr;
    for (std::uint64_t at = 0; at < size; at += piece) {
        const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(piece, size - at));
        PMPI_Recv(bytes.data(), static_cast<int>(count), MPI_BYTE, rank, tag, ranks,
                  MPI_STATUS_IGNORE);
        written = written && std::fwrite(bytes.data(), 1, count, file) == count;
    }
    if (file) written = std::fclose(file) == 0 && written;
    if (written)
        std::rename(part.data(), path_of(directory, rank).data());
    else
        unlink(part.data());
}

}  // namespace

int open_record(const char* directory, int rank) {
    const auto make = [&] {
        return open(path_of(directory, rank).data(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    };
    int file = make();
    rlimit limit{};
    // Simulated ranks are one process, which may have too few.
    if (file < 0 && errno == EMFILE && getrlimit(RLIMIT_NOFILE, &limit) == 0) {
        limit.rlim_cur = limit.rlim_max;
        setrlimit(RLIMIT_NOFILE, &limit);
        file = make();
    }
    if (file >= 0) return file;
    const char* const folder = std::getenv("TMPDIR");
    return open(folder && *folder ? folder : "/tmp", O_RDWR | O_TMPFILE | O_CLOEXEC, 0600);
}

void collect_records(const char* directory, int file, std::uint64_t size, MPI_Comm ranks) {
    int rank = 0;
    int count = 0;
    int wanted = 0;
    PMPI_Comm_rank(ranks, &rank);
    PMPI_Comm_size(ranks, &count);
    if (rank != 0) {
        PMPI_Send(&size, sizeof size, MPI_BYTE, 0, tag, ranks);
        PMPI_Recv(&wanted, sizeof wanted, MPI_BYTE, 0, tag, ranks, MPI_STATUS_IGNORE);
        if (wanted) send_pieces(file, size, ranks);
        return;
    }
    for (int r = 1; r < count; ++r) {
        std::uint64_t bytes = 0;
        PMPI_Recv(&bytes, sizeof bytes, MPI_BYTE, r, tag, ranks, MPI_STATUS_IGNORE);
        struct stat about {};
        const bool seen = stat(path_of(directory, r).data(), &about) == 0;
        wanted = seen && static_cast<std::uint64_t>(about.st_size) == bytes ? 0 : 1;
        PMPI_Send(&wanted, sizeof wanted, MPI_BYTE, r, tag, ranks);
        if (wanted) receive(r, bytes, directory, ranks);
    }
}

}  // namespace lapwing::observe
