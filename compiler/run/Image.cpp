// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lays out and links the programs that run bundles under an emulator. The
// table of cases (harness/sim.h) is data of the linker script, so no code is
// generated here. Boards get addresses from a first-fit over their memories.

#include "compiler/run/Image.h"
#include "compiler/run/Linker.h"
#include "compiler/run/MemoryCheck.h"
#include "compiler/run/Process.h"
#include "compiler/run/Runners.h"
#include "compiler/run/harness/protocol.h"
#include "targets/StartUp.h"

#include "llvm/ADT/StringSet.h"
#include "llvm/ObjCopy/ConfigManager.h"
#include "llvm/ObjCopy/ObjCopy.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>

using namespace aotc;
using llvm::object::ELFSectionRef;
using llvm::object::ELFSymbolRef;

// Embedded by CMake: the harness, one relocatable object per instruction set.
extern "C" {
extern const char aotc_sim_armv6m_data[], aotc_sim_armv6m_end[];
extern const char aotc_sim_armv7m_data[], aotc_sim_armv7m_end[];
extern const char aotc_sim_armv7a_data[], aotc_sim_armv7a_end[];
extern const char aotc_sim_aarch64_data[], aotc_sim_aarch64_end[];
}

namespace {

/// Room for the harness (8 KB) in front of the table.
constexpr int64_t harnessBytes = 16 << 10;
constexpr int64_t mainStackBytes = 1 << 10;
/// Sections are aligned to this at most; the linker's bridges between code
/// further apart than a branch reaches go behind a case's code.
constexpr int64_t caseAlign = 64, bridgeBytes = 1 << 10;
constexpr int64_t linuxStackBytes = 1 << 20;

struct Layout {
  std::vector<uint64_t> caseAddress;
  uint64_t inputsAddress = 0, windowAddress = 0;
  int64_t windowBytes = 0;
};

llvm::StringRef harnessFor(const TargetSpec &target) {
  if (target.family == Family::aarch64)
    return {aotc_sim_aarch64_data, size_t(aotc_sim_aarch64_end - aotc_sim_aarch64_data)};
  if (target.family == Family::armA)
    return {aotc_sim_armv7a_data, size_t(aotc_sim_armv7a_end - aotc_sim_armv7a_data)};
  if (isStrictlyAligned(target))
    return {aotc_sim_armv6m_data, size_t(aotc_sim_armv6m_end - aotc_sim_armv6m_data)};
  return {aotc_sim_armv7m_data, size_t(aotc_sim_armv7m_end - aotc_sim_armv7m_data)};
}

/// The blocks of one case with guards, wherever the start happens to fall, in
/// front the arrays of their addresses and sizes, behind the copy that a
/// stepwise run compares with.
int64_t windowBytes(const RunCase &runCase, const TargetSpec &target) {
  MemoryLayout layout = layOutBlocks(*runCase.interface);
  return 2 * target.pointerBytes() * static_cast<int64_t>(layout.starts.size()) + layout.bytes +
         2 * SIM_GUARD + 3 * layout.align +
         (runCase.stepwise ? layout.bytes + int64_t(sizeof(uint64_t)) : 0);
}

uint64_t alignTo(uint64_t value, uint64_t align) { return (value + align - 1) / align * align; }

/// A memory with what is left of it.
struct Room {
  uint64_t at, end;
  std::optional<uint64_t> take(uint64_t bytes) {
    uint64_t start = alignTo(at, caseAlign);
    if (start > end || end - start < bytes)
      return std::nullopt;
    at = start + bytes;
    return start;
  }
};

Room roomOf(const AddressRange &region) { return {region.base, region.base + region.bytes}; }

/// Addresses for these cases, or nothing when they do not fit the board.
std::optional<Layout> layOut(llvm::ArrayRef<RunCase> cases, llvm::ArrayRef<CaseObject> objects,
                             const TargetSpec &target, const Board &board, int64_t inputBytes) {
  Room rooms[] = {roomOf(board.code), roomOf(board.extra), roomOf(board.ram)};
  Layout layout;
  int64_t writable = 0, table = 0;
  for (auto [runCase, object] : llvm::zip(cases, objects)) {
    layout.windowBytes = std::max(layout.windowBytes, windowBytes(runCase, target));
    writable += alignTo(object.writableBytes, caseAlign);
    const ModelInterface &interface = *runCase.interface;
    size_t spans =
        interface.regions.size() + interface.inputs.size() + tensorsAfterCall(interface).size();
    table += sizeof(uint32_t) * (9 + 2 * spans + object.stepTable.size());
  }
  if (!rooms[0].take(harnessBytes + table) ||
      !rooms[2].take(board.stackBytes + mainStackBytes + writable))
    return std::nullopt;
  // The arena belongs into RAM; only one that is too large goes elsewhere.
  std::optional<uint64_t> window = rooms[2].take(layout.windowBytes);
  if (!window)
    window = rooms[1].take(layout.windowBytes);
  if (!window)
    return std::nullopt;
  layout.windowAddress = *window;
  auto place = [&](int64_t bytes) -> std::optional<uint64_t> {
    for (Room &room : rooms)
      if (std::optional<uint64_t> address = room.take(bytes))
        return address;
    return std::nullopt;
  };
  int64_t bridges = board.extra.bytes ? bridgeBytes : 0;
  for (const CaseObject &object : objects) {
    std::optional<uint64_t> address = place(object.readOnlyBytes + bridges);
    if (!address)
      return std::nullopt;
    layout.caseAddress.push_back(*address);
  }
  std::optional<uint64_t> inputs = place(inputBytes);
  if (!inputs)
    return std::nullopt;
  layout.inputsAddress = *inputs;
  return layout;
}

bool isUnwindSection(llvm::StringRef name) {
  return name.starts_with(".ARM.exidx") || name.starts_with(".ARM.extab") || name == ".eh_frame";
}

/// The tables of sim.h as data of a linker script.
void writeTables(llvm::raw_ostream &os, llvm::ArrayRef<RunCase> cases,
                 llvm::ArrayRef<CaseObject> objects, size_t first, const TargetSpec &target,
                 const Board *board, int fillings, bool embedInputs) {
  llvm::StringRef word = target.pointerBytes() == 8 ? "QUAD" : "LONG";
  auto emit = [&](const llvm::Twine &value) { os << "    " << word << "(" << value << ")\n"; };
  os << "    . = ALIGN(8);\n    sim_config = .;\n";
  emit(embedInputs ? "sim_inputs" : "0");
  emit(llvm::Twine(board ? board->timer : 0));
  emit(usesFpu(target) ? "1" : "0");
  emit(isStrictlyAligned(target) ? "1" : "0");
  os << "    sim_cases = .;\n";
  for (auto [i, runCase] : llvm::enumerate(cases)) {
    const ModelInterface &interface = *runCase.interface;
    emit("sim_run_" + llvm::Twine(first + i));
    emit(runCase.stepwise ? "sim_steps_" + llvm::Twine(first + i) : "0");
    MemoryLayout layout = layOutBlocks(interface);
    emit(llvm::Twine(layout.bytes));
    emit(llvm::Twine(layout.align));
    emit(llvm::Twine(layout.starts.size()));
    emit(llvm::Twine(fillings));
    emit(llvm::Twine(runCase.invocations));
    emit(llvm::Twine(interface.inputs.size()));
    emit(llvm::Twine(tensorsAfterCall(interface).size()));
  }
  os << "    sim_cases_end = .;\n    sim_blocks = .;\n";
  for (const RunCase &runCase : cases)
    for (auto [region, start] :
         llvm::zip(runCase.interface->regions, layOutBlocks(*runCase.interface).starts)) {
      emit(llvm::Twine(start));
      emit(llvm::Twine(region.bytes));
    }
  os << "    sim_spans = .;\n";
  for (const RunCase &runCase : cases) {
    MemoryLayout layout = layOutBlocks(*runCase.interface);
    const std::vector<IoTensor> after = tensorsAfterCall(*runCase.interface);
    for (const auto *tensors : {&runCase.interface->inputs, &after})
      for (const IoTensor &tensor : *tensors) {
        emit(llvm::Twine(layout.at(tensor.region, tensor.offset)));
        emit(llvm::Twine(tensor.bytes));
      }
  }
  for (auto [i, object] : llvm::enumerate(objects)) {
    if (object.stepTable.empty())
      continue;
    os << "    sim_steps_" << first + i << " = .;\n";
    for (uint64_t value : object.stepTable)
      emit(llvm::Twine(value));
  }
}

void writeInputPatterns(llvm::raw_ostream &os, const CaseObject &object) {
  llvm::StringRef file = llvm::StringRef(object.path).rsplit('/').second;
  for (const std::string &section : object.readOnlySections)
    os << "    */" << file << "(\"" << section << "\")\n";
}

/// A board: every section at its own address and in a segment of its own, for
/// else the linker joins distant ones to one huge segment. The stack is lowest
/// in RAM: an overflow hits nothing of ours.
void writeBoardScript(llvm::raw_ostream &os, llvm::ArrayRef<RunCase> cases,
                      llvm::ArrayRef<CaseObject> objects, size_t first, const TargetSpec &target,
                      const Board &board, const Layout &layout, int fillings, bool embedInputs) {
  std::string sections;
  llvm::raw_string_ostream body(sections);
  int segments = 0;
  auto begin = [&](const llvm::Twine &name, std::optional<uint64_t> address,
                   llvm::StringRef type = "") {
    body << "  ." << name;
    if (address)
      body << llvm::formatv(" {0:x}", *address);
    body << type << " : {\n";
  };
  auto end = [&] { body << "  } :s" << segments++ << "\n"; };

  begin("sim", board.code.base);
  body << "    KEEP(*/harness.o(.vectors))\n"
          "    */harness.o(.text .text.* .rodata .rodata.*)\n";
  writeTables(body, cases, objects, first, target, &board, fillings, embedInputs);
  end();
  for (auto [i, object] : llvm::enumerate(objects)) {
    begin("case_" + llvm::Twine(first + i), layout.caseAddress[i]);
    writeInputPatterns(body, object);
    end();
  }
  if (embedInputs) {
    begin("inputs", layout.inputsAddress);
    body << "    sim_inputs = .;\n    */sim-inputs.bin(.data)\n";
    end();
  }
  begin("sim_stack", board.ram.base, " (NOLOAD)");
  body << "    sim_stack = .;\n    . += " << board.stackBytes
       << ";\n    sim_stack_top = .;\n    . += " << mainStackBytes
       << ";\n    sim_main_stack_top = .;\n";
  end();
  begin("data", std::nullopt);
  body << "    *(.data .data.* .data.rel.ro*)\n";
  end();
  begin("bss", std::nullopt, " (NOLOAD)");
  body << "    *(.bss .bss.* COMMON)\n";
  end();
  begin("sim_window", layout.windowAddress, " (NOLOAD)");
  body << "    sim_window = .;\n    . += " << layout.windowBytes << ";\n";
  end();

  os << "ENTRY(sim_reset)\nPHDRS {\n";
  for (int i = 0; i < segments; ++i)
    os << "  s" << i << " PT_LOAD;\n";
  os << "}\nSECTIONS {\n"
     << sections << "  /DISCARD/ : { *(.ARM.exidx* .ARM.extab* .eh_frame) }\n}\n";
}

/// A Linux program: code, then data and zeroed memory on pages of their own.
void writeLinuxScript(llvm::raw_ostream &os, llvm::ArrayRef<RunCase> cases,
                      llvm::ArrayRef<CaseObject> objects, size_t first, const TargetSpec &target,
                      int fillings, bool embedInputs) {
  int64_t window = 0;
  for (const RunCase &runCase : cases)
    window = std::max(window, windowBytes(runCase, target));
  os << "ENTRY(_start)\nSECTIONS {\n  . = 0x400000;\n"
     << "  .sim : {\n    */harness.o(.text .text.* .rodata .rodata.*)\n";
  writeTables(os, cases, objects, first, target, nullptr, fillings, embedInputs);
  os << "  }\n";
  for (auto [i, object] : llvm::enumerate(objects)) {
    os << llvm::formatv("  .case_{0} : ALIGN({1}) {{\n", first + i, caseAlign);
    writeInputPatterns(os, object);
    os << "  }\n";
  }
  os << "  . = ALIGN(0x10000);\n";
  if (embedInputs)
    os << "  .inputs : ALIGN(64) { sim_inputs = .; */sim-inputs.bin(.data) }\n";
  os << "  .data : { *(.data .data.* .data.rel.ro* .got .got.plt) }\n"
     << "  .bss (NOLOAD) : { *(.bss .bss.* COMMON) }\n"
     << llvm::formatv("  .sim_stack (NOLOAD) : ALIGN(64) {{ sim_stack = .; . += {0}; "
                      "sim_stack_top = .; }\n"
                      "  .sim_window (NOLOAD) : ALIGN(64) {{ sim_window = .; . += {1}; "
                      "}\n",
                      linuxStackBytes, window)
     << "  /DISCARD/ : { *(.ARM.exidx* .ARM.extab* .eh_frame) }\n}\n";
}

} // namespace

