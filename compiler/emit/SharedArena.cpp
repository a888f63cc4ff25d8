// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bundles are position-free in their arena and leave nothing in it that outlives
// a call but state, so models that take turns need the largest of their arenas.
#include "compiler/emit/SharedArena.h"

#include "compiler/emit/Header.h"
#include "compiler/emit/Table.h"
#include "compiler/emit/Text.h"
#include "compiler/support/InterfaceJson.h"
#include "targets/Target.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>

using namespace aotc;
using namespace aotc::text;
using llvm::formatv;
using llvm::StringRef;
using llvm::Twine;

namespace {

/// LLVM's reader calls itself for each level; a map has four.
bool isShallow(StringRef json) {
  constexpr int most = 64;
  int depth = 0;
  bool quoted = false;
  for (size_t i = 0; i < json.size(); ++i) {
    char c = json[i];
    if (quoted && c == '\\')
      ++i;
    else if (c == '"')
      quoted = !quoted;
    else if (!quoted && (c == '[' || c == '{') && ++depth > most)
      return false;
    else if (!quoted && (c == ']' || c == '}'))
      --depth;
  }
  return true;
}

/// Reads keys of an object; the first that is missing or of another type is
/// remembered. Sizes are at most what a 64-bit target can address with some room
/// for sums.
class Fields {
public:
  Fields(const llvm::json::Object &object, std::string &problem)
      : object(object), problem(problem) {}
  std::string text(StringRef key) {
    std::optional<StringRef> value = object.getString(key);
    if (!value)
      fail("no text", key);
    return value.value_or("").str();
  }
  int64_t size(StringRef key) {
    std::optional<int64_t> value = object.getInteger(key);
    if (!value || *value < 0 || *value > int64_t(1) << 48)
      fail("no size", key);
    return problem.empty() ? *value : 0;
  }
  void fail(const Twine &what, StringRef key) {
    if (problem.empty())
      problem = (what + " '" + key + "'").str();
  }

private:
  const llvm::json::Object &object;
  std::string &problem;
};

/// The region of this name, or null.
const RegionRecord *findRegion(const std::vector<RegionRecord> &regions, StringRef name) {
  auto found = llvm::find_if(regions, [&](const RegionRecord &r) { return r.name == name; });
  return found == regions.end() ? nullptr : &*found;
}

/// The first member whose part of the region is as large as the region.
StringRef setBy(const SharedArena &arena, const RegionRecord &region) {
  for (const ArenaMember &member : arena.members)
    if (const RegionRecord *own = findRegion(member.regions, region.name);
        own && own->bytes == region.bytes)
      return member.name;
  return "";
}

std::string upperCase(StringRef name) { return name.upper(); }

/// KWS_ARENA
std::string regionMacro(StringRef prefix, const RegionRecord &region) {
  return upperCase(prefix) + "_" + upperCase(region.symbol);
}

} // namespace

llvm::Expected<ArenaMember> aotc::readArenaMember(StringRef mapJson) {
  if (!isShallow(mapJson))
    return llvm::createStringError("nested too deeply");
  auto json = llvm::json::parse(mapJson);
  if (!json)
    return json.takeError();
  const llvm::json::Object *object = json->getAsObject();
  if (!object || object->getString("schema") != StringRef("aotc.map.1"))
    return llvm::createStringError("no memory map of a model (schema aotc.map.1)");
  std::string problem;
  Fields fields(*object, problem);
  ArenaMember member;
  member.name = fields.text("name");
  member.target = fields.text("target");
  member.modelFile = fields.text("model_file");
  member.abiSymbol = fields.text("abi_symbol");
  member.arenaBytes = fields.size("arena_bytes");
  member.stateBytes = fields.size("state_bytes");
  member.ioUsedMemory = fields.size("io_used_memory");
  // What is printed into C must be what a compiler of ours would write.
  if (toModelName(member.name) != member.name)
    fields.fail("no identifier", "name");
  const llvm::json::Array *regions = object->getArray("regions");
  if (!regions || regions->empty())
    fields.fail("no list", "regions");
  else
    for (const llvm::json::Value &value : *regions) {
      const llvm::json::Object *entry = value.getAsObject();
      if (!entry) {
        fields.fail("no objects in", "regions");
        break;
      }
      Fields part(*entry, problem);
      if (entry->getString("owner").value_or("model") != "model")
        continue; // one of the caller's tensors
      RegionRecord region;
      region.name = part.text("name");
      region.symbol = part.text("symbol");
      region.section = entry->getString("section").value_or("").str();
      region.bytes = part.size("bytes");
      region.align = part.size("align");
      if (toCIdentifier(region.symbol) != region.symbol)
        part.fail("no identifier", "symbol");
      if (findRegion(member.regions, region.name))
        part.fail("no own text", "name");
      if (!llvm::all_of(region.section, llvm::isPrint) ||
          region.section.find_first_of("\"\\") != std::string::npos)
        part.fail("no section's name", "section");
      if (!llvm::isPowerOf2_64(region.align))
        part.fail("no power of two", "align");
      member.regions.push_back(std::move(region));
    }
  if (!problem.empty())
    return llvm::createStringError(problem + " in the memory map");
  return member;
}

