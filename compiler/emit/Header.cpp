// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The interface; HeaderComment.cpp prints the comment above it. The check for
// stale headers is the entry point itself: NAME_run of the header is an inline
// function that calls NAME_abi1_<hash>, a second name of the object's NAME_run.
// A call cannot be optimised away, so an object of another interface does not
// link; and it costs nothing.
#include "compiler/emit/Header.h"

#include "compiler/emit/HeaderNames.h"
#include "compiler/emit/LayerHooks.h"
#include "compiler/emit/Text.h"
#include "runtime-stub/include/aotc/abi.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace aotc;
using namespace aotc::text;
using llvm::formatv;
using llvm::StringRef;

extern "C" {
extern const char aotc_abi_header_data[], aotc_abi_header_end[];
}

namespace {

/// aotc/abi.h without the comment at its head.
StringRef abiText() {
  StringRef text(aotc_abi_header_data, aotc_abi_header_end - aotc_abi_header_data);
  return text.substr(text.find("#ifndef"));
}

class HeaderPrinter : HeaderNames {
public:
  explicit HeaderPrinter(const ModelInterface &model) : HeaderNames(model), os(text) {}

  std::string print();

private:
  /// "const int8_t *input"
  std::string callersParameter(const RegionRecord &region) const;
  std::string parameters() const;
  void definitions();
  void blockMacros(const RegionRecord &region);
  void tensorMacros(const IoTensor &tensor, bool isInput, size_t number);
  void shortMacros(const IoTensor &tensor, bool isInput);
  void entry();
  void accessor(const IoTensor &tensor, bool isInput);
  void quantizer(const IoTensor &tensor, bool isInput);
  void shortForms(const IoTensor &tensor, bool isInput);
  void cppClass();
  void cppMembers(const IoTensor &tensor, bool isInput, StringRef accessor, StringRef converter);
  template <typename Callback> void eachTensor(Callback callback) {
    for (auto [i, tensor] : llvm::enumerate(model.inputs))
      callback(tensor, true, i);
    for (auto [i, tensor] : llvm::enumerate(model.outputs))
      callback(tensor, false, i);
  }

