#pragma once

#include <ucp/api/ucp.h>

#include <stdexcept>
#include <string>

namespace lapwing {

/// A UCX call that failed. The text names the call, the peer it was about, and UCX's reason.
class UcxError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// Throws `UcxError` unless `status` is UCS_OK. `call`: its name. `peer`: the rank it was about;
/// negative: none.
inline void check_ucx(ucs_status_t status, const char* call, int peer = -1) {
    if (status == UCS_OK) return;
    std::string message = std::string(call) + " failed";
    if (peer >= 0) message += " with rank " + std::to_string(peer);
    throw UcxError(message + ": " + ucs_status_string(status));
}

}  // namespace lapwing
