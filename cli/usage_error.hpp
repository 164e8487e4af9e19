// The user asked for something that cannot be, whatever the files hold.
#pragma once

#include <stdexcept>

namespace baltoro::cli {

class usage_error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace baltoro::cli
