#include <baltoro/error.hpp>

#include <cstring>

#include <fmt/format.h>

namespace baltoro {

io_error::io_error(const std::string& file, const std::string& action, int error_number)
    : error(error_number == 0
                ? fmt::format("{}: {}", file, action)
                : fmt::format("{}: {}: {}", file, action, std::strerror(error_number))) {}

out_of_memory::out_of_memory(const std::string& what, std::uint64_t needed_bytes,
                             std::uint64_t available_bytes, const std::string& advice)
    : error(fmt::format("{}: {} bytes needed, {} available; {}", what, needed_bytes,
                        available_bytes, advice)),
      needed_bytes_(needed_bytes),
      available_bytes_(available_bytes) {}

}  // namespace baltoro