llvm::Expected<SharedArena> aotc::shareArena(StringRef name, std::vector<ArenaMember> members) {
  SharedArena arena;
  arena.name = toModelName(name);
  llvm::StringMap<std::string> names; // in upper case, as macros are
  names[upperCase(arena.name)] = "the shared arena";
  const TargetSpec *first = nullptr;
  for (ArenaMember &member : members) {
    auto [entry, added] = names.try_emplace(upperCase(member.name), "another model");
    if (!added)
      return llvm::createStringError("'" + member.name + "' is the name of " + entry->second +
                                     " too: their macros would clash; compile one of them with "
                                     "another --name");
    if (member.stateBytes)
      return llvm::createStringError(
          "'" + member.name + "' keeps " + Twine(member.stateBytes) +
          " bytes of state in its arena from one run to the next, which another model would "
          "overwrite; give it an arena of its own");
    const TargetSpec *target = findTarget(member.target);
    if (first && target && first->family != target->family)
      return llvm::createStringError("'" + arena.members.front().name + "' is compiled for " +
                                     first->name + ", '" + member.name + "' for " + target->name +
                                     ": no program has both");
    if (!first)
      first = target;
    for (const RegionRecord &region : member.regions) {
      auto found = llvm::find_if(
          arena.regions, [&](const RegionRecord &other) { return other.name == region.name; });
      if (found == arena.regions.end()) {
        arena.regions.push_back(region);
        continue;
      }
      found->bytes = std::max(found->bytes, region.bytes);
      found->align = std::max(found->align, region.align);
    }
    arena.apartBytes += member.arenaBytes;
    arena.members.push_back(std::move(member));
  }
  // One block is called as in the header of a model with one.
  std::vector<std::string> symbols;
  for (const RegionRecord &region : arena.regions) {
    arena.arenaBytes += region.bytes;
    symbols.push_back(arena.regions.size() == 1 ? "arena" : region.name);
  }
  for (auto [region, symbol] : llvm::zip_equal(arena.regions, toCIdentifiers(symbols)))
    region.symbol = symbol;
  return arena;
}

std::string aotc::memberNames(const SharedArena &arena) {
  std::string text;
  size_t last = arena.members.size() - 1;
  for (auto [i, member] : llvm::enumerate(arena.members))
    text += (i == 0 ? "" : i == last ? " and " : ", ") + member.name;
  return text;
}

