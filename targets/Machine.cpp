// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Machine files by LLVM's YAML I/O, which names line and column of what it does
// not understand; then the checks it cannot make.
#include "targets/Machine.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/YAMLTraits.h"

#include <algorithm>

using namespace aotc;
using llvm::StringRef;
using llvm::Twine;

// Embedded by CMake: the files of machines/, one document each.
extern "C" {
extern const char aotc_machines_data[], aotc_machines_end[];
}

namespace {

constexpr int64_t kMostBytes = int64_t(1) << 40;
/// Real files have a dozen regions; LLVM's parser recurses and is not meant for
/// hostile ones.
constexpr size_t kFileBytes = 16 << 10, kBrackets = 64, kMarksPerLine = 16, kRegions = 64;

/// Texts with a meaning of their own in a file.
struct Bytes {
  int64_t value = 0;
};
struct Address {
  std::optional<int64_t> value;
};

bool isRegionName(StringRef name) {
  return !name.empty() && name.size() <= 64 && llvm::isAlpha(name[0]) &&
         llvm::all_of(name, [](char c) { return llvm::isAlnum(c) || c == '_'; });
}

bool isMachineName(StringRef name) {
  return !name.empty() && name.size() <= 64 && llvm::all_of(name, [](char c) {
    return llvm::isLower(c) || llvm::isDigit(c) || c == '-' || c == '_';
  });
}

bool isSectionName(StringRef name) {
  return name.size() <= 64 && llvm::all_of(name, [](char c) {
           return llvm::isAlnum(c) || c == '.' || c == '_' || c == '-' || c == '$';
         });
}

/// The same letters in another case or order: hardly meant as a second region,
/// as psram is beside sram.
bool isMistyped(StringRef name, StringRef known) {
  std::string a = name.lower(), b = known.lower();
  bool caseOnly = a == b;
  llvm::sort(a);
  llvm::sort(b);
  return caseOnly || (a.size() > 2 && a == b);
}

/// What contradicts itself in a file that could be read; empty if nothing does.
std::string problemOf(const Machine &machine) {
  if (!isMachineName(machine.name))
    return "name '" + machine.name + "' is not made of a-z, 0-9, '-' and '_'";
  if (machine.regions.empty())
    return "there is no region";
  if (machine.regions.size() > kRegions)
    return "there are more than " + std::to_string(kRegions) + " regions";
  for (auto [i, region] : llvm::enumerate(machine.regions)) {
    std::string who = "region '" + region.name + "': ";
    if (!isRegionName(region.name))
      return who + "the name is not made of letters, digits and '_', a letter first";
    if (region.align < 1 || region.align > (1 << 20) || !llvm::isPowerOf2_64(region.align))
      return who + "align is not a power of two up to 2^20";
    if (region.cost < 0 || region.cost > 1000000)
      return who + "cost is not in 0 to 1000000";
    if (!isSectionName(region.section))
      return who + "'" + region.section + "' is no section's name";
    if (region.base && !region.section.empty())
      return who + "give base or section, not both";
    if (region.base && *region.base % region.align)
      return who + "base is no multiple of align";
    for (const MemoryRegion &other : llvm::ArrayRef(machine.regions).take_front(i))
      if (other.name == region.name)
        return who + "there are two of this name";
  }
  if (std::string problem = addressProblem(machine.regions); !problem.empty())
    return problem;
  if (llvm::none_of(machine.regions, [](const MemoryRegion &r) { return r.access == Access::rw; }))
    return "no region has access rw, for the buffers";
  return "";
}

/// Texts that would make LLVM's parser recurse beyond reason.
std::string nestingProblem(StringRef yaml) {
  if (yaml.size() > kFileBytes)
    return "a machine file has at most " + std::to_string(kFileBytes) + " bytes";
  if (yaml.contains('\0'))
    return "this is no text";
  if (static_cast<size_t>(llvm::count_if(yaml, [](char c) { return c == '[' || c == '{'; })) >
      kBrackets)
    return "too many brackets";
  llvm::SmallVector<StringRef> lines;
  yaml.split(lines, '\n');
  for (StringRef line : lines)
    for (StringRef mark : {"- ", "? ", ": ", "-\t", "?\t", ":\t"})
      if (line.count(mark) > kMarksPerLine)
        return "too many '" + mark.trim().str() + "' in one line";
  return "";
}

} // namespace

