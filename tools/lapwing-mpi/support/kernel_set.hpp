#pragma once

#include <optional>
#include <string>
#include <vector>

#include "lapwing/calibrate/parts/kernels.hpp"
#ifdef LAPWING_BZIP2
#include "lapwing/compute/bzip2_block.hpp"
#endif
#ifdef LAPWING_FFT
#include "support/fft_line.hpp"
#endif

namespace lapwing::tools {

/// The kernels that this program was built with, and a warning for each of the others.
class KernelSet {
  public:
    /// `here`: whether kernels run on this rank. If not, it allocates no memory for them.
    explicit KernelSet(bool here) {
        if (!here) return;
        memory_.emplace().add_to(all_);
#ifdef LAPWING_BZIP2
        bzip2_.emplace();
        all_.push_back({Bzip2Block::name, Bzip2Block::bytes, [this] { (*bzip2_)(); }});
#else
        warnings_.push_back("no rate of bzip2: this program was built without libbz2");
#endif
#ifdef LAPWING_FFT
        fft_.emplace();
        all_.push_back({FftLine::name, FftLine::operations(), [this] { (*fft_)(); }});
#else
        warnings_.push_back("no rate of fft: this program was built without FFTW");
#endif
    }
    KernelSet(const KernelSet&) = delete;
    KernelSet& operator=(const KernelSet&) = delete;
    ~KernelSet() = default;

    [[nodiscard]] const std::vector<Kernel>& all() const { return all_; }
    [[nodiscard]] const std::vector<std::string>& warnings() const { return warnings_; }

  private:
    std::optional<MemoryKernels> memory_;
#ifdef LAPWING_BZIP2
    std::optional<Bzip2Block> bzip2_;
#endif
#ifdef LAPWING_FFT
    std::optional<FftLine> fft_;
#endif
    std::vector<Kernel> all_;
    std::vector<std::string> warnings_;
};

}  // namespace lapwing::tools
