#include "io/k2m_sections.hpp"

#include <baltoro/error.hpp>

#include <algorithm>
#include <cstring>
#include <utility>

#include <xxhash.h>

namespace baltoro::io::k2m {

section_file::section_file(const std::filesystem::path& file)
    : name_(file.string()),
      mapped_(std::make_shared<io::whole_file>(file)),
      bytes_(std::as_bytes(mapped_->bytes())) {
  read_header();
  read_table();
}

void section_file::fail(const std::string& place, const std::string& reason) const {
  throw invalid_format(name_, place, reason);
}

void section_file::read_header() {
  if (bytes_.size() < sizeof head_) {
    fail("", bytes_.empty() ? "the file is empty"
                            : fmt::format("{} bytes are too few for a .k2m header", bytes_.size()));
  }
  std::memcpy(&head_, bytes_.data(), sizeof head_);
  if (head_.magic != magic) fail("byte 0", "not a .k2m file: the magic number is wrong");
  if (head_.version != version) {
    fail("byte 8", fmt::format("format version {} is not known; this version reads {}",
                               head_.version, version));
  }
  if (head_.header_bytes != sizeof head_) {
    fail("byte 12",
         fmt::format("a header of {} bytes; version 1 has {}", head_.header_bytes, sizeof head_));
  }
  if (head_.reserved != decltype(head_.reserved){}) {
    fail("byte 32", "reserved bytes are set: a newer version wrote this file");
  }
  if (head_.file_bytes != bytes_.size()) {
    fail("byte 16",
         fmt::format(
             "the header states {} bytes, the file has {}: {}", head_.file_bytes, bytes_.size(),
             head_.file_bytes > bytes_.size() ? "it is truncated" : "something was appended"));
  }
  if (head_.sections > (bytes_.size() - sizeof head_) / sizeof(section)) {
    fail("byte 24", fmt::format("{} sections do not fit the file", head_.sections));
  }
  // Every relation has a matrix section, so this also bounds the work that follows.
  if (head_.relations == 0 || head_.relations > head_.sections) {
    fail("byte 28", fmt::format("{} relations in {} sections", head_.relations, head_.sections));
  }
}

void section_file::read_table() {
  table_.resize(head_.sections);
  std::memcpy(table_.data(), bytes_.data() + sizeof head_, table_.size() * sizeof(section));
  if (checksum_of(head_, table_) != head_.checksum) {
    fail("byte 56", "the checksum of the header is wrong: the file is damaged");
  }
  for (std::size_t i = 0; i < table_.size(); ++i) {
    const section& s = table_[i];
    if (s.offset % alignment != 0 || s.offset > bytes_.size() ||
        s.bytes > bytes_.size() - s.offset) {
      fail(fmt::format("section {}", i),
           fmt::format("bytes {} to {} do not fit the file", s.offset, s.offset + s.bytes));
    }
  }
  // Sections that share bytes would let a small file cost the work of a large one.
  std::stable_sort(table_.begin(), table_.end(), [](const section& a, const section& b) {
    return a.offset != b.offset ? a.offset < b.offset : a.bytes < b.bytes;
  });
  for (std::size_t i = 1; i < table_.size(); ++i) {
    if (table_[i].offset < table_[i - 1].offset + table_[i - 1].bytes) {
      fail(fmt::format("byte {}", table_[i].offset), "two sections overlap");
    }
  }
  std::stable_sort(table_.begin(), table_.end(), [](const section& a, const section& b) {
    return a.relation != b.relation ? a.relation < b.relation : a.kind < b.kind;
  });
  const auto twin =
      std::adjacent_find(table_.begin(), table_.end(), [](const section& a, const section& b) {
        return a.relation == b.relation && a.kind == b.kind;
      });
  if (twin != table_.end()) {
    fail(fmt::format("byte {}", twin->offset), "a section that the file has twice");
  }
}

void section_file::verify_checksums() const {
  for (const section& s : table_) {
    if (XXH3_64bits(bytes_.data() + s.offset, s.bytes) != s.checksum) {
      fail(fmt::format("byte {}", s.offset),
           fmt::format("the checksum of the {} bytes from here is wrong: the file is damaged",
                       s.bytes));
    }
  }
}

std::optional<std::span<const std::byte>> section_file::find(std::uint32_t relation,
                                                             section_kind kind) const {
  const auto at = std::lower_bound(
      table_.begin(), table_.end(), std::pair(relation, kind),
      [](const section& s, const auto& wanted) { return std::pair(s.relation, s.kind) < wanted; });
  if (at == table_.end() || at->relation != relation || at->kind != kind) return std::nullopt;
  return bytes_.subspan(at->offset, at->bytes);
}

}  // namespace baltoro::io::k2m
