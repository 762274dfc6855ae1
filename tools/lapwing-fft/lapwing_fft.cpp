#include "lapwing_fft.h"

#include <mpi.h>

#include <algorithm>
#include <complex>
#include <exception>
#include <memory>
#include <stdexcept>
#include <string>

#include "lapwing/fft/fft.hpp"
#include "lapwing/fft/names.hpp"

namespace {

using lapwing::fft::Box;
using lapwing::fft::Options;
using lapwing::fft::RealTransform;
using lapwing::fft::Size;
using lapwing::fft::Transform;

/// A transform of any kind and precision.
class Plan {
  public:
    Plan() = default;
    Plan(const Plan&) = delete;
    Plan& operator=(const Plan&) = delete;
    virtual ~Plan() = default;

    [[nodiscard]] virtual Box space() const = 0;
    [[nodiscard]] virtual Box spectrum() const = 0;
    [[nodiscard]] virtual std::size_t bytes() const = 0;
    virtual void forward(const void* in, void* out) = 0;
    virtual void inverse(const void* in, void* out) = 0;
};

template <class Real>
class ComplexPlan : public Plan {
  public:
    using Complex = std::complex<Real>;
    ComplexPlan(MPI_Comm ranks, const Size& size, const Options& options)
        : transform_(ranks, size, options) {}

    [[nodiscard]] Box space() const override { return transform_.input_box(); }
    [[nodiscard]] Box spectrum() const override { return transform_.output_box(); }
    [[nodiscard]] std::size_t bytes() const override {
        return transform_.capacity() * sizeof(Complex);
    }
    void forward(const void* in, void* out) override {
        transform_.forward(static_cast<const Complex*>(in), static_cast<Complex*>(out));
    }
    void inverse(const void* in, void* out) override {
        transform_.inverse(static_cast<const Complex*>(in), static_cast<Complex*>(out));
    }

  private:
    Transform<Real> transform_;
};

template <class Real>
class RealPlan : public Plan {
  public:
    using Complex = std::complex<Real>;
    RealPlan(MPI_Comm ranks, const Size& size, const Options& options)
        : transform_(ranks, size, options) {}

    [[nodiscard]] Box space() const override { return transform_.space(); }
    [[nodiscard]] Box spectrum() const override { return transform_.spectrum(); }
    [[nodiscard]] std::size_t bytes() const override {
        return transform_.capacity() * sizeof(Complex);
    }
    void forward(const void* in, void* out) override {
        transform_.forward(static_cast<const Real*>(in), static_cast<Complex*>(out));
    }
    void inverse(const void* in, void* out) override {
        transform_.inverse(static_cast<const Complex*>(in), static_cast<Real*>(out));
    }

  private:
    RealTransform<Real> transform_;
};

std::string& last_error() {
    static std::string text;
    return text;
}

/// Returns 0, or 1 if `action` throws, and keeps the message.
template <class Action>
int guarded(Action&& action) {
    try {
        action();
        return 0;
    } catch (const std::exception& error) {
        last_error() = error.what();
    } catch (...) {
        last_error() = "fft: failed for no reason that is known";
    }
    return 1;
}

template <class Real>
std::unique_ptr<Plan> plan(MPI_Comm ranks, const lapwing_fft_request& request,
                           const Options& options) {
    const Size size = {request.size[0], request.size[1], request.size[2]};
    if (request.real != 0) return std::make_unique<RealPlan<Real>>(ranks, size, options);
    return std::make_unique<ComplexPlan<Real>>(ranks, size, options);
}

Options options_of(const lapwing_fft_request& request) {
    using namespace lapwing::fft;
    Options options;
    const auto read = [](const char* word, auto& option, auto&& named) {
        if (word != nullptr) option = named(word);
    };
    read(request.schedule, options.schedule, schedule_named);
    options.transport = usual_transport(options.schedule);
    read(request.transport, options.transport, transport_named);
    read(request.order, options.order, order_named);
    read(request.effort, options.effort, effort_named);
    read(request.decomposition, options.decomposition, decomposition_named);
    read(request.packing, options.packing, packing_named);
    options.window = request.window;
    options.grid = {request.grid[0], request.grid[1]};
    options.tile = request.tile;
    options.strips = request.strips;
    options.poll_interval = request.poll_interval;
    options.batch = request.batch;
    options.block = request.block;
    options.padding = request.padding;
    return options;
}

lapwing_fft_box box_of(const Box& box) {
    lapwing_fft_box result{};
    std::copy(box.first.begin(), box.first.end(), result.first);
    std::copy(box.count.begin(), box.count.end(), result.count);
    std::copy(box.order.begin(), box.order.end(), result.order);
    return result;
}

}  // namespace

#define LAPWING_FFT_VISIBLE __attribute__((visibility("default")))

LAPWING_FFT_VISIBLE const char* lapwing_fft_error(void) { return last_error().c_str(); }

LAPWING_FFT_VISIBLE void* lapwing_fft_plan(const void* ranks, const lapwing_fft_request* request) {
    std::unique_ptr<Plan> made;
    guarded([&] {
        if (ranks == nullptr || request == nullptr)
            throw std::invalid_argument("fft: a plan needs a communicator and a request");
        const Options options = options_of(*request);
        MPI_Comm communicator = *static_cast<const MPI_Comm*>(ranks);
        if (communicator == MPI_COMM_NULL)
            throw std::invalid_argument("fft: MPI_COMM_NULL has no ranks");
        made = request->single_precision != 0 ? plan<float>(communicator, *request, options)
                                              : plan<double>(communicator, *request, options);
    });
    return made.release();
}

LAPWING_FFT_VISIBLE void lapwing_fft_free(void* plan) { delete static_cast<Plan*>(plan); }

LAPWING_FFT_VISIBLE size_t lapwing_fft_bytes(const void* plan) {
    return static_cast<const Plan*>(plan)->bytes();
}

LAPWING_FFT_VISIBLE lapwing_fft_box lapwing_fft_space(const void* plan) {
    return box_of(static_cast<const Plan*>(plan)->space());
}

LAPWING_FFT_VISIBLE lapwing_fft_box lapwing_fft_spectrum(const void* plan) {
    return box_of(static_cast<const Plan*>(plan)->spectrum());
}

LAPWING_FFT_VISIBLE int lapwing_fft_forward(void* plan, const void* in, void* out) {
    return guarded([&] { static_cast<Plan*>(plan)->forward(in, out); });
}

LAPWING_FFT_VISIBLE int lapwing_fft_inverse(void* plan, const void* in, void* out) {
    return guarded([&] { static_cast<Plan*>(plan)->inverse(in, out); });
}

LAPWING_FFT_VISIBLE int lapwing_fft_save_wisdom(const char* path) {
    return guarded([&] { lapwing::fft::save_wisdom(path); });
}

LAPWING_FFT_VISIBLE int lapwing_fft_load_wisdom(const char* path) {
    return guarded([&] { lapwing::fft::load_wisdom(path); });
}