llvm::Expected<CaseObject> aotc::prepareObject(const RunCase &runCase, size_t index,
                                               llvm::StringRef path) {
  const std::string &name = runCase.interface->name;
  auto binary =
      llvm::object::ObjectFile::createObjectFile(llvm::MemoryBufferRef(runCase.object, name));
  if (!binary)
    return runError(name + ": not an object file: " + llvm::toString(binary.takeError()));
  if (!(*binary)->isELF() || !(*binary)->isRelocatableObject())
    return runError(name + ": not a relocatable ELF object");

  std::string entry = entryName(runCase);
  bool found = false;
  for (ELFSymbolRef symbol : (*binary)->symbols()) {
    llvm::Expected<llvm::StringRef> symbolName = symbol.getName();
    llvm::Expected<uint32_t> flags = symbol.getFlags();
    if (!symbolName || !flags)
      return llvm::joinErrors(symbolName.takeError(), flags.takeError());
    found |= *symbolName == entry && (*flags & llvm::object::SymbolRef::SF_Global) &&
             !(*flags & llvm::object::SymbolRef::SF_Undefined);
  }
  if (!found)
    return runError(name + ": the object does not define '" + entry + "'");

  CaseObject object;
  object.path = path.str();
  if (runCase.stepwise)
    object.stepTable = stepTable(*runCase.interface);
  llvm::StringSet<> seen;
  for (ELFSectionRef section : (*binary)->sections()) {
    llvm::Expected<llvm::StringRef> sectionName = section.getName();
    if (!sectionName)
      return sectionName.takeError();
    if (!(section.getFlags() & llvm::ELF::SHF_ALLOC) || isUnwindSection(*sectionName))
      continue;
    int64_t bytes = section.getSize() + section.getAlignment().value() - 1;
    if (section.getFlags() & llvm::ELF::SHF_WRITE) {
      object.writableBytes += bytes;
      continue;
    }
    object.readOnlyBytes += bytes;
    if (seen.insert(*sectionName).second)
      object.readOnlySections.push_back(sectionName->str());
  }

  // Bundles of one image may have the same name: only the entry stays global.
  llvm::objcopy::ConfigManager config;
  config.Common.InputFilename = config.Common.OutputFilename = name;
  config.Common.OutputFormat = llvm::objcopy::FileFormat::ELF;
  if (llvm::Error error =
          config.Common.SymbolsToKeepGlobal.addMatcher(llvm::objcopy::NameOrPattern::create(
              entry, llvm::objcopy::MatchStyle::Literal, [](llvm::Error error) { return error; })))
    return std::move(error);
  std::string renamed = ("sim_run_" + llvm::Twine(index)).str();
  config.Common.SymbolsToRename[entry] = renamed;
  std::string content;
  llvm::raw_string_ostream os(content);
  if (llvm::Error error = llvm::objcopy::executeObjcopyOnBinary(config, **binary, os))
    return std::move(error);
  if (llvm::Error error = writeFile(path, content))
    return std::move(error);
  return object;
}

