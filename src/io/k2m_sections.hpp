// The sections of a .k2m file that is being loaded. Every size is checked against the file before
// anything is read from it.
#pragma once

#include <baltoro/k2m.hpp>
#include <baltoro/matrix.hpp>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "io/k2m_layout.hpp"
#include "io/whole_file.hpp"

namespace baltoro::io::k2m {

class section_file {
 public:
  // Maps the file and checks header and section table.
  // Throws io_error, invalid_format.
  explicit section_file(const std::filesystem::path& file);

  std::uint32_t relations() const { return head_.relations; }
  // What keeps the bytes alive, and whether they are mapped.
  std::shared_ptr<const void> owner() const { return mapped_; }
  bool is_mapped() const { return mapped_->is_mapped(); }

  // Throws invalid_format where the checksum of any section is wrong.
  void verify_checksums() const;

  // The bytes of a section, or nothing where the file has none.
  std::optional<std::span<const std::byte>> find(std::uint32_t relation, section_kind kind) const;

  // The numbers of a section that must be there and hold `count` of them.
  template <class T>
  const T* numbers(std::uint32_t relation, section_kind kind, const char* what,
                   std::uint64_t count) const {
    const auto found = find(relation, kind);
    if (!found) fail(fmt::format("relation {}", relation), fmt::format("there are no {}", what));
    if (found->size() % sizeof(T) != 0 || found->size() / sizeof(T) != count) {
      fail(fmt::format("relation {}", relation),
           fmt::format("the {} take {} bytes instead of {} x {}", what, found->size(), count,
                       sizeof(T)));
    }
    return reinterpret_cast<const T*>(found->data());
  }

  // Throws invalid_format about a place in the file.
  [[noreturn]] void fail(const std::string& place, const std::string& reason) const;

 private:
  void read_header();
  void read_table();

  std::string name_;
  std::shared_ptr<io::whole_file> mapped_;
  std::span<const std::byte> bytes_;
  header head_{};
  std::vector<section> table_;
};

// The matrix of a relation. With check::full it has been validated.
matrix read_matrix(const section_file& file, std::uint32_t relation, check how_much);

}  // namespace baltoro::io::k2m
