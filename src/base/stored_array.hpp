// An array that grows in memory or, where memory is short, in a nameless file that is mapped.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <type_traits>
#include <vector>

#include "base/pages.hpp"
#include "base/temporary_file.hpp"

namespace baltoro::base {

// Where arrays are kept.
struct array_place {
  bool on_disk = false;
  std::filesystem::path directory;  // see temporary_file
};

// First elements are appended, then finish() makes them readable; or resize() makes zeros.
template <class T>
class stored_array {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  explicit stored_array(array_place place = {}) : place_(std::move(place)) {}

  void push_back(const T& value) {
    memory_.push_back(value);
    if (place_.on_disk && memory_.size() * sizeof(T) >= buffer_bytes) spill();
  }

  void append(std::span<const T> values) {
    memory_.insert(memory_.end(), values.begin(), values.end());
    if (place_.on_disk && memory_.size() * sizeof(T) >= buffer_bytes) spill();
  }

  // Says about how many elements there will be, so that growing in memory seldom moves them.
  void expect(std::uint64_t count) {
    if (place_.on_disk || count <= memory_.capacity()) return;
    memory_.reserve(count);
    prefer_large_pages(memory_.data() + memory_.size(), (count - memory_.size()) * sizeof(T));
  }

  void finish() {
    if (!place_.on_disk) {
      memory_.shrink_to_fit();
      return;
    }
    spill();
    if (!file_ || file_->size() == 0) return;
    count_ = file_->size() / sizeof(T);
    mapping_ = file_->map(file_->size());
    file_.reset();
  }

  // Makes the array, which is empty so far, `count` zeros.
  void resize(std::uint64_t count) {
    if (!place_.on_disk) {
      memory_.reserve(count);
      prefer_large_pages(memory_.data(), count * sizeof(T));
      memory_.resize(count);
    } else if (count != 0) {
      mapping_ = temporary_file(place_.directory).map(count * sizeof(T));
      count_ = count;
    }
  }

  T* data() { return place_.on_disk ? reinterpret_cast<T*>(mapping_.get()) : memory_.data(); }
  const T* data() const {
    return place_.on_disk ? reinterpret_cast<const T*>(mapping_.get()) : memory_.data();
  }
  std::uint64_t size() const { return place_.on_disk ? count_ : memory_.size(); }
  std::span<T> span() { return {data(), size()}; }
  std::span<const T> span() const { return {data(), size()}; }
  T& operator[](std::uint64_t i) { return data()[i]; }
  const T& operator[](std::uint64_t i) const { return data()[i]; }

  // Gives memory back to the system where the elements are on disk; they are read again when needed.
  void release(std::uint64_t first, std::uint64_t last) const {
    if (place_.on_disk && first < last) {
      release_pages(data() + first, (last - first) * sizeof(T));
    }
  }
  void release() const { release(0, size()); }

 private:
  static constexpr std::size_t buffer_bytes = std::size_t{1} << 18U;

  void spill() {
    if (memory_.empty()) return;
    if (!file_) file_.emplace(place_.directory);
    file_->append(memory_.data(), memory_.size() * sizeof(T));
    memory_.clear();
  }

  array_place place_;
  std::vector<T> memory_;  // all elements, or those that have not gone to the file
  std::optional<temporary_file> file_;
  std::shared_ptr<std::byte> mapping_;
  std::uint64_t count_ = 0;  // of the mapping
};

}  // namespace baltoro::base