  std::string text;
  llvm::raw_string_ostream os;
};

void HeaderPrinter::definitions() {
  os << "#if AOTC_ABI_VERSION != " << AOTC_ABI_VERSION << "\n"
     << "#error \"" << name << ".h speaks ABI version " << AOTC_ABI_VERSION
     << ", another header included before it another one\"\n#endif\n\n"
     << "/* Undefined again at the end of this file. */\n"
     << "#if defined(__cplusplus)\n"
     << "#define AOTC_CAST_(type, value) static_cast<type>(value)\n"
     << "#else\n"
     << "#define AOTC_CAST_(type, value) ((type)(value))\n"
     << "#endif\n"
     << assertMacro() << "\n"
     << "/* Bytes that survive between calls (0: none). */\n"
     << "#define " << upper << "_STATE_SIZE " << model.stateBytes << "\n";
  for (const RegionRecord &region : model.regions)
    if (!isCallers(region.owner))
      blockMacros(region);
  os << "\n#define " << upper << "_INPUT_COUNT " << model.inputs.size() << "\n"
     << "#define " << upper << "_OUTPUT_COUNT " << model.outputs.size() << "\n";
}

void HeaderPrinter::blockMacros(const RegionRecord &region) {
  std::string prefix = macro(region);
  std::string what = region.symbol == "arena" ? "arena" : "block '" + region.symbol + "'";
  os << "\n/* The " << what << ": bytes, and what its address must be a multiple of. */\n"
     << "#define " << prefix << "_SIZE " << region.bytes << "\n"
     << "#define " << prefix << "_ALIGN " << region.align << "\n"
     << "/* A static array of that size and alignment. */\n"
     << storageMacro(prefix, "unsigned char", region.section);
}

void HeaderPrinter::tensorMacros(const IoTensor &tensor, bool isInput, size_t number) {
  std::string prefix = macro(tensor, isInput);
  int64_t elements = 1;
  for (int64_t size : tensor.shape)
    elements *= size;
  os << formatv("\n/* {0} {1}, \"{2}\": {3} {4}", isInput ? "Input" : "Output", number,
                printable(tensor.name), typeText(tensor.type), shapeText(tensor.shape));
  if (tensor.scale)
    os << formatv("\n * real value = {0} * (stored value {1} {2})",
                  StringRef(floatLiteral(*tensor.scale)).drop_back(),
                  *tensor.zeroPoint < 0 ? '+' : '-', std::abs(*tensor.zeroPoint));
  os << " */\n"
     << "#define " << prefix << "_SIZE " << elements << "  /* elements */\n"
     << "#define " << prefix << "_BYTES " << tensor.bytes << "\n";
  if (isCallers(tensor.mode))
    os << "#define " << prefix << "_ALIGN " << tensor.align << "  /* of its address */\n";
  else
    os << "#define " << prefix << "_OFFSET " << tensor.offset << "  /* bytes from the start of "
       << regionOf(tensor).symbol << " */\n";
  os << "#define " << prefix << "_RANK " << tensor.shape.size() << "\n";
  if (!tensor.shape.empty()) {
    os << "#define " << prefix << "_SHAPE {"
       << llvm::join(
              llvm::map_range(tensor.shape, [](int64_t size) { return std::to_string(size); }),
              ", ")
       << "}\n";
    for (auto [axis, size] : llvm::enumerate(tensor.shape))
      os << "#define " << prefix << "_DIM" << axis << " " << size << "\n";
  }
  if (tensor.scale)
    os << "#define " << prefix << "_SCALE " << floatLiteral(*tensor.scale) << "\n#define " << prefix
       << "_ZERO_POINT (" << *tensor.zeroPoint << ")\n";
  os << "AOTC_ASSERT_(" << prefix << "_SIZE * sizeof(" << cTypeText(tensor.type)
     << ") == " << prefix << "_BYTES,\n             \"size of " << prefix << "\");\n";
  if (isCallers(tensor.mode)) {
    os << "/* A static array for it. */\n" << storageMacro(prefix, cTypeText(tensor.type));
    return;
  }
  os << "AOTC_ASSERT_(" << prefix << "_OFFSET + " << prefix
     << "_BYTES <= " << macro(regionOf(tensor)) << "_SIZE,\n             \"" << prefix
     << " lies in " << regionOf(tensor).symbol << "\");\n";
}

void HeaderPrinter::shortMacros(const IoTensor &tensor, bool isInput) {
  std::string prefix = upper + (isInput ? "_INPUT" : "_OUTPUT");
  auto alias = [&](StringRef suffix) {
    os << "#define " << prefix << suffix << " " << macro(tensor, isInput) << suffix << "\n";
  };
  os << "\n/* The only " << kind(isInput) << " also without its name. */\n";
  for (StringRef suffix : {"_SIZE", "_BYTES"})
    alias(suffix);
  alias(isCallers(tensor.mode) ? "_ALIGN" : "_OFFSET");
  alias("_RANK");
  if (isCallers(tensor.mode))
    os << "#define " << prefix << "(variable) " << macro(tensor, isInput) << "(variable)\n";
  if (!tensor.shape.empty())
    alias("_SHAPE");
  for (size_t axis = 0; axis < tensor.shape.size(); ++axis)
    alias("_DIM" + std::to_string(axis));
  if (tensor.scale) {
    alias("_SCALE");
    alias("_ZERO_POINT");
  }
}

std::string HeaderPrinter::callersParameter(const RegionRecord &region) const {
  for (const auto *list : {&model.inputs, &model.outputs})
    for (const IoTensor &tensor : *list)
      if (&regionOf(tensor) == &region) {
        bool isConst = list == &model.inputs && tensor.mode == IoMode::caller;
        return (isConst ? "const " : "") + cTypeText(tensor.type).str() + " *" + region.symbol;
      }
  llvm_unreachable("a caller's region is a tensor's");
}

/// Of NAME_run: memory with its size, the caller's tensors as what they are.
std::string HeaderPrinter::parameters() const {
  return eachBlock([&](const RegionRecord &region) {
    return isCallers(region.owner)
               ? callersParameter(region)
               : "void *" + region.symbol + ", size_t " + region.symbol + "_size";
  });
}

void HeaderPrinter::entry() {
  std::string symbol = model.abiSymbol();
  os << "\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n"
     << "/* The object's entry point under the name of this interface; call " << name
     << "_run. */\n";
  if (severalBlocks()) {
    os << "aotc_status " << symbol << "(const void *const *blocks, const size_t *sizes);\n\n"
       << "/* One inference. Each block is aligned to its _ALIGN and at least its _SIZE bytes;\n"
       << " * else an AOTC_ERROR_ code and the block's number, and nothing was touched. */\n"
       << "static inline aotc_status " << name << "_run(" << parameters()
       << ") {\n  const void *const blocks_[] = {"
       << eachBlock([](const RegionRecord &region) { return region.symbol; })
       << "};\n  const size_t sizes_[] = {" << eachBlock([&](const RegionRecord &region) {
            return isCallers(region.owner) ? macro(region) + "_BYTES" : region.symbol + "_size";
          })
       << "};\n  return " << symbol << "(blocks_, sizes_);\n}\n";
    return;
  }
  os << "aotc_status " << symbol << "(void *arena, size_t arena_size);\n\n"
     << "/* One inference. arena: aligned to " << upper << "_ARENA_ALIGN, arena_size: at least\n * "
     << upper << "_ARENA_SIZE; else an AOTC_ERROR_ code, and nothing was touched. */\n"
     << "static inline aotc_status " << name << "_run(void *arena, size_t arena_size) {\n"
     << "  return " << symbol << "(arena, arena_size);\n}\n";
}

void HeaderPrinter::accessor(const IoTensor &tensor, bool isInput) {
  if (isCallers(tensor.mode))
    return;
  StringRef qualifier = isInput ? "" : "const ";
  os << formatv("\nstatic inline {0}{1} *{2}_{3}_{4}({0}void *{6}) {{\n"
                "  return AOTC_CAST_({0}{1} *, AOTC_CAST_({0}void *,\n"
                "      AOTC_CAST_({0}unsigned char *, {6}) + {5}_OFFSET));\n"
                "}\n",
                qualifier, cTypeText(tensor.type), name, isInput ? "input" : "output",
                tensor.symbol, macro(tensor, isInput), regionOf(tensor).symbol);
}

void HeaderPrinter::quantizer(const IoTensor &tensor, bool isInput) {
  if (!canQuantize(tensor))
    return;
  StringRef type = cTypeText(tensor.type);
  std::string prefix = macro(tensor, isInput);
  if (!isInput) {
    os << formatv("\nstatic inline float {0}_dequantize_{1}({2} stored) {{\n"
                  "  return {3}_SCALE * AOTC_CAST_(float, stored - "
                  "{3}_ZERO_POINT);\n}\n",
                  name, tensor.symbol, type, prefix);
    return;
  }
  int64_t low = dtypeInfo(tensor.type).min();
  int64_t high = dtypeInfo(tensor.type).max();
  os << formatv("\n/* The nearest stored value, halves away from zero, clamped to {6} "
                "... {7};\n * not a number gives {6}. */\n"
                "static inline {2} {0}_quantize_{1}(float real) {{\n"
                "  float scaled = real / {3}_SCALE;\n"
                "  int32_t whole;\n"
                "  if (!(scaled > {4}.0f)) scaled = {4}.0f;\n"
                "  if (scaled > {5}.0f) scaled = {5}.0f;\n"
                "  whole = AOTC_CAST_(int32_t, scaled);\n"
                "  scaled -= AOTC_CAST_(float, whole);\n"
                "  if (scaled >= 0.5f) ++whole;\n"
                "  if (scaled <= -0.5f) --whole;\n"
                "  return AOTC_CAST_({2}, whole + {3}_ZERO_POINT);\n}\n",
                name, tensor.symbol, type, prefix, low - *tensor.zeroPoint,
                high - *tensor.zeroPoint, low, high);
}

void HeaderPrinter::shortForms(const IoTensor &tensor, bool isInput) {
  StringRef qualifier = isInput ? "" : "const ";
  if (!isCallers(tensor.mode))
    os << formatv("\nstatic inline {0}{1} *{2}_{3}({0}void *{5}) {{\n"
                  "  return {2}_{4}({5});\n}\n",
                  qualifier, cTypeText(tensor.type), name, accessorName(tensor, isInput, true),
                  accessorName(tensor, isInput, false), regionOf(tensor).symbol);
  std::string converter = converterName(tensor, isInput, true);
  std::string full = converterName(tensor, isInput, false);
  if (!canQuantize(tensor) || converter == full) // the user calls it "input"
    return;
  StringRef type = cTypeText(tensor.type);
  os << formatv("\nstatic inline {0} {2}_{3}({1} {5}) {{\n"
                "  return {2}_{4}({5});\n}\n",
                isInput ? type : "float", isInput ? "float" : type, name, converter, full,
                isInput ? "real" : "stored");
}

void HeaderPrinter::cppMembers(const IoTensor &tensor, bool isInput, StringRef accessor,
                               StringRef converter) {
  StringRef type = cTypeText(tensor.type);
  if (!isCallers(tensor.mode))
    os << formatv("  {0}{1} *{2}() {0}noexcept {{ return ::{3}_{2}({4}_); }\n",
                  isInput ? "" : "const ", type, accessor, name, regionOf(tensor).symbol);
  if (canQuantize(tensor) && !converter.empty())
    os << formatv("  static {0} {2}({1} {4}) noexcept {{ return "
                  "::{3}_{2}({4}); }\n",
                  isInput ? type : "float", isInput ? "float" : type, converter, name,
                  isInput ? "real" : "stored");
}

void HeaderPrinter::cppClass() {
  os << "\n#ifdef __cplusplus\n} /* extern \"C\" */\n#endif\n\n"
     << "#if defined(__cplusplus) && __cplusplus >= 201703L\n"
     << "namespace " << name << " {\n\n";
  // Of a class with one block of memory, that is a member; the caller's tensors
  // are arguments of run().
  std::vector<const RegionRecord *> blocks, tensors;
  for (const RegionRecord &region : model.regions)
    (isCallers(region.owner) ? tensors : blocks).push_back(&region);
  bool owns = blocks.size() == 1;
  auto list = [](llvm::ArrayRef<const RegionRecord *> regions, auto text) {
    return llvm::join(
        llvm::map_range(regions, [&](const RegionRecord *region) { return text(*region); }), ", ");
  };
  if (owns)
    os << "/// The model with an arena of its own. Large: make it static or allocate it.\n"
       << "class Model {\npublic:\n";
  else if (blocks.empty())
    os << "/// The model, which needs no memory but your inputs and outputs.\n"
       << "class Model {\npublic:\n";
  else
    os << "/// The model on your blocks, which lie in different memories.\n"
       << "class Model {\npublic:\n  explicit Model("
       << list(blocks,
               [&](const RegionRecord &region) {
                 return "unsigned char (&" + region.symbol + ")[" + macro(region) + "_SIZE]";
               })
       << ") noexcept\n      : "
       << list(
              blocks,
              [](const RegionRecord &region) { return region.symbol + "_(" + region.symbol + ")"; })
       << " {}\n";
  os << "  [[nodiscard]] aotc_status run("
     << list(tensors, [&](const RegionRecord &region) { return callersParameter(region); })
     << ") noexcept {\n    return ::" << name << "_run("
     << eachBlock([](const RegionRecord &region) {
          return isCallers(region.owner) ? region.symbol
                                         : region.symbol + "_, sizeof " + region.symbol + "_";
        })
     << ");\n  }\n";
  eachTensor([&](const IoTensor &tensor, bool isInput, size_t) {
    std::string converter = converterName(tensor, isInput, false);
    cppMembers(tensor, isInput, accessorName(tensor, isInput, false), converter);
    if (!isOnly(isInput))
      return;
    std::string brief = converterName(tensor, isInput, true);
    cppMembers(tensor, isInput, accessorName(tensor, isInput, true),
               brief == converter ? "" : brief);
  });
  os << "\nprivate:\n";
  for (const RegionRecord *region : blocks)
    if (owns)
      os << "  alignas(" << macro(*region) << "_ALIGN) unsigned char " << region->symbol << "_["
         << macro(*region) << "_SIZE];\n";
    else
      os << "  unsigned char (&" << region->symbol << "_)[" << macro(*region) << "_SIZE];\n";
  os << "};\n\n} // namespace " << name << "\n#endif\n";
}

std::string HeaderPrinter::print() {
  printHeaderComment(os, model);
  os << "#ifndef AOTC_MODEL_" << upper << "_H\n#define AOTC_MODEL_" << upper
     << "_H\n\n/* What all bundles share: the text of aotc/abi.h. */\n"
     << abiText() << "\n";
  definitions();
  eachTensor([&](const IoTensor &tensor, bool isInput, size_t number) {
    tensorMacros(tensor, isInput, number);
    if (isOnly(isInput))
      shortMacros(tensor, isInput);
  });
  if (model.hooks)
    printHooks(os, model);
  entry();
  eachTensor([&](const IoTensor &tensor, bool isInput, size_t) {
    accessor(tensor, isInput);
    quantizer(tensor, isInput);
    if (isOnly(isInput))
      shortForms(tensor, isInput);
  });
  cppClass();
  os << "\n#undef AOTC_CAST_\n#undef AOTC_ASSERT_\n#endif /* AOTC_MODEL_" << upper << "_H */\n";
  return text;
}

} // namespace

