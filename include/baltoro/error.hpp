/// \file
/// \brief The exceptions Baltoro throws: one small tree, each with a reason a user can act on.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>

namespace baltoro {

/// Everything that Baltoro throws on purpose derives from this.
class error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// An argument that cannot be used: an index outside the matrix, a vector of the wrong length.
class invalid_argument : public error {
 public:
  using error::error;
};

/// A file that is not what it says it is.
class invalid_format : public error {
 public:
  /// Builds the message "file: place: reason", for instance "web.mtx: line 7: column 9 exceeds 8".
  /// An empty place is left out.
  invalid_format(const std::string& file, const std::string& place, const std::string& reason)
      : error(file + ": " + (place.empty() ? std::string() : place + ": ") + reason) {}
};

/// A file that cannot be opened, read, written or renamed.
class io_error : public error {
 public:
  /// Builds the message "file: action: reason of the system", for instance
  /// "web.mtx: cannot open: No such file or directory". \p error_number is an errno value, 0 for
  /// none.
  io_error(const std::string& file, const std::string& action, int error_number);
};

/// Memory that is not there, or a limit that would be exceeded.
class out_of_memory : public error {
 public:
  /// Builds the message "what: N bytes needed, M available; advice".
  out_of_memory(const std::string& what, std::uint64_t needed_bytes, std::uint64_t available_bytes,
                const std::string& advice);
  /// The bytes that were asked for.
  std::uint64_t needed_bytes() const noexcept { return needed_bytes_; }
  /// The bytes that could be had.
  std::uint64_t available_bytes() const noexcept { return available_bytes_; }

 private:
  std::uint64_t needed_bytes_;
  std::uint64_t available_bytes_;
};

/// The CUDA runtime or a GPU library reported an error.
class cuda_error : public error {
 public:
  using error::error;
};

/// The request needs a part that was left out when this library was built.
class not_compiled : public error {
 public:
  using error::error;
};

}  // namespace baltoro
