// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "targets/Machine.h"

#include "llvm/ADT/StringExtras.h"

using namespace aotc;
using llvm::StringRef;

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
  constexpr int64_t most = int64_t(1) << 40;
  if (text.trim().getAsInteger(0, value) || value < 1 || value > most / unit)
    return std::nullopt;
  return value * unit;
}

static bool isRegionName(StringRef name) {
  return !name.empty() && name.size() <= 64 && llvm::isAlpha(name[0]) &&
         llvm::all_of(name, [](char c) { return llvm::isAlnum(c) || c == '_'; });
}

llvm::Expected<MemoryRegion> aotc::parseRegion(StringRef text) {
  auto [name, rest] = text.split('=');
  auto [size, cost] = rest.split(':');
  MemoryRegion region;
  region.name = name;
  region.capacity = parseBytes(size);
  bool good = isRegionName(name) && region.capacity;
  if (!cost.empty() || rest.contains(':'))
    good &= !cost.getAsInteger(10, region.cost) && region.cost >= 0 && region.cost <= 1000000;
  if (!good)
    return llvm::createStringError("'" + text +
                                   "' is no memory region; write NAME=SIZE[:COST], as in "
                                   "sram=64KiB or sram=64KiB:1");
  return region;
}
