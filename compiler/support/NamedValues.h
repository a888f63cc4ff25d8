// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The words for the values of an enumeration, as options, IR and artefacts have
// them: one table, of which both directions and the list for messages are made.
#pragma once

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>
#include <vector>

namespace aotc {

template <typename Enum> struct NamedValue {
  Enum value;
  llvm::StringLiteral name;
};

/// The value must be in the table.
template <typename Enum, size_t count>
llvm::StringRef nameIn(const NamedValue<Enum> (&table)[count], Enum value) {
  return llvm::find_if(table, [&](const auto &entry) { return entry.value == value; })->name;
}

template <typename Enum, size_t count>
std::optional<Enum> valueIn(const NamedValue<Enum> (&table)[count], llvm::StringRef name) {
  for (const auto &entry : table)
    if (entry.name == name)
      return entry.value;
  return std::nullopt;
}

template <typename Enum, size_t count>
std::vector<std::string> namesIn(const NamedValue<Enum> (&table)[count]) {
  std::vector<std::string> names;
  for (const auto &entry : table)
    names.push_back(entry.name.str());
  return names;
}

} // namespace aotc
