#pragma once

#include <mpi.h>

#include <stdexcept>
#include <string>

namespace lapwing {

/// An MPI call that failed. The text names the call, the rank in MPI_COMM_WORLD that made it, the
/// peer it was about, and MPI's reason.
class MpiError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// Throws `MpiError` unless `code` is MPI_SUCCESS. `call`: its name. `peer`: the rank it was about;
/// negative: none.
inline void check_mpi(int code, const char* call, int peer = -1) {
    if (code == MPI_SUCCESS) return;
    char text[MPI_MAX_ERROR_STRING] = {};
    int length = 0;
    MPI_Error_string(code, text, &length);
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    std::string message = std::string(call) + " of rank " + std::to_string(rank) + " failed";
    if (peer >= 0) message += " with rank " + std::to_string(peer);
    throw MpiError(message + ": " + std::string(text, static_cast<std::size_t>(length)));
}

}  // namespace lapwing
