// Tells the thread sanitizer what oneTBB's scheduler, which is not compiled with it, orders.
//
// Linked into programs of sanitized builds only. It takes the place of the few scheduler functions
// that oneTBB's headers call. A task is wrapped so that what happened before it was spawned happens
// before it runs, and memory of the scheduler's pools comes from malloc, which the sanitizer
// follows. The end of a task is seen without help: headers count it down in an atomic.
#include <cstdlib>
#include <new>

#include <dlfcn.h>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

extern "C" void __tsan_acquire(void* address);
extern "C" void __tsan_release(void* address);

// Inside oneTBB nothing can be told: there pipelines hand items from filter to filter and count
// references of their filters, and threads that end delete what others have read.
extern "C" const char* __tsan_default_suppressions();
extern "C" const char* __tsan_default_suppressions() {
  return "race:_pipeline_filters.h\nrace:deallocate_memory\n";
}

namespace {

using tbb::detail::d1::execution_data;
using tbb::detail::d1::small_object_pool;
using tbb::detail::d1::task;
using tbb::detail::d1::task_group_context;
using tbb::detail::d1::wait_context;

template <class Function>
Function* original(const char* mangled) {
  auto* const found = reinterpret_cast<Function*>(dlsym(RTLD_NEXT, mangled));
  if (found == nullptr) std::abort();  // another oneTBB than this file was written for
  return found;
}

// Stands for another task in the scheduler.
class ordered_task final : public task {
 public:
  explicit ordered_task(task& inner) : inner_(inner) { __tsan_release(this); }
  task* execute(execution_data& data) override { return run(&task::execute, data); }
  task* cancel(execution_data& data) override { return run(&task::cancel, data); }

 private:
  // Where the task throws, the scheduler comes back to cancel it: it must still be there.
  task* run(task* (task::*what)(execution_data&), execution_data& data) {
    __tsan_acquire(this);
    // A thread that takes over a place in the arena comes after the one that left it.
    void* const place =
        reinterpret_cast<char*>(data.context) + tbb::this_task_arena::current_thread_index();
    __tsan_acquire(place);
    task* const next = (inner_.*what)(data);
    __tsan_release(place);
    delete this;
    return next;
  }

  task& inner_;
};

// At exit, waits for the scheduler's threads, which the sanitizer sees as it sees any join. Without, the last of
// them to end gives back what the others have read, and inside oneTBB nothing says that they have.
class scheduler_end {
 public:
  ~scheduler_end() { tbb::finalize(handle_, std::nothrow); }

 private:
  tbb::task_scheduler_handle handle_{tbb::attach{}};
};

const scheduler_end at_exit;

}  // namespace

namespace tbb::detail::r1 {

void spawn(task& t, task_group_context& context) {
  static auto* const next = original<void(task&, task_group_context&)>(
      "_ZN3tbb6detail2r15spawnERNS0_2d14taskERNS2_18task_group_contextE");
  next(*new ordered_task(t), context);
}

void spawn(task& t, task_group_context& context, d1::slot_id slot) {
  static auto* const next = original<void(task&, task_group_context&, d1::slot_id)>(
      "_ZN3tbb6detail2r15spawnERNS0_2d14taskERNS2_18task_group_contextEt");
  next(*new ordered_task(t), context, slot);
}

void execute_and_wait(task& t, task_group_context& t_context, wait_context& wait,
                      task_group_context& w_context) {
  static auto* const next =
      original<void(task&, task_group_context&, wait_context&, task_group_context&)>(
          "_ZN3tbb6detail2r116execute_and_waitERNS0_2d14taskERNS2_18task_group_contextERNS2_"
          "12wait_contextES6_");
  next(*new ordered_task(t), t_context, wait, w_context);
  wait.reserve(0);  // an atomic operation that comes after every task's countdown
}

void* allocate(small_object_pool*& pool, std::size_t bytes) {
  pool = nullptr;
  return std::malloc(bytes);
}
void* allocate(small_object_pool*& pool, std::size_t bytes, const execution_data&) {
  pool = nullptr;
  return std::malloc(bytes);
}
void deallocate(small_object_pool&, void* memory, std::size_t) { std::free(memory); }
void deallocate(small_object_pool&, void* memory, std::size_t, const execution_data&) {
  std::free(memory);
}

// The scheduler hands such memory from thread to thread.
void* allocate_memory(std::size_t bytes) {
  void* const memory = std::malloc(bytes);
  __tsan_release(memory);
  return memory;
}
void deallocate_memory(void* memory) {
  __tsan_acquire(memory);
  std::free(memory);
}

}  // namespace tbb::detail::r1
