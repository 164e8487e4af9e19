#include <map>
#include <mutex>
#include <tuple>

#include "cuda/adaptive/device_containers.hpp"
#include "cuda/check.cuh"

namespace baltoro::cuda {
namespace {

// Copies by device and by where the matrix is on the host. The copy keeps the host's alive, so an
// address cannot come to mean another matrix.
using copy_key = std::tuple<int, const void*, std::uint64_t>;

std::mutex registry_mutex;

std::map<copy_key, std::weak_ptr<device_containers>>& registry() {
  static std::map<copy_key, std::weak_ptr<device_containers>> copies;
  return copies;
}

copy_key key_of(const matrix& a) {
  return {current_device(), a.adaptive().payload, a.adaptive().payload_words};
}

// Calls part(pointer of the view, bytes) for every array of a matrix.
template <class View, class Part>
void for_each_part(View& a, const Part& part) {
  part(a.places, 8 * a.containers);
  part(a.starts, 2 * a.containers);
  part(a.start_bases, 8 * a.bases());
  part(a.payload, 4 * a.payload_words);
  part(a.dictionary, 8 * a.patterns);
}

// Reading bits reaches two words beyond the payload.
constexpr std::uint64_t place_for(std::uint64_t bytes) { return aligned(bytes + 8); }

std::uint64_t bytes_of(const std::vector<std::uint32_t>& list) {
  return sizeof(std::uint32_t) * list.size();
}

std::uint64_t copy_bytes(const adaptive_view& a, const format::streamed_containers& streams) {
  std::uint64_t sum = streams.others.empty() ? 0 : place_for(bytes_of(streams.others));
  for_each_part(a, [&](const auto*, std::uint64_t part) { sum += place_for(part); });
  return sum;
}

// The copy of a matrix that a plan holds, or null.
std::shared_ptr<device_containers> held_copy(const matrix& a) {
  const std::lock_guard lock(registry_mutex);
  const auto found = registry().find(key_of(a));
  return found == registry().end() ? nullptr : found->second.lock();
}

}  // namespace

device_containers::device_containers(const matrix& a)
    : device_containers(a, format::streamed_in(a.adaptive())) {}

device_containers::device_containers(const matrix& a, const format::streamed_containers& streams)
    : a_(a),
      memory_(copy_bytes(a.adaptive(), streams), "the matrix"),
      view_(a.adaptive()),
      streamed_(streams.any),
      other_containers_(streams.any ? streams.others.size() : view_.containers) {
  const stream upload;
  std::uint64_t offset = 0;
  const auto place = [&](const auto*& pointer, std::uint64_t part) {
    copy_to_device(memory_.at<unsigned char>(offset), pointer, part, upload.get());
    pointer = memory_.at<std::remove_reference_t<decltype(*pointer)>>(offset);
    offset += place_for(part);
  };
  for_each_part(view_, place);
  if (!streams.others.empty()) {
    others_ = streams.others.data();
    place(others_, bytes_of(streams.others));
  }
  upload.wait();
}

std::shared_ptr<device_containers> device_containers::shared(const matrix& a) {
  const std::lock_guard lock(registry_mutex);
  auto& copies = registry();
  std::erase_if(copies, [](const auto& entry) { return entry.second.expired(); });
  std::weak_ptr<device_containers>& slot = copies[key_of(a)];
  std::shared_ptr<device_containers> copy = slot.lock();
  if (copy == nullptr) {
    copy = std::make_shared<device_containers>(a);
    slot = copy;
  }
  return copy;
}

bool device_containers::resident(const matrix& a) { return held_copy(a) != nullptr; }

std::uint64_t device_containers::bytes(const matrix& a) {
  const std::shared_ptr<device_containers> held = held_copy(a);
  return held != nullptr ? held->memory_.bytes()
                         : copy_bytes(a.adaptive(), format::streamed_in(a.adaptive()));
}

}  // namespace baltoro::cuda