StringRef aotc::assertMacro() {
  return R"(#if defined(__cplusplus) || (defined(__STDC_VERSION__) && __STDC_VERSION__ >= 202311L)
#define AOTC_ASSERT_(condition, text) static_assert(condition, text)
#elif defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L
#define AOTC_ASSERT_(condition, text) _Static_assert(condition, text)
#else
#define AOTC_ASSERT_(condition, text) __extension__ _Static_assert(condition, text)
#endif
)";
}

std::string aotc::storageMacro(StringRef block, StringRef element, StringRef section) {
  std::string place;
  if (!section.empty())
    place = " \\\n      __attribute__((section(\"" + section.str() + "\")))";
  return formatv(R"(#if defined(__cplusplus)
#define {0}(variable) \
  alignas({0}_ALIGN) static {1} variable[{0}_SIZE]{2}
#elif defined(__STDC_VERSION__) && __STDC_VERSION__ >= 202311L
#define {0}(variable) \
  static alignas({0}_ALIGN) {1} variable[{0}_SIZE]{2}
#elif defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L
#define {0}(variable) \
  static _Alignas({0}_ALIGN) {1} variable[{0}_SIZE]{2}
#else
#define {0}(variable) \
  static {1} variable[{0}_SIZE] __attribute__((aligned({0}_ALIGN))){2}
#endif
)",
                 block, element, place);
}

std::string aotc::printHeader(const ModelInterface &model) { return HeaderPrinter(model).print(); }
