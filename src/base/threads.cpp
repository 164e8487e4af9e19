#include <baltoro/threads.hpp>

#include <tbb/global_control.h>

namespace baltoro {

struct thread_limit::control {
  tbb::global_control limit;
};

thread_limit::thread_limit(unsigned threads)
    : control_(threads == 0 ? nullptr
                            : new control{tbb::global_control(
                                  tbb::global_control::max_allowed_parallelism, threads)}) {}
thread_limit::~thread_limit() = default;
thread_limit::thread_limit(thread_limit&&) noexcept = default;
thread_limit& thread_limit::operator=(thread_limit&&) noexcept = default;

unsigned thread_limit::current() {
  return static_cast<unsigned>(
      tbb::global_control::active_value(tbb::global_control::max_allowed_parallelism));
}

}  // namespace baltoro
