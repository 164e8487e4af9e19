// Where the files are that tests read. The folders of the checkout the tests were built in are known from
// then; on another machine the environment variables of the same names say where they are.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>

namespace baltoro::test {

namespace detail {

inline std::filesystem::path folder(const char* variable, const char* built_in) {
  const char* set = std::getenv(variable);
  if (set == nullptr || *set == '\0') return built_in;
  return std::filesystem::absolute(set);
}

}  // namespace detail

// tests/data, or what BALTORO_TEST_DATA names.
inline std::filesystem::path test_data() {
  return detail::folder("BALTORO_TEST_DATA", BALTORO_TEST_DATA);
}

// ../shared/data, or what BALTORO_SHARED_DATA names. It may be absent.
inline std::filesystem::path shared_data() {
  return detail::folder("BALTORO_SHARED_DATA", BALTORO_SHARED_DATA);
}

// The file of that name in the shared data, nothing where it is absent.
inline std::optional<std::filesystem::path> shared_data(const std::string& name) {
  auto file = shared_data() / name;
  if (!std::filesystem::exists(file)) return std::nullopt;
  return file;
}

}  // namespace baltoro::test
