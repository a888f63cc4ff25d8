// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names: C identifiers from users' names, and the symbol that ties a header
// to its object.
#include "compiler/support/ModelInterface.h"

#include "runtime-stub/include/aotc/abi.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/SHA256.h"
#include "llvm/Support/raw_ostream.h"

using namespace aotc;
using llvm::StringRef;

namespace {

// Keywords of C23 and C++20 that are identifiers by their letters, and words
// that are macros or reserved at namespace scope in practice.
constexpr StringRef kReserved[] = {"alignas",       "alignof",
                                   "and",           "and_eq",
                                   "asm",           "auto",
                                   "bitand",        "bitor",
                                   "bool",          "break",
                                   "case",          "catch",
                                   "char",          "char16_t",
                                   "char32_t",      "char8_t",
                                   "class",         "co_await",
                                   "co_return",     "co_yield",
                                   "compl",         "concept",
                                   "const",         "const_cast",
                                   "consteval",     "constexpr",
                                   "constinit",     "continue",
                                   "decltype",      "default",
                                   "delete",        "do",
                                   "double",        "dynamic_cast",
                                   "else",          "enum",
                                   "errno",         "explicit",
                                   "export",        "extern",
                                   "false",         "float",
                                   "for",           "friend",
                                   "goto",          "if",
                                   "inline",        "int",
                                   "linux",         "long",
                                   "main",          "mutable",
                                   "namespace",     "new",
                                   "noexcept",      "not",
                                   "not_eq",        "nullptr",
                                   "operator",      "or",
                                   "or_eq",         "private",
                                   "protected",     "public",
                                   "register",      "reinterpret_cast",
                                   "requires",      "restrict",
                                   "return",        "short",
                                   "signed",        "sizeof",
                                   "static",        "static_assert",
                                   "static_cast",   "std",
                                   "struct",        "switch",
                                   "template",      "this",
                                   "thread_local",  "throw",
                                   "true",          "try",
                                   "typedef",       "typeid",
                                   "typename",      "typeof",
                                   "typeof_unqual", "union",
                                   "unix",          "unsigned",
                                   "using",         "virtual",
                                   "void",          "volatile",
                                   "wchar_t",       "while",
                                   "xor",           "xor_eq"};

// Functions of ISO C and POSIX that are single words, after headers whose place
// the model's own would take.
constexpr StringRef kLibraryNames =
    " complex ctype fenv inttypes limits locale math memory setjmp stdarg stddef stdint stdio "
    "stdlib string strings threads unistd wchar "
    "abort abs accept access acos acosh alarm asctime asin asinh assert atan atan2 "
    "atanh atexit atof atoi atol bind brk bsearch cabs calloc catan cbrt ceil chdir "
    "chmod chown clearerr clock close connect copysign cos cosh creat ctime daemon "
    "difftime div dup environ erf erfc errno execl execv exit exp exp2 expm1 fabs fclose "
    "fdim feof ferror fflush fgetc fgets floor fma fmax fmin fmod fopen fork fputc fputs "
    "fread free freopen frexp fscanf fseek fstat fsync ftell ftruncate fwrite gamma getc "
    "getchar getenv getline gets gmtime htonl hypot ilogb index ioctl isalnum isalpha "
    "isdigit islower isprint isspace isupper j0 j1 jn kill labs ldexp ldiv lgamma link "
    "listen llabs localtime log log10 log1p log2 logb longjmp lrint lround lseek malloc "
    "mblen memchr memcmp memcpy memmove memset mkdir mktime modf mprotect nan nearbyint "
    "nice open optarg optind pause perror pipe poll pow printf putc putchar puts qsort "
    "raise rand random read realloc recv remainder remove remquo rename rewind "
    "rindex rint rmdir round scalb scanf select send setbuf setenv setjmp shutdown signal "
    "signgam significand sin sinh sleep snprintf socket sprintf sqrt srand srandom sscanf "
    "stat stderr stdin stdout stime strcat strchr strcmp strcpy strlen strstr strtol "
    "swab symlink sync system tan tanh tgamma time timezone tmpfile tolower toupper trunc "
    "truncate umask uname ungetc unlink usleep vfork wait write y0 y1 yn ";

} // namespace

