// What the extension itself asks of CUDA; gpu.cpp does it, and without the GPU backend says why not.
#pragma once

#include <baltoro/cuda.hpp>

#include <cstdint>
#include <utility>

namespace baltoro::python {

// The GPU that is current in this thread; 0 where there is none.
int current_gpu();

// Makes a GPU the current one while it lives.
class gpu_guard {
 public:
  // Throws cuda_error or not_compiled where there is no such GPU.
  explicit gpu_guard(int gpu);
  ~gpu_guard();
  gpu_guard(const gpu_guard&) = delete;
  gpu_guard& operator=(const gpu_guard&) = delete;

 private:
  int before_;
  int gpu_;
};

// Waits for everything that is on a stream.
void wait_for(cuda_stream stream);

// A stream as its number: 0 and 1 are the default stream, 2 that of the thread, else its address.
cuda_stream stream_of(std::uintptr_t number);

// A moment on a stream that other streams can wait for.
class stream_event {
 public:
  stream_event() = default;
  ~stream_event();
  stream_event(stream_event&& other) noexcept : event_(std::exchange(other.event_, nullptr)) {}
  stream_event& operator=(stream_event&& other) noexcept {
    std::swap(event_, other.event_);
    return *this;
  }

  void record_on(cuda_stream stream);
  // Lets the stream wait for what was recorded last, if anything was.
  void wait_on(cuda_stream stream) const;
  // Waits for it here.
  void wait() const;

 private:
  void* event_ = nullptr;
};

// The CUDA graph that a stream is captured into, if it is.
struct graph_capture {
  bool goes_on = false;
  unsigned long long id = 0;
  void* graph = nullptr;
};

graph_capture capture_of(cuda_stream stream);

// Calls let_go(what) when a graph and everything made of it are gone, from any thread; it must not use
// CUDA. Where this throws, nothing is called.
void keep_with(const graph_capture& capture, void* what, void (*let_go)(void*));

// While it lives, this thread may allocate and wait although streams are captured.
class beside_captures {
 public:
  beside_captures();
  ~beside_captures();
  beside_captures(const beside_captures&) = delete;
  beside_captures& operator=(const beside_captures&) = delete;

 private:
  int mode_;
};

}  // namespace baltoro::python
