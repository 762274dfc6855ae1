#pragma once

#include <array>
#include <cstddef>

#include "../common/computation.hpp"

namespace lapwing::nas::cg {

namespace kernel {
enum Index : std::size_t { matrix, vectors };
}

/// Elements of "matrix" are nonzeros that are multiplied row by row (see `work_of_rows`), those of
/// "vectors" are numbers that a loop reads or writes. On an AMD EPYC a nonzero takes as long as 20
/// bytes of "add", which reads and writes 8 bytes for each 8. It takes 0.42 ns beside 50 GB/s in
/// the second cache (class A, the blocks of 16 and 64 ranks), 1.0 ns beside 19 GB/s in the third
/// (class A, one rank), and 2.0 ns beside 11.5 GB/s in memory (class B, two ranks); fastest of 8
/// runs of 20 products. To begin a row takes 1.3 to 1.8 ns. Column by column a nonzero takes 0.53
/// ns beside 0.38 ns. (`bench/nas.py kernels` compares with "add" in memory alone, beside which a
/// nonzero of class A takes 8.5 bytes.)
inline constexpr std::array<Kernel, 2> kernels{{{"matrix", 20}, {"vectors", 4}}};

}  // namespace lapwing::nas::cg
