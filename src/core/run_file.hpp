// Sorted runs of Morton codes on disk and their merge: how more edges than memory are sorted.
#pragma once

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <vector>

#include "base/temporary_file.hpp"

namespace baltoro::core {

class run_file {
 public:
  explicit run_file(const std::filesystem::path& directory)
      : directory_(directory), file_(directory) {}

  // The runs that can be merged within so many bytes, at a reading of 4 KiB each.
  static constexpr std::size_t most_runs(std::uint64_t memory_bytes) {
    return std::max<std::size_t>(2, memory_bytes / (bytes_a_code * least_codes_read));
  }

  // Appends one run of ascending codes.
  void append(std::span<const std::uint64_t> codes);

  // Merges all runs into one, without duplicates. Takes as much of the disk again for that time.
  void fold(std::uint64_t memory_bytes);

  std::size_t runs() const { return runs_.size(); }

  // Number of codes in all runs.
  std::uint64_t codes() const { return file_.size() / 8; }

  // Calls `take` with all codes of all runs in ascending order, duplicates kept, in batches that
  // `take` may overwrite. Holds at most about `memory_bytes` bytes, where there are at most most_runs() runs.
  void merge(std::uint64_t memory_bytes,
             const std::function<void(std::span<std::uint64_t>)>& take) const;

 private:
  struct run {
    std::uint64_t begin;  // in codes
    std::uint64_t end;
  };

  static constexpr std::size_t bytes_a_code = 24;  // in a buffer, taken from it, and to sort it
  static constexpr std::size_t least_codes_read = 512;

  std::filesystem::path directory_;
  base::temporary_file file_;
  std::vector<run> runs_;
};

}  // namespace baltoro::core
