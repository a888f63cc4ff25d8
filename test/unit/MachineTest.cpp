// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Machine files: the ones aotc carries, what is read, what is refused.
#include "targets/Machine.h"
#include "targets/Target.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

#include <catch2/catch.hpp>

#include <random>

using namespace aotc;
using Catch::Matchers::Contains;

namespace {

constexpr llvm::StringLiteral kGood = R"(
name: board
summary: "a board: two memories"
target: cortex-m4
source: arithmetic
regions:
  - name: flash
    base: 0x08000000
    size: 1MiB
    access: rx
  - {name: ram, base: 0x20000000, size: 64KiB, access: rw, align: 8, cost: 2, note: fast}
  - {name: slow, section: .slow, size: 4096, access: rw}
)";

std::string errorOf(llvm::StringRef text) {
  auto machine = parseMachine(text, "m.yaml");
  return machine ? "" : llvm::toString(machine.takeError());
}

/// kGood with one text replaced by another.
std::string changed(llvm::StringRef from, llvm::StringRef to) {
  std::string text = kGood.str();
  REQUIRE(kGood.count(from) == 1);
  return text.replace(text.find(from), from.size(), to);
}

} // namespace

TEST_CASE("a machine file is read") {
  auto machine = parseMachine(kGood, "m.yaml");
  REQUIRE(bool(machine));
  CHECK(machine->name == "board");
  CHECK(machine->target == "cortex-m4");
  CHECK(machine->summary == "a board: two memories");
  REQUIRE(machine->regions.size() == 3);
  const MemoryRegion &ram = machine->regions[1], &slow = machine->regions[2];
  CHECK(machine->regions[0].access == Access::rx);
  CHECK(*machine->regions[0].capacity == 1048576);
  CHECK(ram.name == "ram");
  CHECK(*ram.base == 0x20000000);
  CHECK(*ram.capacity == 65536);
  CHECK((ram.align == 8 && ram.cost == 2 && ram.note == "fast"));
  CHECK((!slow.base && slow.section == ".slow" && *slow.capacity == 4096 && slow.align == 1));
}

TEST_CASE("what is wrong with a machine file is said, with its line") {
  CHECK_THAT(errorOf(changed("1MiB", "1MB")), Contains("m.yaml:9:11: no size"));
  CHECK_THAT(errorOf(changed("4096", "0")), Contains("no size"));
  CHECK_THAT(errorOf(changed("4096", "9999999999999MiB")), Contains("no size"));
  CHECK_THAT(errorOf(changed("4096", "-4")), Contains("no size"));
  CHECK_THAT(errorOf(changed("0x08000000", "flash")), Contains("m.yaml:8:11: no address"));
  CHECK_THAT(errorOf(changed("access: rx", "access: xr")), Contains("m.yaml:10:13: "));
  CHECK_THAT(errorOf(changed("    access: rx\n", "")), Contains("missing required key 'access'"));
  CHECK_THAT(errorOf(changed("note: fast", "speed: 3")), Contains("unknown key 'speed'"));
  CHECK_THAT(errorOf(changed("cost: 2", "cost: much")), Contains("m.yaml:11:"));
  CHECK_THAT(errorOf(changed("cost: 2", "cost: -2")), Contains("cost is not in"));
  CHECK_THAT(errorOf(changed("align: 8", "align: 12")), Contains("'ram': align is not a power"));
  CHECK_THAT(errorOf(changed("0x20000000", "0x20000004")), Contains("no multiple of align"));
  CHECK_THAT(errorOf(changed("0x20000000", "0x080FFFF8")),
             Contains("'ram': overlaps region 'flash'"));
  CHECK(errorOf(changed("0x20000000", "0x08100000")).empty()); // right behind it
  CHECK_THAT(errorOf(changed("name: slow", "name: ram")), Contains("two of this name"));
  CHECK_THAT(errorOf(changed("name: slow", "name: 2nd")), Contains("a letter first"));
  CHECK_THAT(errorOf(changed("name: board", "name: My Board")), Contains("is not made of"));
  CHECK_THAT(errorOf(changed(".slow", "\"a\\\"b\"")), Contains("is no section's name"));
  CHECK_THAT(errorOf(changed("section: .slow", "section: .slow, base: 0x90000000")),
             Contains("base or section, not both"));
  CHECK_THAT(errorOf("name: x\ntarget: cortex-m4\nregions: []\n"), Contains("there is no region"));
  CHECK_THAT(errorOf("name: x\ntarget: host\nregions: [{name: f, size: 1, access: r}]"),
             Contains("no region has access rw"));
  for (llvm::StringRef text : {"", "x", "[", "- a", "name: {", "%YAML 9.9", "name: a\nname: b"}) {
    INFO(text.str());
    CHECK_THAT(errorOf(text), Contains("m.yaml"));
  }
}

