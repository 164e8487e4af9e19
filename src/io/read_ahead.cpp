#include "io/read_ahead.hpp"

#include <algorithm>
#include <cstring>

namespace baltoro::io {

read_ahead::read_ahead(unpacker& from) : from_(from) {
  for (auto& one : ring_) one.bytes.resize(block_bytes);
  thread_ = std::thread([this] { work(); });
}

read_ahead::~read_ahead() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

// Ends after a block that is not full: the file is at its end, or damaged.
void read_ahead::work() {
  for (std::uint64_t number = 0;; ++number) {
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [&] { return stop_ || number - taken_ < blocks; });
      if (stop_) return;
    }
    block& one = ring_[number % blocks];
    try {
      one.size = from_.read(one.bytes);
    } catch (...) {
      one.size = 0;
      one.failure = std::current_exception();
    }
    {
      const std::lock_guard lock(mutex_);
      made_ = number + 1;
    }
    changed_.notify_all();
    if (one.size < block_bytes) return;
  }
}

std::size_t read_ahead::read(std::span<char> to) {
  std::size_t done = 0;
  while (done < to.size()) {
    if (!has_block_) {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [&] { return made_ > taken_; });
      has_block_ = true;
      position_ = 0;
    }
    const block& one = ring_[taken_ % blocks];
    const std::size_t some = std::min(to.size() - done, one.size - position_);
    std::memcpy(to.data() + done, one.bytes.data() + position_, some);
    done += some;
    position_ += some;
    if (position_ < one.size) continue;
    if (one.size < block_bytes) {  // the last one, kept for further calls
      if (one.failure) std::rethrow_exception(one.failure);
      break;
    }
    has_block_ = false;
    {
      const std::lock_guard lock(mutex_);
      ++taken_;
    }
    changed_.notify_all();
  }
  return done;
}

}  // namespace baltoro::io
