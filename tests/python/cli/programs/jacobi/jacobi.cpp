// Jacobi iterations on a plate that wait for the edges before they compute.
//
//   jacobi CELLS STEPS     CELLS along each side of the plate
#include <cstdio>
#include <cstdlib>

#include "block.hpp"

namespace {

void step(const Grid& grid, Block& block, std::array<std::vector<double>, 4>& out,
          std::array<std::vector<double>, 4>& in) {
    std::array<MPI_Request, 8> requests{};
    for (int side = 0; side < 4; ++side)
        MPI_Irecv(in[side].data(), static_cast<int>(in[side].size()), MPI_DOUBLE, grid.peers[side],
                  side ^ 1, grid.ranks, &requests[side]);
    for (int side = 0; side < 4; ++side) {
        block.pack(side, out[side].data());
        MPI_Isend(out[side].data(), static_cast<int>(out[side].size()), MPI_DOUBLE,
                  grid.peers[side], side, grid.ranks, &requests[4 + side]);
    }
    MPI_Waitall(8, requests.data(), MPI_STATUSES_IGNORE);
    for (int side = 0; side < 4; ++side)
        if (grid.peers[side] != MPI_PROC_NULL) block.unpack(side, in[side].data());
    block.interior();
    block.border();
    block.advance();
}

}  // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    const Grid grid;
    Block block(grid, argc > 1 ? std::atoi(argv[1]) : 400);
    std::array<std::vector<double>, 4> out;
    std::array<std::vector<double>, 4> in;
    for (int side = 0; side < 4; ++side) {
        out[side].resize(block.length(side));
        in[side].resize(block.length(side));
    }
    const double start = MPI_Wtime();
    for (int n = 0, steps = argc > 2 ? std::atoi(argv[2]) : 40; n < steps; ++n)
        step(grid, block, out, in);
    print_result(grid, block, start);
    MPI_Finalize();
}
