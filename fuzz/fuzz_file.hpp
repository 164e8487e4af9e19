// The bytes of one fuzz input as a file, for readers that open files by name.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>

#include <unistd.h>

namespace baltoro::fuzz {

// One file a process, overwritten for every input and removed at the end.
class fuzz_file {
 public:
  // The name ends with `extension`.
  explicit fuzz_file(const std::string& extension)
      : path_(std::filesystem::temp_directory_path() /
              ("baltoro-fuzz-" + std::to_string(::getpid()) + extension)) {}
  ~fuzz_file() {
    std::error_code ignored;
    std::filesystem::remove(path_, ignored);
  }
  fuzz_file(const fuzz_file&) = delete;
  fuzz_file& operator=(const fuzz_file&) = delete;

  const std::filesystem::path& write(const std::uint8_t* data, std::size_t size) const {
    std::FILE* file = std::fopen(path_.c_str(), "wb");
    if (file == nullptr || std::fwrite(data, 1, size, file) != size || std::fclose(file) != 0) {
      std::perror(path_.c_str());
      std::abort();
    }
    return path_;
  }

 private:
  std::filesystem::path path_;
};

}  // namespace baltoro::fuzz
