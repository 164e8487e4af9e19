// Triples in N-Triples (https://www.w3.org/TR/n-triples/), read by serd.
//
// serd reads N-Triples as the subset of Turtle that it is, so every line is first held against the
// shape of a triple: IRI or blank node, IRI, IRI, blank node or literal, full stop. That keeps out
// what only Turtle has (nested lists among it, on which a parser recurses) and leaves to serd what
// is inside the terms: characters, escapes, UTF-8.
#include <cstdarg>
#include <cstdio>
#include <exception>
#include <memory>
#include <string>
#include <string_view>

#include <serd/serd.h>

#include "base/printable.hpp"
#include "io/triple_collector.hpp"

namespace baltoro::io {

namespace {

constexpr std::string_view xsd_string = "http://www.w3.org/2001/XMLSchema#string";

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Walks along one line and checks the shape of what stands there.
class shape_scanner {
 public:
  explicit shape_scanner(const triple_lines& lines, std::string_view line)
      : lines_(lines), line_(line) {}

  // The length of the triple up to and with its full stop, 0 for a line without a triple.
  std::size_t scan() {
    skip_blanks();
    if (ended() || peek() == '#') return 0;
    if (!iri() && !blank_node()) fail("expected a subject, <IRI> or _:name");
    skip_blanks();
    if (!iri()) fail("expected a relation, <IRI>");
    skip_blanks();
    if (!iri() && !blank_node() && !literal()) {
      fail("expected an object, <IRI>, _:name or \"literal\"");
    }
    skip_blanks();
    if (peek() != '.') fail("expected a full stop after the object");
    const std::size_t length = ++at_;
    skip_blanks();
    if (!ended() && peek() != '#') fail("expected the end of the line after the full stop");
    return length;
  }

 private:
  bool ended() const { return at_ == line_.size(); }
  char peek() const { return ended() ? '\0' : line_[at_]; }
  void skip_blanks() {
    while (peek() == ' ' || peek() == '\t') ++at_;
  }
  [[noreturn]] void fail(const char* reason) const { lines_.fail(reason, at_ + 1); }

  bool iri() {
    if (peek() != '<') return false;
    const std::size_t end = line_.find('>', at_);
    if (end == std::string_view::npos) fail("an IRI without '>'");
    at_ = end + 1;
    return true;
  }

  bool blank_node() {
    if (peek() != '_') return false;
    std::size_t end = std::min(line_.find_first_of(" \t<>\"#", at_), line_.size());
    // A name does not end with a full stop, so that one ends the triple.
    if (line_[end - 1] == '.') --end;
    if (end < at_ + 3 || line_[at_ + 1] != ':') fail("expected a blank node, _:name");
    at_ = end;
    return true;
  }

  bool literal() {
    if (peek() != '"') return false;
    std::size_t end = at_ + 1;
    while (true) {
      end = line_.find_first_of("\"\\", end);
      if (end == std::string_view::npos || end + 1 == line_.size()) {
        fail("a literal without a closing quotation mark, or nothing behind it");
      }
      if (line_[end] == '"') break;
      end += 2;
    }
    at_ = end + 1;
    if (peek() == '@') {
      ++at_;
      if (!is_letter(peek())) fail("expected a language after '@'");
      while (is_letter(peek()) || is_digit(peek()) || peek() == '-') ++at_;
    } else if (peek() == '^') {
      if (line_.substr(at_, 3) != "^^<") fail("expected ^^<IRI>, a datatype");
      at_ += 2;
      iri();
    }
    return true;
  }

  const triple_lines& lines_;
  std::string_view line_;
  std::size_t at_ = 0;
};

// Whether text that serd took for UTF-8 encodes a surrogate, which no UTF-8 does.
bool has_surrogate(std::string_view text) {
  for (std::size_t at = text.find('\xED'); at != std::string_view::npos;
       at = text.find('\xED', at + 1)) {
    if (at + 1 < text.size() && static_cast<unsigned char>(text[at + 1]) >= 0xA0) return true;
  }
  return false;
}

std::string_view text_of(const SerdNode& node) {
  return {reinterpret_cast<const char*>(node.buf), node.n_bytes};
}

// Hands lines to serd and its statements to the collector.
class statement_reader {
 public:
  statement_reader(triple_lines& lines, triple_collector& triples)
      : lines_(lines),
        triples_(triples),
        reader_(serd_reader_new(SERD_NTRIPLES, this, nullptr, nullptr, nullptr, on_statement,
                                nullptr)) {
    if (!reader_) throw std::bad_alloc();
    serd_reader_set_strict(reader_.get(), true);
    serd_reader_set_error_sink(reader_.get(), on_error, this);
  }

  // Reads one triple. The byte behind it must be zero.
  void read(const char* triple) {
    statements_ = 0;
    const SerdStatus status =
        serd_reader_read_string(reader_.get(), reinterpret_cast<const std::uint8_t*>(triple));
    if (thrown_) std::rethrow_exception(thrown_);
    if (!reason_.empty()) lines_.fail(reason_, column_);
    if (status > SERD_FAILURE || statements_ != 1) lines_.fail("this is not one triple");
  }

