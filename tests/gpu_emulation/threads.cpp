// Threads of a kernel as fibers.
#include <array>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <numeric>
#include <utility>

#include <boost/context/fiber.hpp>
#include <boost/context/fixedsize_stack.hpp>
#include <boost/context/preallocated.hpp>

#include "cuda_runtime.h"

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/common_interface_defs.h>
#endif

dim3 threadIdx;
dim3 blockIdx;
dim3 blockDim;
dim3 gridDim;

namespace gpu_emulation {
namespace {

constexpr unsigned lanes = 32;
constexpr unsigned most_threads = 1024;
constexpr std::size_t stack_bytes = 256 << 10U;

// This thread's number in its block.
unsigned current() { return threadIdx.x + threadIdx.y * blockDim.x; }

[[noreturn]] void stop(const char* why) {
  std::fprintf(stderr, "emulated GPU: block %u, thread %u: %s\n", blockIdx.x, current(), why);
  std::abort();
}

// Where threads meet: the last to come lets all go on.
struct meeting_point {
  unsigned expected = 0;  // threads that have not ended
  unsigned arrived = 0;
  std::uint64_t rounds = 0;
  meeting what{};
  // What each lane brought, of this round and of the one before, which some may still be reading.
  std::array<std::array<std::uint64_t, lanes>, 2> brought{};
};

// One thread of a block. Its fiber lives on from one kernel to the next.
class worker {
 public:
  worker() : worker(boost::context::fixedsize_stack(stack_bytes)) {}

  // Runs until it waits or its work is done.
  void resume() {
    before_switch(&scheduler_, static_cast<char*>(stack_.sp) - stack_.size, stack_.size);
    fiber_ = std::move(fiber_).resume();
    after_switch(scheduler_);
  }
  // Back to the scheduler, in the fiber.
  void pause() {
    void* own = nullptr;
    before_switch(&own, outer_stack_, outer_size_);
    outer_ = std::move(outer_).resume();
    entered(own);
  }

  const std::function<void()>* work = nullptr;  // null when done
  const meeting_point* waits_at = nullptr;
  std::uint64_t waits_for = 0;  // its round

  bool waiting() const { return waits_at != nullptr && waits_at->rounds == waits_for; }

 private:
  explicit worker(boost::context::fixedsize_stack allocator)
      : stack_(allocator.allocate()),
        fiber_(std::allocator_arg, boost::context::preallocated(stack_.sp, stack_.size, stack_),
               allocator,
               [this](boost::context::fiber&& outer) { return work_on(std::move(outer)); }) {}

  boost::context::fiber work_on(boost::context::fiber&& outer) {
    outer_ = std::move(outer);
    entered(nullptr);
    while (true) {
      (*work)();
      work = nullptr;
      pause();
    }
  }

  // What the address sanitizer must know of a change of stacks.
#if defined(__SANITIZE_ADDRESS__)
  static void before_switch(void** own, const void* stack, std::size_t size) {
    __sanitizer_start_switch_fiber(own, stack, size);
  }
  static void after_switch(void* own) { __sanitizer_finish_switch_fiber(own, nullptr, nullptr); }
  void entered(void* own) { __sanitizer_finish_switch_fiber(own, &outer_stack_, &outer_size_); }
#else
  static void before_switch(void**, const void*, std::size_t) {}
  static void after_switch(void*) {}
  void entered(void*) {}
#endif

  boost::context::stack_context stack_;
  boost::context::fiber fiber_;
  boost::context::fiber outer_;
  void* scheduler_ = nullptr;
  const void* outer_stack_ = nullptr;
  std::size_t outer_size_ = 0;
};

unsigned chosen_order = 0;

// Whose turn it is of `count` things. An order that was chosen is a walk in steps that share no factor with the count.
class turns {
 public:
  turns(std::uint64_t count, bool backwards) : count_(count) {
    if (chosen_order != 0) {
      first_ = chosen_order * 40503ULL % count;
      step_ = 1 + chosen_order * 2654435761ULL % count;
      while (std::gcd(step_, count) != 1) ++step_;
    } else if (backwards) {
      first_ = count - 1;
      step_ = count - 1;
    }
  }
  std::uint64_t operator()(std::uint64_t turn) const { return (first_ + turn * step_) % count_; }

