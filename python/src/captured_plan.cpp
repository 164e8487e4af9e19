#include <memory>
#include <mutex>
#include <vector>

#include "plan_pool.hpp"

namespace baltoro::python {
namespace {

// What graphs have given back.
struct given_back {
  std::atomic<bool> any = false;
  std::mutex mutex;
  std::vector<std::shared_ptr<captured_plan>> plans;
};

// Never destroyed, for graphs may end after everything else has.
given_back& returns() {
  static auto* const all = new given_back;
  return *all;
}

// Called when a graph is gone.
void let_go(void* kept) {
  const std::unique_ptr<std::shared_ptr<captured_plan>> plan(
      static_cast<std::shared_ptr<captured_plan>*>(kept));
  given_back& all = returns();
  const std::lock_guard lock(all.mutex);
  all.plans.push_back(*plan);  // it may be the last to hold it
  (*plan)->free = true;
  all.any = true;
}

}  // namespace

void captured_plan::give_to(const graph_capture& graph,
                            const std::shared_ptr<captured_plan>& plan) {
  auto kept = std::make_unique<std::shared_ptr<captured_plan>>(plan);
  keep_with(graph, kept.get(), let_go);
  static_cast<void>(kept.release());
}

void captured_plan::sweep() {
  given_back& all = returns();
  if (!all.any) return;
  std::vector<std::shared_ptr<captured_plan>> gone;  // destroyed after the lock
  const std::lock_guard lock(all.mutex);
  gone.swap(all.plans);
  all.any = false;
}

}  // namespace baltoro::python
