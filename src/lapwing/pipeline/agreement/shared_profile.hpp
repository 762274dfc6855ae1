#pragma once

#include <mpi.h>

#include <cstdint>
#include <exception>
#include <stdexcept>
#include <string>

#include "lapwing/io/profile_json.hpp"
#include "lapwing/transport/failure/on_failure.hpp"
#include "lapwing/transport/mpi/communicator.hpp"

namespace lapwing {

namespace agreement {

/// Rank 0's `text`, on all ranks. Collective over `ranks`.
inline void share_text(std::string& text, const Communicator& ranks) {
    std::uint64_t bytes = text.size();
    check_mpi(MPI_Bcast(&bytes, 1, MPI_UINT64_T, 0, ranks.get()), "MPI_Bcast", 0);
    text.resize(bytes);
    check_mpi(MPI_Bcast(text.data(), static_cast<int>(bytes), MPI_CHAR, 0, ranks.get()),
              "MPI_Bcast", 0);
}

}  // namespace agreement

/// Reads the profile file at `path` on rank 0, for all ranks: no other rank needs the file, and all
/// have the same profile. Collective over `communicator`. Where the file cannot be read, rank 0
/// says why in one line and the job ends; or, as `on_failure` chooses, each rank throws
/// `std::runtime_error` with that line.
[[nodiscard]] inline Profile load_profile(const std::string& path, MPI_Comm communicator) {
    const Communicator ranks(communicator);
    std::string document;
    std::string error;
    if (ranks.rank() == 0) {
        try {
            document = to_json(load_profile(path));
        } catch (const std::exception& unreadable) {
            failure::report("profile");
            error = unreadable.what();
        }
    }
    agreement::share_text(error, ranks);
    if (!error.empty()) throw std::runtime_error(error);
    agreement::share_text(document, ranks);
    return profile_from_json(document);
}

}  // namespace lapwing
