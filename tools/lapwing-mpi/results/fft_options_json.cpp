#include "results/fft_options_json.hpp"

#include "lapwing/fft/names.hpp"

namespace lapwing::tools {

Json options_json(const fft::Options& options) {
    return {{"schedule", fft::name(options.schedule)},
            {"transport", fft::name(options.transport)},
            {"tile", options.tile},
            {"window", options.window},
            {"strips", options.strips},
            {"packing", fft::name(options.packing)},
            {"block", options.block},
            {"padding", options.padding}};
}

}  // namespace lapwing::tools