 private:
  struct free_reader {
    void operator()(SerdReader* reader) const { serd_reader_free(reader); }
  };

  // No exception may pass through serd, which is C: it waits in thrown_.
  static SerdStatus on_statement(void* self, SerdStatementFlags, const SerdNode*,
                                 const SerdNode* subject, const SerdNode* predicate,
                                 const SerdNode* object, const SerdNode* datatype,
                                 const SerdNode* language) {
    auto& reader = *static_cast<statement_reader*>(self);
    if (++reader.statements_ != 1 || !reader.reason_.empty()) return SERD_FAILURE;
    try {
      reader.take(*subject, *predicate, *object, datatype, language);
    } catch (...) {
      reader.thrown_ = std::current_exception();
      return SERD_ERR_INTERNAL;
    }
    return SERD_SUCCESS;
  }

  static SerdStatus on_error(void* self, const SerdError* error) {
    auto& reader = *static_cast<statement_reader*>(self);
    if (!reader.reason_.empty() || reader.thrown_) return SERD_SUCCESS;
    char text[256] = "";
    va_list arguments;
    va_copy(arguments, *error->args);
    std::vsnprintf(text, sizeof text, error->fmt, arguments);
    va_end(arguments);
    std::string reason = text;
    while (!reason.empty() && reason.back() == '\n') reason.pop_back();
    for (char& c : reason) {  // serd quotes bytes as they are
      if (static_cast<unsigned char>(c) < 0x20 || static_cast<unsigned char>(c) >= 0x7F) c = '?';
    }
    reader.reason_ = reason.empty() ? "this is not N-Triples" : reason;
    reader.column_ = error->col;
    return SERD_SUCCESS;
  }

  void take(const SerdNode& subject, const SerdNode& predicate, const SerdNode& object,
            const SerdNode* datatype, const SerdNode* language) {
    if (predicate.type != SERD_URI ||
        (datatype != nullptr && datatype->buf != nullptr && datatype->type != SERD_URI)) {
      lines_.fail("a relation or datatype that is no IRI");
    }
    const std::string_view from = resource(subject, subject_);
    const std::string_view relation = checked(text_of(predicate));
    const std::string_view to = object.type == SERD_LITERAL ? literal(object, datatype, language)
                                                            : resource(object, object_);
    const triple_text triple{from, relation, to, lines_.number()};
    triples_.add(lines_, {&triple, 1});
  }

  std::string_view checked(std::string_view text) const {
    if (text.find('\0') != std::string_view::npos) lines_.fail("a name with the character U+0000");
    if (has_surrogate(text)) lines_.fail("a name with half of a surrogate pair, which is no UTF-8");
    return text;
  }

  std::string_view resource(const SerdNode& node, std::string& blank_name) const {
    const std::string_view text = checked(text_of(node));
    if (node.type == SERD_URI) return text;
    if (node.type != SERD_BLANK) lines_.fail("a subject or object that is no N-Triples");
    blank_name = "_:";
    return blank_name += text;
  }

  // The canonical text of a literal.
  std::string_view literal(const SerdNode& node, const SerdNode* datatype,
                           const SerdNode* language) {
    object_ = '"';
    for (const char c : checked(text_of(node))) {
      switch (c) {
        case '"':
          object_ += "\\\"";
          break;
        case '\\':
          object_ += "\\\\";
          break;
        case '\n':
          object_ += "\\n";
          break;
        case '\r':
          object_ += "\\r";
          break;
        default:
          object_ += c;
      }
    }
    object_ += '"';
    if (language != nullptr && language->buf != nullptr) {
      object_ += '@';
      object_ += checked(text_of(*language));
    } else if (datatype != nullptr && datatype->buf != nullptr &&
               text_of(*datatype) != xsd_string) {
      object_ += "^^<";
      object_ += checked(text_of(*datatype));
      object_ += '>';
    }
    return object_;
  }

  triple_lines& lines_;
  triple_collector& triples_;
  std::unique_ptr<SerdReader, free_reader> reader_;
  std::string subject_;
  std::string object_;
  std::string reason_;
  std::size_t column_ = 0;
  std::uint64_t statements_ = 0;
  std::exception_ptr thrown_;
};

}  // namespace

void read_ntriples(triple_lines& lines, triple_collector& triples) {
  statement_reader reader(lines, triples);
  std::string_view line;
  for (std::uint64_t since_check = 0; lines.next(line);) {
    const std::size_t length = shape_scanner(lines, line).scan();
    if (length == 0) continue;
    lines.cut(length);
    reader.read(line.data());
    if (++since_check == 4096) {
      since_check = 0;
      triples.check_memory();
    }
  }
  triples.check_memory();
}

}  // namespace baltoro::io