TEST_CASE("no text makes the reader fail otherwise than by an error") {
  CHECK_THAT(errorOf(std::string(20000, 'a')), Contains("at most"));
  CHECK_THAT(errorOf(std::string(16000, '[')), Contains("brackets"));
  for (llvm::StringRef mark : {"- ", "? ", ": ", "-\t"}) {
    std::string many;
    while (many.size() < 16000)
      many += mark;
    CHECK_FALSE(errorOf(many).empty());
  }
  std::mt19937 random(1);
  constexpr llvm::StringLiteral pieces[] = {
      "\n", "  ",  "- ", ": ", "{",  "}",    "[",  "]",     "\"",    "'", "#", "&a", "*a",
      "|",  ">\n", "!x", "? ", "\t", "\xff", "0x", "---\n", "...\n", "%", "@", "`",  ","};
  int accepted = 0;
  for (int round = 0; round < 20000; ++round) {
    std::string text = kGood.str();
    for (int change = random() % 4; change >= 0; --change) {
      size_t at = random() % text.size(), length = random() % 6;
      llvm::StringRef piece = pieces[random() % std::size(pieces)];
      switch (random() % 3) {
      case 0:
        text.insert(at, piece.str());
        break;
      case 1:
        text.erase(at, length + 1);
        break;
      default:
        text.replace(at, length, piece.str());
      }
      if (text.empty())
        text = "x";
    }
    accepted += errorOf(text).empty();
  }
  CHECK(accepted > 0);
  CHECK(accepted < 20000);
}

TEST_CASE("sizes") {
  CHECK(parseBytes("65536") == 65536);
  CHECK(parseBytes("0x100") == 256);
  CHECK(parseBytes("64K") == 65536);
  CHECK(parseBytes(" 64 KiB ") == 65536);
  CHECK(parseBytes("2MiB") == 2 << 20);
  CHECK(parseBytes("1048576M") == int64_t(1) << 40);
  for (llvm::StringRef text :
       {"", "0", "-1", "K", "KiB", "5iB", "5B", "5kB", "1.5M", "1048577M", "x"})
    CHECK_FALSE(parseBytes(text).has_value());
}

TEST_CASE("regions on the command line") {
  std::vector<MemoryRegion> regions;
  auto edit = [&](llvm::StringRef text) { return llvm::toString(editRegions(regions, text)); };
  CHECK(edit("a=1K").empty());
  CHECK(edit("b=0x800:3").empty());
  REQUIRE(regions.size() == 2);
  CHECK((*regions[0].capacity == 1024 && regions[0].cost == 0));
  CHECK((*regions[1].capacity == 2048 && regions[1].cost == 3));
  // Another size leaves the cost as it is.
  CHECK(edit("b=5").empty());
  CHECK((*regions[1].capacity == 5 && regions[1].cost == 3));
  CHECK(edit("a=none").empty());
  CHECK((regions.size() == 1 && regions[0].name == "b"));
  CHECK_THAT(edit("a=none"), Contains("no memory region 'a'") && Contains("there are b"));
  for (llvm::StringRef text :
       {"", "b", "b=", "b=1:", "b=1:-1", "b=1:x", "=1", "1b=1", "b c=1", "b=0"})
    CHECK_THAT(edit(text), Contains("write NAME=SIZE"));
  CHECK(regions.size() == 1);
}

TEST_CASE("the machines aotc carries") {
  // The CPUs that exist or are planned; a machine may name no other.
  const std::string cores[] = {"cortex-m0",  "cortex-m0plus", "cortex-m3",
                               "cortex-m4",  "cortex-m7",     "cortex-m23",
                               "cortex-m33", "cortex-m55",    "cortex-m85"};
  std::error_code error;
  size_t files = 0;
  for (llvm::sys::fs::directory_iterator at(MACHINES, error), end; at != end && !error;
       at.increment(error)) {
    INFO(at->path());
    ++files;
    auto text = llvm::MemoryBuffer::getFile(at->path());
    REQUIRE(bool(text));
    auto machine = parseMachine((*text)->getBuffer(), at->path());
    if (!machine)
      FAIL(llvm::toString(machine.takeError()));
    CHECK(llvm::sys::path::stem(at->path()) == machine->name);
    const Machine *known = findMachine(machine->name);
    REQUIRE(known);
    CHECK(known->regions.size() == machine->regions.size());
    CHECK_FALSE(machine->summary.empty());
    CHECK_FALSE(machine->source.empty());
    CHECK((findTarget(machine->target) || llvm::is_contained(cores, machine->target)));
    bool code = false;
    for (const MemoryRegion &region : machine->regions) {
      INFO(region.name);
      code |= region.access == Access::rx;
      // Where Armv6-M to v8-M have code, SRAM and external memory.
      REQUIRE(region.base);
      CHECK(*region.base + *region.capacity <= 0xe0000000);
      bool peripherals = *region.base >= 0x40000000 && *region.base < 0x60000000;
      CHECK_FALSE(peripherals);
      CHECK(*region.capacity % 1024 == 0);
    }
    CHECK(code);
  }
  CHECK_FALSE(error);
  CHECK(files >= 20);
  CHECK(files == allMachines().size());
  CHECK(*findMachine("nucleo-l4r5zi")->regions[1].capacity == 655360);
  CHECK(similarMachines("nucleo-l4r5")[0] == "nucleo-l4r5zi");
  CHECK(similarMachines("h743")[0] == "nucleo-h743zi");
  CHECK(similarMachines("zzzzzzzz").empty());
}