llvm::Expected<std::vector<ImageRange>> aotc::splitCases(llvm::ArrayRef<RunCase> cases,
                                                         llvm::ArrayRef<CaseObject> objects,
                                                         const TargetSpec &target,
                                                         const Board *board, int64_t inputBytes) {
  if (!board)
    return std::vector<ImageRange>{{0, cases.size()}};
  std::vector<ImageRange> images;
  for (size_t first = 0; first < cases.size();) {
    // Double the number while it fits, then halve the step: a fit of n cases
    // implies one of n - 1.
    auto fits = [&](size_t count) {
      return layOut(cases.slice(first, count), objects.slice(first, count), target, *board,
                    inputBytes)
          .has_value();
    };
    size_t count = 0, step = 1;
    while (count + step <= cases.size() - first && fits(count + step)) {
      count += step;
      step *= 2;
    }
    for (; step; step /= 2)
      if (count + step <= cases.size() - first && fits(count + step))
        count += step;
    if (!count) {
      const ModelInterface &interface = *cases[first].interface;
      return runError(llvm::Twine(interface.name) + ": does not fit the emulated board " +
                      board->machine + ": " + llvm::Twine(objects[first].readOnlyBytes) +
                      " bytes of code and constants, " + llvm::Twine(interface.arenaBytes) +
                      " bytes of arena, " + llvm::Twine(board->code.bytes) + " + " +
                      llvm::Twine(board->ram.bytes) + " + " + llvm::Twine(board->extra.bytes) +
                      " bytes of memory");
    }
    images.push_back({first, count});
    first += count;
  }
  return images;
}