LLVM_YAML_IS_SEQUENCE_VECTOR(aotc::MemoryRegion)

template <> struct llvm::yaml::ScalarEnumerationTraits<Access> {
  static void enumeration(IO &io, Access &access) {
    io.enumCase(access, "rx", Access::rx);
    io.enumCase(access, "r", Access::r);
    io.enumCase(access, "rw", Access::rw);
  }
};

template <> struct llvm::yaml::ScalarTraits<Bytes> {
  static void output(const Bytes &, void *, raw_ostream &) {}
  static StringRef input(StringRef text, void *, Bytes &bytes) {
    auto value = parseBytes(text);
    if (!value)
      return "no size: a number of bytes from 1 on, as in 65536, 64KiB or 1MiB";
    bytes.value = *value;
    return "";
  }
  static QuotingType mustQuote(StringRef) { return QuotingType::None; }
};

template <> struct llvm::yaml::ScalarTraits<Address> {
  static void output(const Address &, void *, raw_ostream &) {}
  static StringRef input(StringRef text, void *, Address &address) {
    int64_t value;
    if (text.getAsInteger(0, value) || value < 0 || value > kMostBytes)
      return "no address from 0 to 2^40, as in 0x20000000";
    address.value = value;
    return "";
  }
  static QuotingType mustQuote(StringRef) { return QuotingType::None; }
};

template <> struct llvm::yaml::MappingTraits<MemoryRegion> {
  static void mapping(IO &io, MemoryRegion &region) {
    Bytes size;
    Address base;
    io.mapRequired("name", region.name);
    io.mapRequired("size", size);
    io.mapRequired("access", region.access);
    io.mapOptional("base", base);
    io.mapOptional("section", region.section);
    io.mapOptional("align", region.align);
    io.mapOptional("cost", region.cost);
    io.mapOptional("note", region.note);
    region.capacity = size.value;
    region.base = base.value;
  }
};

template <> struct llvm::yaml::MappingTraits<Machine> {
  static void mapping(IO &io, Machine &machine) {
    io.mapRequired("name", machine.name);
    io.mapOptional("summary", machine.summary);
    io.mapRequired("target", machine.target);
    io.mapOptional("source", machine.source);
    io.mapRequired("regions", machine.regions);
  }
};

llvm::Expected<Machine> aotc::parseMachine(StringRef yaml, StringRef fileName) {
  std::string message = nestingProblem(yaml);
  if (!message.empty())
    return llvm::createStringError(fileName + ": " + message);
  Machine machine;
  // The first message is the cause, later ones follow from it.
  auto remember = [](const llvm::SMDiagnostic &diagnostic, void *context) {
    auto &text = *static_cast<std::string *>(context);
    if (text.empty() && diagnostic.getKind() == llvm::SourceMgr::DK_Error)
      text = (Twine(diagnostic.getLineNo()) + ":" + Twine(diagnostic.getColumnNo() + 1) + ": " +
              diagnostic.getMessage())
                 .str();
  };
  llvm::yaml::Input input(yaml, nullptr, remember, &message);
  input >> machine;
  if (input.error() || !message.empty())
    return llvm::createStringError(fileName + ":" +
                                   (message.empty() ? " this is no machine file" : message));
  if (std::string problem = problemOf(machine); !problem.empty())
    return llvm::createStringError(fileName + ": " + problem);
  return machine;
}

llvm::ArrayRef<Machine> aotc::allMachines() {
  static const std::vector<Machine> machines = [] {
    std::vector<Machine> list;
    llvm::SmallVector<StringRef> documents;
    StringRef(aotc_machines_data, aotc_machines_end - aotc_machines_data)
        .split(documents, "---\n", /*MaxSplit=*/-1, /*KeepEmpty=*/false);
    for (StringRef document : documents)
      list.push_back(llvm::cantFail(parseMachine(document, "machines/"))); // unit.machine
    llvm::sort(list, [](const Machine &a, const Machine &b) { return a.name < b.name; });
    return list;
  }();
  return machines;
}

