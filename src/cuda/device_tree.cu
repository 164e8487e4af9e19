#include <mutex>
#include <tuple>

#include "cuda/check.cuh"
#include "cuda/device_tree.hpp"
#include "format/level_order_tiles.hpp"

namespace baltoro::cuda {
namespace {

// Trees on devices, by where they are on the host. A plan's matrix keeps the host's copy alive, so an
// address cannot come to mean another tree while the device's copy lives.
using tree_key = std::tuple<int, const void*, const void*, std::uint64_t, unsigned>;

std::mutex registry_mutex;

std::map<tree_key, std::weak_ptr<device_tree>>& registry() {
  static std::map<tree_key, std::weak_ptr<device_tree>> trees;
  return trees;
}

tree_key key_of(const matrix& a) {
  const level_order_view& tree = a.tree();
  return {current_device(), tree.signatures, tree.directory, tree.nodes(), tree.levels};
}

}  // namespace

std::uint64_t tree_bytes(const level_order_view& tree) {
  return aligned(8 * tree.signature_words()) + aligned(4 * tree.samples()) +
         aligned(8 * tree.bases());
}

std::uint64_t codes_bytes(const level_order_view& tree, unsigned level) {
  return 8 * tree.nodes_at(level);
}

device_tree::device_tree(const matrix& a)
    : a_(a), memory_(tree_bytes(a.tree()), "the matrix"), view_(a.tree()) {
  const level_order_view& host = a.tree();
  const stream upload;
  std::uint64_t offset = 0;
  const auto place = [&](auto*& pointer, const void* from, std::uint64_t bytes) {
    pointer = memory_.at<std::remove_reference_t<decltype(*pointer)>>(offset);
    copy_to_device(memory_.at<unsigned char>(offset), from, bytes, upload.get());
    offset += aligned(bytes);
  };
  place(view_.signatures, host.signatures, 8 * host.signature_words());
  place(view_.directory, host.directory, 4 * host.samples());
  place(view_.directory_base, host.directory_base, 8 * host.bases());
  upload.wait();
}

std::shared_ptr<device_tree> device_tree::shared(const matrix& a) {
  const std::lock_guard lock(registry_mutex);
  auto& trees = registry();
  std::erase_if(trees, [](const auto& entry) { return entry.second.expired(); });
  std::weak_ptr<device_tree>& slot = trees[key_of(a)];
  std::shared_ptr<device_tree> tree = slot.lock();
  if (tree == nullptr) {
    tree = std::make_shared<device_tree>(a);
    slot = tree;
  }
  return tree;
}

std::shared_ptr<cached_codes> device_tree::codes(unsigned level) {
  std::shared_ptr<cached_codes> found = held_codes(level);
  if (found != nullptr) return found;
  const std::vector<std::uint64_t> host = format::codes_of_level(a_.tree(), level);
  found = std::make_shared<cached_codes>(
      cached_codes{device_memory(8 * host.size(), "the codes of the top level")});
  const stream upload;
  copy_to_device(found->memory.data(), host.data(), 8 * host.size(), upload.get());
  upload.wait();
  hold_codes(level, found);
  return found;
}

std::shared_ptr<cached_codes> device_tree::held_codes(unsigned level) {
  const std::lock_guard lock(registry_mutex);
  return codes_[level].lock();
}

void device_tree::hold_codes(unsigned level, const std::shared_ptr<cached_codes>& codes) {
  const std::lock_guard lock(registry_mutex);
  codes_[level] = codes;
}

std::uint64_t device_tree::resident_bytes(const matrix& a, unsigned codes_level) {
  std::shared_ptr<device_tree> tree;
  {
    const std::lock_guard lock(registry_mutex);
    const auto found = registry().find(key_of(a));
    if (found != registry().end()) tree = found->second.lock();
  }
  if (tree == nullptr) return 0;
  return tree_bytes(a.tree()) +
         (tree->held_codes(codes_level) == nullptr ? 0 : codes_bytes(a.tree(), codes_level));
}

}  // namespace baltoro::cuda