llvm::Error aotc::linkImage(llvm::ArrayRef<RunCase> cases, llvm::ArrayRef<CaseObject> objects,
                            ImageRange range, const TargetSpec &target, const Board *board,
                            int fillings, llvm::StringRef inputsFile, llvm::StringRef directory) {
  cases = cases.slice(range.first, range.count);
  objects = objects.slice(range.first, range.count);
  bool embed = !inputsFile.empty();
  std::string script;
  llvm::raw_string_ostream os(script);
  if (board) {
    uint64_t inputBytes = 0;
    if (embed)
      if (std::error_code code = llvm::sys::fs::file_size(inputsFile, inputBytes))
        return llvm::errorCodeToError(code);
    std::optional<Layout> layout = layOut(cases, objects, target, *board, inputBytes);
    if (!layout)
      return runError("the inputs do not fit the image to be saved");
    writeBoardScript(os, cases, objects, range.first, target, *board, *layout, fillings, embed);
  } else {
    writeLinuxScript(os, cases, objects, range.first, target, fillings, embed);
  }

  std::string path = directory.str() + "/";
  if (llvm::Error error = writeFile(path + "harness.o", harnessFor(target)))
    return error;
  if (llvm::Error error = writeFile(path + "image.ld", script))
    return error;
  std::vector<std::string> args = {
      "-o",      path + "image.elf", "-T", path + "image.ld", "-static", "-z",
      "norelro", "--build-id=none"};
  // The image has the build attributes of the first: the target's, by which
  // disassemblers know its instructions. The harness is for all of a family.
  for (const CaseObject &object : objects)
    args.push_back(object.path);
  args.push_back(path + "harness.o");
  if (board)
    args.push_back("--nmagic"); // no pages
  if (embed)
    args.insert(args.end(), {"--format=binary", inputsFile.str()});
  return linkElf(args);
}

