// Files under tests/data/invalid: each must be refused with the right place and reason.
#pragma once

#include <baltoro/error.hpp>

#include <filesystem>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/data.hpp"

namespace baltoro::test {

struct invalid_file {
  std::string name;
  std::string place_and_reason;  // what follows "FILE: " in the message, or the start of it
};

inline void expect_refusals(const std::vector<invalid_file>& files,
                            const std::function<void(const std::filesystem::path&)>& read) {
  for (const auto& file : files) {
    const auto path = test_data() / "invalid" / file.name;
    ASSERT_TRUE(std::filesystem::exists(path)) << path;
    EXPECT_THAT([&] { read(path); }, testing::ThrowsMessage<invalid_format>(testing::StartsWith(
                                         path.string() + ": " + file.place_and_reason)))
        << file.name;
  }
}

// Checks that no file of an extension is left out of the list.
inline void expect_all_listed(const std::vector<invalid_file>& files,
                              const std::string& extension) {
  std::set<std::string> listed;
  for (const auto& file : files) listed.insert(file.name);
  std::set<std::string> present;
  for (const auto& entry : std::filesystem::directory_iterator(test_data() / "invalid")) {
    if (entry.path().extension() == extension) present.insert(entry.path().filename().string());
  }
  EXPECT_EQ(listed, present);
}

}  // namespace baltoro::test
