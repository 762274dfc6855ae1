#pragma once

#include <memory>
#include <utility>

namespace lapwing {

/// A collective under way whose sizes travel ahead of its data. `Engine` carries it out: it has
/// `test` and `wait` for a `State`.
template <class Engine, class State>
class VaryingRequest {
  public:
    VaryingRequest() = default;
    VaryingRequest(VaryingRequest&& other) noexcept = default;
    VaryingRequest& operator=(VaryingRequest&& other) noexcept {
        std::swap(engine_, other.engine_);
        std::swap(state_, other.state_);
        return *this;
    }
    VaryingRequest(const VaryingRequest&) = delete;
    VaryingRequest& operator=(const VaryingRequest&) = delete;
    /// Waits: the data is in use until then. An error in that cannot be told to anybody.
    ~VaryingRequest() {
        try {
            wait();
        } catch (...) {  // NOLINT(bugprone-empty-catch)
        }
    }

    /// Whether this rank's part is complete. Lets all collectives of the engine progress.
    bool test() { return state_ == nullptr || engine_->test(*state_); }
    /// Returns when this rank's part is complete.
    void wait() {
        if (state_ != nullptr) engine_->wait(*state_);
    }

  protected:
    VaryingRequest(Engine& engine, std::unique_ptr<State> state)
        : engine_(&engine), state_(std::move(state)) {}

    [[nodiscard]] const Engine& engine() const { return *engine_; }
    [[nodiscard]] const State& state() const { return *state_; }

  private:
    Engine* engine_ = nullptr;
    std::unique_ptr<State> state_;
};

}  // namespace lapwing
