#include "io/whole_file.hpp"

#include <baltoro/error.hpp>

#include <algorithm>
#include <cerrno>
#include <string>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace baltoro::io {
namespace {

class descriptor {
 public:
  descriptor(const std::filesystem::path& file, const std::string& name)
      : number_(::open(file.c_str(), O_RDONLY | O_CLOEXEC)) {
    if (number_ < 0) throw io_error(name, "cannot open", errno);
  }
  ~descriptor() { ::close(number_); }
  descriptor(const descriptor&) = delete;
  descriptor& operator=(const descriptor&) = delete;
  operator int() const { return number_; }

 private:
  int number_;
};

}  // namespace

whole_file::whole_file(const std::filesystem::path& file, std::size_t limit) {
  const std::string name = file.string();
  const descriptor from(file, name);
  struct stat status {};
  if (::fstat(from, &status) != 0) throw io_error(name, "cannot read", errno);
  if (S_ISDIR(status.st_mode)) throw io_error(name, "cannot read", EISDIR);
  if (S_ISREG(status.st_mode) && status.st_size > 0) {
    const auto size = static_cast<std::size_t>(status.st_size);
    void* address = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, from, 0);
    if (address != MAP_FAILED) {
      mapping_ = address;
      bytes_ = {static_cast<const std::uint8_t*>(address), size};
      return;
    }
  }
  constexpr std::size_t step = std::size_t{1} << 16;
  for (std::size_t filled = 0;;) {
    if (buffer_.size() - filled < step) buffer_.resize(std::max(2 * buffer_.size(), step));
    const ssize_t count = ::read(from, buffer_.data() + filled, buffer_.size() - filled);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) throw io_error(name, "cannot read", errno);
    if (count == 0 || filled >= limit) {
      bytes_ = {buffer_.data(), filled};
      return;
    }
    filled += static_cast<std::size_t>(count);
  }
}

whole_file::~whole_file() {
  if (mapping_ != nullptr) ::munmap(mapping_, bytes_.size());
}

}  // namespace baltoro::io