llvm::Expected<uint64_t> aotc::symbolAddress(llvm::StringRef elf, llvm::StringRef name) {
  auto binary = llvm::object::ObjectFile::createObjectFile(elf);
  if (!binary)
    return binary.takeError();
  for (ELFSymbolRef symbol : binary->getBinary()->symbols()) {
    llvm::Expected<llvm::StringRef> symbolName = symbol.getName();
    if (!symbolName)
      return symbolName.takeError();
    if (*symbolName == name)
      return symbol.getValue();
  }
  return runError("no symbol '" + name + "' in the image");
}

std::string aotc::symbolAt(llvm::StringRef elf, uint64_t address) {
  auto binary = llvm::object::ObjectFile::createObjectFile(elf);
  if (!binary) {
    llvm::consumeError(binary.takeError());
    return "";
  }
  for (ELFSymbolRef symbol : binary->getBinary()->symbols()) {
    llvm::Expected<llvm::StringRef> name = symbol.getName();
    llvm::Expected<uint64_t> value = symbol.getValue();
    if (!name || !value) {
      llvm::consumeError(llvm::joinErrors(name.takeError(), value.takeError()));
      continue;
    }
    // Thumb functions carry bit 0 of their address set.
    uint64_t start = *value & ~uint64_t(1);
    if (symbol.getELFType() == llvm::ELF::STT_FUNC && address >= start &&
        address < start + symbol.getSize())
      return llvm::formatv("{0} + {1:x}", *name, address - start);
  }
  return "";
}
