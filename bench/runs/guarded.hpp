// What goes wrong with a measurement is reported, not thrown.
#pragma once

#include <baltoro/error.hpp>

#include <new>
#include <string>

#include "measure/protocol.hpp"
#include "report/results.hpp"

namespace baltoro::bench {

// Calls `work`; what it throws becomes a reason.
template <class Work>
lack guarded(std::string& reason, const Work& work) {
  try {
    work();
    return lack::none;
  } catch (const not_compiled& failure) {
    reason = failure.what();
    return lack::skipped;
  } catch (const out_of_memory& failure) {
    reason = failure.what();
    return lack::skipped;
  } catch (const too_slow& failure) {
    reason = failure.what();
    return lack::skipped;
  } catch (const std::bad_alloc&) {
    reason = "out of memory on the host";
    return lack::skipped;
  } catch (const error& failure) {
    reason = failure.what();
    return lack::failed;
  }
}

}  // namespace baltoro::bench
