// Sorted runs of Morton codes on disk and their merge: how more edges than memory are sorted.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <vector>

#include "base/temporary_file.hpp"

namespace baltoro::core {

class run_file {
 public:
  explicit run_file(const std::filesystem::path& directory) : file_(directory) {}

  // Appends one run of ascending codes.
  void append(std::span<const std::uint64_t> codes);

  // Number of codes in all runs.
  std::uint64_t codes() const { return file_.size() / 8; }

  // Calls `take` with all codes of all runs in ascending order, duplicates kept, in batches that
  // `take` may overwrite. Holds at most about `memory_bytes` bytes.
  void merge(std::uint64_t memory_bytes,
             const std::function<void(std::span<std::uint64_t>)>& take) const;

 private:
  struct run {
    std::uint64_t begin;  // in codes
    std::uint64_t end;
  };

  base::temporary_file file_;
  std::vector<run> runs_;
};

}  // namespace baltoro::core
