// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tables for people, of the maps and of `aotc run --profile`.
#pragma once

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

#include <initializer_list>
#include <string>
#include <vector>

namespace aotc::text {

/// A table whose columns are as wide as their widest cell; numbers right.
class Table {
public:
  /// `columns`: titles; a leading '>' aligns to the right.
  explicit Table(std::initializer_list<llvm::StringRef> columns) {
    std::vector<std::string> titles;
    for (llvm::StringRef column : columns) {
      right.push_back(column.consume_front(">"));
      titles.push_back(column.str());
    }
    rows.push_back(std::move(titles));
  }
  bool empty() const { return rows.size() == 1; }
  void add(std::vector<std::string> cells) { rows.push_back(std::move(cells)); }
  void print(llvm::raw_ostream &os) const {
    std::vector<size_t> width(right.size());
    for (const auto &row : rows)
      for (auto [i, cell] : llvm::enumerate(row))
        width[i] = std::max(width[i], cell.size());
    for (const auto &row : rows) {
      std::string line = " ";
      for (auto [i, cell] : llvm::enumerate(row)) {
        std::string fill(width[i] - cell.size(), ' ');
        line += " " + (right[i] ? fill + cell : cell + fill) + " ";
      }
      os << llvm::StringRef(line).rtrim() << '\n';
    }
  }

private:
  std::vector<bool> right;
  std::vector<std::vector<std::string>> rows;
};

} // namespace aotc::text