 private:
  std::uint64_t count_;
  std::uint64_t first_ = 0;
  std::uint64_t step_ = 1;
};

std::array<meeting_point, most_threads / lanes> warps;
meeting_point block;
std::array<worker*, most_threads> workers;  // never deleted: they wait in the middle of a call

void wait_at(meeting_point& point) {
  if (++point.arrived == point.expected) {
    point.arrived = 0;
    ++point.rounds;
    return;
  }
  worker& self = *workers[current()];
  self.waits_at = &point;
  self.waits_for = point.rounds;
  self.pause();
}

// A thread has ended; who waits for all threads waits for it no longer.
void leave(unsigned thread) {
  meeting_point& warp = warps[thread / lanes];
  if (warp.arrived != 0) stop("a lane ends while others of its warp wait for it");
  --warp.expected;
  if (--block.expected != 0 && block.arrived == block.expected) {
    block.arrived = 0;
    ++block.rounds;
  }
}

void run_block(unsigned threads, bool backwards, const std::function<void()>& kernel) {
  for (meeting_point& warp : warps) warp.expected = warp.arrived = 0;
  for (unsigned t = 0; t < threads; ++t) ++warps[t / lanes].expected;
  block.expected = threads;
  block.arrived = 0;
  for (unsigned t = 0; t < threads; ++t) {
    if (workers[t] == nullptr) workers[t] = new worker;
    workers[t]->work = &kernel;
    workers[t]->waits_at = nullptr;
  }
  const turns order(threads, backwards);
  for (unsigned left = threads; left != 0;) {
    bool moved = false;
    for (unsigned i = 0; i < threads; ++i) {
      const auto t = static_cast<unsigned>(order(i));
      worker& thread = *workers[t];
      if (thread.work == nullptr || thread.waiting()) continue;
      moved = true;
      thread.waits_at = nullptr;
      threadIdx = dim3(t % blockDim.x, t / blockDim.x);
      thread.resume();
      if (thread.work == nullptr) {
        leave(t);
        --left;
      }
    }
    if (!moved) stop("all threads wait");
  }
}

}  // namespace

const std::uint64_t* meet_warp(meeting what, unsigned mask, std::uint64_t brought) {
  meeting_point& warp = warps[current() / lanes];
  if (mask != 0xFFFF'FFFF) stop("an operation of some lanes only is not emulated");
  if (warp.expected != lanes) stop("an operation of all lanes after some have ended");
  if (warp.arrived != 0 && warp.what != what) stop("lanes meet in different operations");
  warp.what = what;
  auto& values = warp.brought[warp.rounds % 2];
  values[current() % lanes] = brought;
  wait_at(warp);
  return values.data();
}

unsigned lane_of_thread() { return current() % lanes; }

void meet_block() { wait_at(block); }

void set_order(unsigned order) { chosen_order = order; }

void run_kernel(dim3 blocks, dim3 threads, const std::function<void()>& kernel) {
  static std::mutex one_at_a_time;
  static bool backwards = true;
  const std::lock_guard lock(one_at_a_time);
  backwards = !backwards;
  blockDim = threads;
  gridDim = blocks;
  const std::uint64_t count = std::uint64_t{blocks.x} * blocks.y;
  const turns order(count, backwards);
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint64_t at = order(i);
    blockIdx = dim3(static_cast<unsigned>(at % blocks.x), static_cast<unsigned>(at / blocks.x));
    run_block(threads.x * threads.y, backwards, kernel);
  }
}

}  // namespace gpu_emulation
