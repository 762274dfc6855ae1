#pragma once

#include <cstddef>
#include <string>

#include "lapwing/fft/distribution/validate.hpp"
#include "lapwing/fft/options.hpp"
#include "lapwing/pipeline/agreement/check_agreement.hpp"
#include "lapwing/transport/mpi/communicator.hpp"

namespace lapwing::fft {

/// Returns if all ranks ask for the same transform. Otherwise every rank gets the same
/// `std::invalid_argument`, which names a difference. Collective. `kind`: of transform, such as
/// "complex". `precision`: bytes of a real number.
inline void require_agreement(const char* kind, const Size& size, std::size_t precision,
                              const Options& options, const Communicator& ranks) {
    const auto text = [](auto number) { return std::to_string(number); };
    agreement::check_agreement("fft: ranks",
                               {{"transform", kind},
                                {"size", to_text(size)},
                                {"precision", text(precision) + " bytes"},
                                {"schedule", name(options.schedule)},
                                {"transport", name(options.transport)},
                                {"order", name(options.order)},
                                {"tile", text(options.tile)},
                                {"strips", text(options.strips)},
                                {"decomposition", name(options.decomposition)},
                                {"batch", text(options.batch) + " arrays"},
                                {"packing", name(options.packing)},
                                {"grid", text(options.grid[0]) + "x" + text(options.grid[1])}},
                               ranks);
}

}  // namespace lapwing::fft
