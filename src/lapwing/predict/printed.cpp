#include "lapwing/predict/printed.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string>

#include "lapwing/model/cameron2007.hpp"
#include "lapwing/model/computation.hpp"
#include "lapwing/model/log3p.hpp"
#include "lapwing/model/march2009.hpp"
#include "lapwing/profile/table.hpp"
#include "lapwing/simulate/collectives/make_collective.hpp"

namespace lapwing {
namespace {

/// A formula for contiguous data: P ranks, m bytes.
struct Form {
    const char* operation;
    const char* algorithm;
    double (*seconds)(const Profile& profile, double P, double m);
};

/// Seconds per byte of a local copy.
double copy(const Profile& profile) {
    const auto byte = model::computation(profile, "copy");
    if (!byte)
        throw std::invalid_argument(
            "the profile does not say how fast memory is copied (kernels.copy): lapwing calibrate "
            "--only kernels measures it");
    return *byte;
}

constexpr std::array forms{
    Form{"send", "direct",
         [](const Profile& profile, double, double m) {
             return model::march2009::point_to_point(profile.loggp, m);
         }},
    Form{"barrier", "dissemination",
         [](const Profile& profile, double P, double) {
             return model::march2009::barrier(profile.loggp, P);
         }},
    Form{"alltoall", "linear",
         [](const Profile& profile, double P, double m) {
             return model::march2009::alltoall_linear(profile.loggp, P, m);
         }},
    Form{"alltoall", "pairwise",
         [](const Profile& profile, double P, double m) {
             return model::march2009::alltoall_pairwise(profile.loggp, P, m);
         }},
    Form{"alltoall", "bruck",
         [](const Profile& profile, double P, double m) {
             return model::march2009::alltoall_bruck(profile.loggp, copy(profile), P, m);
         }},
    Form{"bcast", "linear",
         [](const Profile& profile, double P, double m) {
             return model::cameron2007::linear(profile.loggp, static_cast<std::uint64_t>(P), m);
         }},
    Form{"bcast", "binomial",
         [](const Profile& profile, double P, double m) {
             return model::march2009::bcast_binomial(profile.loggp, P, m);
         }},
    Form{"bcast", "grouped",
         [](const Profile& profile, double P, double m) {
             return model::cameron2007::grouped(profile.loggp, static_cast<std::uint64_t>(P),
                                                simulate::default_group, m);
         }},
    Form{"bcast", "scatter-ring",
         [](const Profile& profile, double P, double m) {
             return model::march2009::bcast_scatter_ring(profile.loggp, P, m);
         }},
    Form{"bcast", "scatter-recursive-doubling",
         [](const Profile& profile, double P, double m) {
             return model::march2009::bcast_scatter_recursive_doubling(profile.loggp, P, m);
         }},
};

/// A formula for strided data, from the log_3P terms of one message.
struct StridedForm {
    const char* operation;
    const char* algorithm;
    double (*seconds)(const model::Log3PTerms& message, std::uint64_t P);
};

constexpr std::array strided_forms{
    StridedForm{"send", "direct",
                [](const model::Log3PTerms& message, std::uint64_t) { return message.total(); }},
    StridedForm{"bcast", "linear",
                [](const model::Log3PTerms& message, std::uint64_t P) {
                    return model::cameron2007::linear(message, P);
                }},
    StridedForm{"bcast", "binomial",
                [](const model::Log3PTerms& message, std::uint64_t P) {
                    return model::cameron2007::tree(message, P);
                }},
    StridedForm{"bcast", "grouped",
                [](const model::Log3PTerms& message, std::uint64_t P) {
                    return model::cameron2007::grouped(message, P, simulate::default_group);
                }},
};

template <class Forms>
const auto* find(const Forms& all, std::string_view operation, std::string_view algorithm) {
    const auto* const found = std::find_if(all.begin(), all.end(), [&](const auto& form) {
        return form.operation == operation && form.algorithm == algorithm;
    });
    return found == all.end() ? nullptr : &*found;
}

}  // namespace

bool is_printed(std::string_view operation, std::string_view algorithm, bool strided) {
    if (strided) return find(strided_forms, operation, algorithm) != nullptr;
    return find(forms, operation, algorithm) != nullptr;
}

double printed(const Profile& profile, std::string_view operation, std::string_view algorithm,
               std::uint64_t ranks, std::uint64_t size, std::optional<std::uint64_t> stride) {
    if (!is_printed(operation, algorithm, stride.has_value()))
        throw std::invalid_argument("no paper prints a formula for " + std::string(operation) +
                                    " " + std::string(algorithm) +
                                    (stride ? " of strided data" : "") +
                                    ": leave out --model printed");
    if (ranks < 2) return 0;
    const auto m = static_cast<double>(size);
    if (!stride) {
        const double shortest = std::max(1.0, m);
        return find(forms, operation, algorithm)
            ->seconds(profile, static_cast<double>(ranks), shortest);
    }
    const auto message = model::log3p(strided_costs(profile), m, static_cast<double>(*stride));
    return find(strided_forms, operation, algorithm)->seconds(message, ranks);
}

}  // namespace lapwing
