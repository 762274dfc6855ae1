#pragma once

#include <string>
#include <vector>

#include "checksum.hpp"
#include "lapwing/transport/mpi/communicator.hpp"

namespace lapwing::triangulation {

/// Writes the triangles of all ranks to the file `path`, at rank 0: in each line the numbers of
/// three vertices, smallest first, all lines in their order. Collective over `ranks`. Throws as
/// `write_file`.
void write_triangles(const Communicator& ranks, const std::string& path,
                     const std::vector<Triangle>& mine);

}  // namespace lapwing::triangulation