std::string aotc::toModelName(StringRef text) {
  std::string name = toCIdentifier(text);
  return kLibraryNames.contains(" " + name + " ") ? "m_" + name : name;
}

std::string aotc::toCIdentifier(StringRef text) {
  std::string result;
  for (char c : text) {
    // Runs of other characters give one underscore: doubled ones are reserved
    // in C++, and "a/b:0" reads better as a_b_0.
    if (llvm::isAlnum(c))
      result += c;
    else if (!result.empty() && result.back() != '_')
      result += '_';
  }
  while (!result.empty() && result.back() == '_')
    result.pop_back();
  if (result.empty())
    return "tensor";
  if (llvm::isDigit(result[0]))
    return "t" + result;
  if (llvm::is_contained(kReserved, result))
    return "t_" + result;
  return result;
}

std::vector<std::string> aotc::toCIdentifiers(llvm::ArrayRef<std::string> names) {
  // Unique without regard to case, because macros are in upper case. Names
  // that need no suffix keep theirs, whatever stands before them.
  std::vector<std::string> result;
  llvm::StringMap<unsigned> count;
  for (const std::string &name : names) {
    result.push_back(toCIdentifier(name));
    ++count[StringRef(result.back()).upper()];
  }
  llvm::StringSet<> taken;
  for (const auto &entry : count)
    taken.insert(entry.first());
  llvm::StringSet<> seen;
  for (std::string &symbol : result) {
    if (seen.insert(StringRef(symbol).upper()).second)
      continue;
    std::string unique;
    for (unsigned suffix = 2;; ++suffix) {
      unique = symbol + "_" + llvm::utostr(suffix);
      if (taken.insert(StringRef(unique).upper()).second)
        break;
    }
    symbol = unique;
  }
  return result;
}

int64_t ModelInterface::mostUsedMemory() const {
  int64_t most = 0;
  for (const LayerRecord &layer : layers)
    most = std::max(most, layer.usedMemory);
  return most;
}

std::string ModelInterface::abiSymbol() const {
  // Everything a caller compiles in: sizes, offsets, types, quantisation, and
  // the model itself. Not the target: it changes no line a caller uses unless
  // it changes the plan.
  std::string text;
  llvm::raw_string_ostream os(text);
  os << name << '\n' << modelSha256 << '\n';
  for (const RegionRecord &region : regions)
    os << region.symbol << ' ' << region.bytes << ' ' << region.align << '\n';
  for (const auto *tensors : {&inputs, &outputs}) {
    os << tensors->size() << '\n';
    for (const IoTensor &tensor : *tensors) {
      os << tensor.symbol << ' ' << dtypeName(tensor.type) << ' ' << tensor.bytes << ' '
         << tensor.region << ' ' << tensor.offset << ' ' << tensor.align;
      if (isCallers(tensor.mode)) // const or not
        os << ' ' << ioModeName(tensor.mode);
      for (int64_t size : tensor.shape)
        os << ' ' << size;
      if (tensor.scale) // nine digits tell all floats apart
        os << llvm::format(" q %.9g %lld", *tensor.scale,
                           static_cast<long long>(*tensor.zeroPoint));
      os << '\n';
    }
  }
  std::array<uint8_t, 32> digest = llvm::SHA256::hash(
      llvm::ArrayRef(reinterpret_cast<const uint8_t *>(text.data()), text.size()));
  // 64 bits: enough against accidents, short enough for a linker's message.
  return name + "_abi" + std::to_string(AOTC_ABI_VERSION) + "_" +
         llvm::toHex(llvm::ArrayRef(digest).take_front(8), /*LowerCase=*/true);
}
