#pragma once

#include <cstdint>

#include "mpi_weak.hpp"

namespace lapwing::observe {

/// Makes the file `record.RANK` in a directory; where there is no such directory, as on another
/// machine, one that nobody sees. Returns its descriptor; below 0: none.
int open_record(const char* directory, int rank);

/// Brings the records of all ranks, complete now, to the directory as the first rank sees it.
/// `file`, `size`: of the records of this rank. All ranks of `ranks` call it.
void collect_records(const char* directory, int file, std::uint64_t size, MPI_Comm ranks);

}  // namespace lapwing::observe