const Machine *aotc::findMachine(StringRef name) {
  for (const Machine &machine : allMachines())
    if (machine.name == name)
      return &machine;
  return nullptr;
}

llvm::SmallVector<StringRef, 3> aotc::similarMachines(StringRef name) {
  std::vector<std::pair<unsigned, StringRef>> ranked;
  std::string lower = name.lower();
  for (const Machine &machine : allMachines()) {
    StringRef known = machine.name;
    unsigned distance = known.edit_distance(lower);
    if (lower.size() >= 3 && known.contains(lower))
      distance = 0; // "h743" is what the board is called
    if (distance <= std::max<size_t>(2, lower.size() / 3))
      ranked.emplace_back(distance, known);
  }
  llvm::sort(ranked);
  llvm::SmallVector<StringRef, 3> result;
  for (const auto &[distance, known] : llvm::ArrayRef(ranked).take_front(3))
    result.push_back(known);
  return result;
}

std::optional<int64_t> aotc::parseBytes(StringRef text) {
  text = text.trim();
  int64_t unit = 1;
  if (text.consume_back("iB") && !text.ends_with("K") && !text.ends_with("M"))
    return std::nullopt;
  if (text.consume_back("K"))
    unit = 1024;
  else if (text.consume_back("M"))
    unit = 1024 * 1024;
  int64_t value;
  if (text.trim().getAsInteger(0, value) || value < 1 || value > kMostBytes / unit)
    return std::nullopt;
  return value * unit;
}

std::string aotc::addressProblem(llvm::ArrayRef<MemoryRegion> regions) {
  for (auto [i, region] : llvm::enumerate(regions)) {
    if (!region.base || !region.capacity)
      continue;
    const int64_t end = *region.base + *region.capacity, last = int64_t(1) << 32;
    if (*region.base < last && end > last)
      return "region '" + region.name + "': goes beyond address 0xFFFFFFFF";
    for (const MemoryRegion &other : regions.take_front(i))
      if (other.base && other.capacity && *region.base < *other.base + *other.capacity &&
          *other.base < *region.base + *region.capacity)
        return "region '" + region.name + "': overlaps region '" + other.name + "'";
  }
  return "";
}

llvm::Error aotc::editRegions(std::vector<MemoryRegion> &regions, StringRef text) {
  auto [name, rest] = text.split('=');
  auto found =
      llvm::find_if(regions, [name = name](const MemoryRegion &r) { return r.name == name; });
  if (rest == "none") {
    if (found == regions.end()) {
      std::string known;
      for (const MemoryRegion &region : regions)
        known += (known.empty() ? "; there are " : ", ") + region.name;
      return llvm::createStringError("there is no memory region '" + name + "' to take away" +
                                     known);
    }
    regions.erase(found);
    return llvm::Error::success();
  }
  auto [size, price] = rest.split(':');
  std::optional<int64_t> capacity = parseBytes(size), cost;
  bool good = isRegionName(name) && capacity;
  if (int64_t value; rest.contains(':')) {
    good &= !price.getAsInteger(10, value) && value >= 0 && value <= 1000000;
    if (good)
      cost = value;
  }
  if (!good)
    return llvm::createStringError(
        "'" + text +
        "' is no memory region; write NAME=SIZE[:COST], as in sram=64KiB "
        "or sram=64KiB:1, or NAME=none; SIZE is a number of bytes from 1 "
        "on, KiB or MiB, COST one from 0 on");
  if (found == regions.end()) {
    for (const MemoryRegion &region : regions)
      if (isMistyped(name, region.name))
        return llvm::createStringError("there is no memory region '" + name + "'; did you mean '" +
                                       region.name + "'?");
    regions.emplace_back();
    regions.back().name = name;
    found = std::prev(regions.end());
  }
  found->capacity = capacity;
  if (cost)
    found->cost = *cost;
  return llvm::Error::success();
}
