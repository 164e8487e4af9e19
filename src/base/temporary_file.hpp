// A file without a name, for data that does not fit in memory: it vanishes with the object, or with
// the process, however that ends.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>

namespace baltoro::base {

class temporary_file {
 public:
  // In `directory`; where that is empty, in $TMPDIR or else /var/tmp.
  explicit temporary_file(const std::filesystem::path& directory);
  ~temporary_file();
  temporary_file(temporary_file&& other) noexcept;
  temporary_file& operator=(temporary_file&& other) noexcept;

  // Appends. Throws io_error, for instance on a full disk.
  void append(const void* data, std::size_t bytes);
  // Reads exactly `bytes` bytes from `offset`.
  void read(std::uint64_t offset, void* data, std::size_t bytes) const;
  // Forgets everything from `bytes` on.
  void truncate(std::uint64_t bytes) { size_ = bytes; }
  // Bytes appended so far.
  std::uint64_t size() const { return size_; }

  // Makes the file `bytes` long, with the space really reserved, and maps it for reading and
  // writing. The mapping outlives the object.
  std::shared_ptr<std::byte> map(std::uint64_t bytes);

 private:
  std::string name_;
  int descriptor_ = -1;
  std::uint64_t size_ = 0;
};

}  // namespace baltoro::base
