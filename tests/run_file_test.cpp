// Sorted runs on disk: merging more of them than there is memory for.
#include "core/run_file.hpp"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <random>
#include <set>
#include <span>
#include <vector>

#include <gtest/gtest.h>

#include "support/temporary_directory.hpp"

namespace {

using namespace baltoro;

std::vector<std::uint64_t> merged(const core::run_file& runs, std::uint64_t memory_bytes) {
  std::vector<std::uint64_t> all;
  runs.merge(memory_bytes, [&](std::span<std::uint64_t> codes) {
    all.insert(all.end(), codes.begin(), codes.end());
    std::fill(codes.begin(), codes.end(), 0);  // as an encoder may
  });
  return all;
}

TEST(RunFile, FoldsManyRunsIntoOneWithoutDuplicates) {
  const test::temporary_directory folder;
  std::mt19937_64 random(1);
  core::run_file runs(folder.path());
  std::set<std::uint64_t> all;
  // Runs of very different lengths, which have many codes in common; the longest exceed a buffer.
  for (int i = 0; i < 60; ++i) {
    std::set<std::uint64_t> run;
    const std::size_t length = std::size_t{1} << (random() % 13);
    while (run.size() < length) run.insert(random() % 20'000);
    runs.append(std::vector<std::uint64_t>(run.begin(), run.end()));
    all.insert(run.begin(), run.end());
    if (i % 25 == 24) {
      runs.fold(1 << 16U);
      EXPECT_EQ(runs.runs(), 1U);
      EXPECT_EQ(runs.codes(), all.size());
    }
  }
  EXPECT_EQ(runs.runs(), 11U);
  runs.fold(1 << 16U);
  EXPECT_EQ(merged(runs, 1 << 16U), std::vector<std::uint64_t>(all.begin(), all.end()));
  EXPECT_TRUE(std::filesystem::is_empty(folder.path())) << "files have no names";
}

TEST(RunFile, FoldsNothingToo) {
  const test::temporary_directory folder;
  core::run_file runs(folder.path());
  runs.fold(1 << 16U);
  EXPECT_EQ(runs.runs(), 0U);
  EXPECT_TRUE(merged(runs, 1 << 16U).empty());
  runs.append(std::vector<std::uint64_t>{3, 5});
  runs.fold(1 << 16U);
  EXPECT_EQ(merged(runs, 1 << 16U), (std::vector<std::uint64_t>{3, 5}));
}

TEST(RunFile, SmallLimitsStillMergeManyRuns) {
  // The least limit of a builder leaves 6 MiB to a merge: runs of 10 MiB of edges, 512 at a time.
  EXPECT_EQ(core::run_file::most_runs(std::uint64_t{6} << 20U), 512U);
  EXPECT_EQ(core::run_file::most_runs(0), 2U);
}

}  // namespace
