// Exceptions of the library become those of baltoro/errors.py.
#include <baltoro/error.hpp>

#include <string_view>

#include "bindings.hpp"

namespace baltoro::python {
namespace {

// Messages quote what files hold and are named, which need not be UTF-8.
void raise(const char* name, const error& what) {
  const nb::object type = nb::module_::import_("baltoro.errors").attr(name);
  const std::string_view message = what.what();
  const nb::object text = nb::steal(PyUnicode_DecodeUTF8(
      message.data(), static_cast<Py_ssize_t>(message.size()), "backslashreplace"));
  PyErr_SetObject(type.ptr(), text.ptr());
}

void translate(const std::exception_ptr& thrown, void*) {
  try {
    std::rethrow_exception(thrown);
  } catch (const invalid_argument& e) {
    raise("InvalidArgument", e);
  } catch (const invalid_format& e) {
    raise("InvalidFormat", e);
  } catch (const io_error& e) {
    raise("FileError", e);
  } catch (const out_of_memory& e) {
    raise("OutOfMemory", e);
  } catch (const cuda_error& e) {
    raise("CudaError", e);
  } catch (const not_compiled& e) {
    raise("NotCompiled", e);
  } catch (const error& e) {
    raise("Error", e);
  }
}

}  // namespace

void bind_errors(nb::module_&) { nb::register_exception_translator(translate); }

progress_callback report_to(nb::handle told) {
  return [told](const progress_event& event) {
    const nb::gil_scoped_acquire gil;
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
    if (told.is_none()) return;
    told(nb::str(event.stage.data(), event.stage.size()), event.done, event.total,
         nb::str(event.unit.data(), event.unit.size()));
  };
}

}  // namespace baltoro::python
