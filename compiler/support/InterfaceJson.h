// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the map and `run --json` have in common, under the same keys.
#pragma once

#include "compiler/support/ModelInterface.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/JSON.h"

namespace aotc {

/// A user's name may hold any bytes; JSON wants UTF-8.
std::string utf8(llvm::StringRef text);
/// An integer, null if there is none.
void jsonNumber(llvm::json::OStream &json, llvm::StringRef key, std::optional<int64_t> value);
/// The same; negative numbers are unknown.
void jsonKnown(llvm::json::OStream &json, llvm::StringRef key, int64_t value);

/// Target, model and sizes. `stackBytes` is the caller's: computed or measured.
void jsonFigures(llvm::json::OStream &json, const ModelInterface &model,
                 std::optional<int64_t> stackBytes);

/// The list "regions"; `more` adds keys to each.
void jsonRegions(llvm::json::OStream &json, llvm::ArrayRef<RegionRecord> regions,
                 llvm::function_ref<void(const RegionRecord &)> more = nullptr);

/// A list of inputs or outputs; `more` adds keys to each.
void jsonTensors(llvm::json::OStream &json, llvm::StringRef key, llvm::ArrayRef<IoTensor> tensors,
                 llvm::function_ref<void(const IoTensor &)> more);

} // namespace aotc