std::string aotc::printSharedHeader(const SharedArena &arena) {
  std::string text, upper = upperCase(arena.name);
  llvm::raw_string_ostream os(text);
  const ArenaMember &first = arena.members.front();
  os << "/* " << arena.name << ".h: one arena for " << memberNames(arena)
     << ", which never run at the same time.\n"
     << " * Generated by " << compilerVersion() << "; do not edit.\n *\n"
     << " * What it takes\n"
     << " *   RAM    " << grouped(arena.arenaBytes) << " bytes instead of "
     << grouped(arena.apartBytes) << "\n";
  for (const RegionRecord &region : arena.regions)
    os << " *          " << printable(region.name) << ": " << setBy(arena, region)
       << " sets its size\n";
  os << " *\n * How to use it (link with the objects of all models)\n *\n"
     << " *   #include \"" << arena.name << ".h\" // includes the models' own headers\n";
  for (const RegionRecord &region : arena.regions)
    os << " *   " << regionMacro(arena.name, region) << "(" << region.symbol << ");\n";
  os << " *   // Now as the header of each model says, with this memory instead of its own:\n"
     << " *   // fill the inputs of " << first.name << ", run it, use its outputs;\n"
     << " *   // then the inputs of the next model may be filled.\n"
     << " *\n * Rules\n"
     << " *   - From the first write to a model's inputs to the last read of its outputs\n"
     << " *     the arena is that model's alone. Whatever another model writes, also into\n"
     << " *     its inputs, destroys them: copy outputs that are needed longer, and fill\n"
     << " *     all inputs before every run.\n"
     << " *   - Threads and interrupt handlers that run different models must exclude each\n"
     << " *     other for that whole span, not only during the run.\n"
     << " *   - None of these models keeps anything from one run to the next; one that\n"
     << " *     does could not be here.\n"
     << " *   - Between these spans the arena is free for other uses.\n"
     << " */\n"
     << "#ifndef AOTC_SHARED_ARENA_" << upper << "_H\n#define AOTC_SHARED_ARENA_" << upper
     << "_H\n\n";
  for (const ArenaMember &member : arena.members)
    os << "#include \"" << member.name << ".h\"\n";
  os << "\n/* Undefined again at the end of this file. */\n" << assertMacro();
  for (const RegionRecord &region : arena.regions) {
    std::string macro = regionMacro(arena.name, region);
    os << "\n/* " << setBy(arena, region) << " sets the size. Bytes, and what the address must be "
       << "a multiple of. */\n"
       << "#define " << macro << "_SIZE " << region.bytes << "\n"
       << "#define " << macro << "_ALIGN " << region.align << "\n"
       << "/* A static array of this size and alignment. */\n"
       << storageMacro(macro, "unsigned char", region.section);
  }
  os << "\n/* These headers, and no later ones of the same names. */\n";
  for (const ArenaMember &member : arena.members) {
    for (const RegionRecord &region : member.regions) {
      std::string macro = regionMacro(member.name, region);
      os << "AOTC_ASSERT_(" << macro << "_SIZE == " << region.bytes << " && " << macro
         << "_ALIGN == " << region.align << ",\n             \"" << member.name
         << " was compiled again: make " << arena.name << ".h again too\");\n";
    }
    os << "AOTC_ASSERT_(" << upperCase(member.name) << "_STATE_SIZE == 0, \"" << member.name
       << " keeps state: it cannot share\");\n";
  }
  os << "\n#if defined(__cplusplus) && __cplusplus >= 201703L\n"
     << "namespace " << arena.name << " {\n\n"
     << "/// The memory all of them use (" << first.name
     << "::Model has an arena of its own). Large: make\n/// it static or allocate it.\nclass Arena "
        "{\npublic:\n";
  for (const RegionRecord &region : arena.regions) {
    std::string suffix = arena.regions.size() > 1 ? "_" + region.symbol : "";
    os << "  unsigned char *data" << suffix << "() noexcept { return " << region.symbol << "_; }\n"
       << "  const unsigned char *data" << suffix << "() const noexcept { return " << region.symbol
       << "_; }\n"
       << "  static constexpr size_t size" << suffix << "() noexcept { return "
       << regionMacro(arena.name, region) << "_SIZE; }\n";
  }
  os << "\nprivate:\n";
  for (const RegionRecord &region : arena.regions) {
    std::string macro = regionMacro(arena.name, region);
    os << "  alignas(" << macro << "_ALIGN) unsigned char " << region.symbol << "_[" << macro
       << "_SIZE];\n";
  }
  os << "};\n\n} // namespace " << arena.name << "\n#endif\n"
     << "\n#undef AOTC_ASSERT_\n#endif /* AOTC_SHARED_ARENA_" << upper << "_H */\n";
  return text;
}

std::string aotc::printSharedMapJson(const SharedArena &arena) {
  std::string text;
  llvm::raw_string_ostream os(text);
  {
    llvm::json::OStream json(os, /*IndentSize=*/2);
    json.object([&] {
      json.attribute("schema", "aotc.shared-arena.1");
      json.attribute("name", arena.name);
      json.attribute("compiler", compilerVersion());
      json.attribute("arena_bytes", arena.arenaBytes);
      json.attribute("apart_bytes", arena.apartBytes);
      jsonRegions(json, arena.regions, [&](const RegionRecord &region) {
        json.attribute("set_by", setBy(arena, region));
      });
      json.attributeArray("models", [&] {
        for (const ArenaMember &member : arena.members)
          json.object([&] {
            json.attribute("name", member.name);
            json.attribute("target", member.target);
            json.attribute("model_file", member.modelFile);
            json.attribute("abi_symbol", member.abiSymbol);
            json.attribute("arena_bytes", member.arenaBytes);
            json.attribute("io_used_memory", member.ioUsedMemory);
            jsonRegions(json, member.regions);
          });
      });
    });
  }
  text += '\n';
  return text;
}

std::string aotc::printSharedMapText(const SharedArena &arena) {
  constexpr int64_t width = 40;
  std::string text;
  llvm::raw_string_ostream os(text);
  os << arena.name << ": one arena for " << memberNames(arena)
     << ", which never run at the same time\n  " << compilerVersion() << "\n\n";
  Table sizes({"", ">bytes", ""});
  sizes.add({"RAM, arena", grouped(arena.arenaBytes), ""});
  sizes.add({"apart", grouped(arena.apartBytes),
             grouped(arena.apartBytes - arena.arenaBytes) + " saved"});
  sizes.print(os);
  for (const RegionRecord &region : arena.regions) {
    os << "\nHeights in '" << printable(region.name) << "'\n";
    Table table({"model", ">bytes", "", "target", "file"});
    for (const ArenaMember &member : arena.members) {
      const RegionRecord *own = findRegion(member.regions, region.name);
      int64_t bytes = own ? own->bytes : 0;
      int64_t bar = region.bytes ? llvm::divideCeil(bytes * width, region.bytes) : 0;
      table.add({member.name, grouped(bytes), std::string(bar, '#') + std::string(width - bar, '.'),
                 printable(member.target), shortName(member.modelFile)});
    }
    table.print(os);
    os << "  " << setBy(arena, region) << " sets the size\n";
  }
  return text;
}
