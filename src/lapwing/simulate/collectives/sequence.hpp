#pragma once

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "lapwing/simulate/collectives/collective.hpp"

namespace lapwing::simulate {

/// Two collectives over the same blocks, one after the other. Each rank begins the second as soon
/// as it has ended the first.
class Sequence final : public Collective {
  public:
    Sequence(std::unique_ptr<Collective> first, std::unique_ptr<Collective> second)
        : Collective(first->ranks(), first->parts()),
          first_(std::move(first)),
          second_(std::move(second)) {}

    [[nodiscard]] std::uint32_t steps(Rank rank) const override {
        return first_->steps(rank) + second_->steps(rank);
    }
    [[nodiscard]] Step step(Rank rank, std::uint32_t step) const override {
        const std::uint32_t steps = first_->steps(rank);
        return step < steps ? first_->step(rank, step) : second_->step(rank, step - steps);
    }
    [[nodiscard]] Transfer sent(Rank rank, std::uint32_t step, std::uint32_t index) const override {
        const std::uint32_t steps = first_->steps(rank);
        if (step < steps) return first_->sent(rank, step, index);
        Transfer transfer = second_->sent(rank, step - steps, index);
        transfer.key += first_->steps(transfer.peer);
        return transfer;
    }
    [[nodiscard]] Transfer received(Rank rank, std::uint32_t step,
                                    std::uint32_t index) const override {
        const std::uint32_t steps = first_->steps(rank);
        return step < steps ? first_->received(rank, step, index)
                            : second_->received(rank, step - steps, index);
    }
    [[nodiscard]] std::vector<std::uint64_t> blocks(Rank rank, std::uint32_t step,
                                                    std::uint32_t index) const override {
        const std::uint32_t steps = first_->steps(rank);
        return step < steps ? first_->blocks(rank, step, index)
                            : second_->blocks(rank, step - steps, index);
    }

  private:
    std::unique_ptr<Collective> first_;
    std::unique_ptr<Collective> second_;
};

}  // namespace lapwing::simulate
