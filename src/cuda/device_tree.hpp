// The copy of a level-order tree in device memory, shared by all plans on one matrix.
#pragma once

#include <baltoro/matrix.hpp>

#include <cstdint>
#include <map>
#include <memory>

#include "cuda/device_memory.hpp"

namespace baltoro::cuda {

// Codes of all nodes of one level, kept on the device.
struct cached_codes {
  device_memory memory;
  const std::uint64_t* data() const { return memory.at<std::uint64_t>(); }
};

// Bytes that the tree and its directory take on a device, and the codes of one level.
std::uint64_t tree_bytes(const level_order_view& tree);
std::uint64_t codes_bytes(const level_order_view& tree, unsigned level);

class device_tree {
 public:
  // Uploads a tree that has nodes, and waits for it. `a` is kept alive, since it is what later plans
  // are told by that they want the same tree.
  explicit device_tree(const matrix& a);

  // The tree with pointers into device memory.
  const level_order_view& view() const { return view_; }
  // The copy of this matrix on the current device, uploaded where no plan holds one.
  static std::shared_ptr<device_tree> shared(const matrix& a);
  // The codes of a level, from the host where no plan holds them.
  std::shared_ptr<cached_codes> codes(unsigned level);
  // The codes that a plan holds, or nothing.
  std::shared_ptr<cached_codes> held_codes(unsigned level);
  void hold_codes(unsigned level, const std::shared_ptr<cached_codes>& codes);

  // Bytes of a matrix that are on the current device already.
  static std::uint64_t resident_bytes(const matrix& a, unsigned codes_level);

 private:
  matrix a_;
  device_memory memory_;
  level_order_view view_;
  std::map<unsigned, std::weak_ptr<cached_codes>> codes_;
};

}  // namespace baltoro::cuda
