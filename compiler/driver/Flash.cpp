// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/driver/Flash.h"

#include "llvm/ADT/Twine.h"

namespace aotc {

const MemoryRegion *weightsRegion(const CompileOptions &options) {
  const MemoryRegion *best = nullptr;
  for (const MemoryRegion &region : options.readOnly)
    if (!region.section.empty() && (!best || region.cost < best->cost))
      best = &region;
  return best;
}

std::string flashProblem(const CompileOptions &options, const ModelInterface &model) {
  if (options.readOnly.empty())
    return "";
  const MemoryRegion *own = weightsRegion(options);
  int64_t forCode = 0, forAll = 0;
  std::string names;
  for (const MemoryRegion &region : options.readOnly) {
    if (&region == own)
      continue;
    forAll += *region.capacity;
    forCode += region.access == Access::rx ? *region.capacity : 0;
    names += (names.empty() ? "'" : ", '") + region.name + "'";
  }
  auto lack = [&](llvm::StringRef what, int64_t bytes, llvm::StringRef where, int64_t there) {
    return (what + " of " + llvm::Twine(bytes) + " bytes do not fit " + where + ", which has " +
            llvm::Twine(there) + ": " + llvm::Twine(bytes - there) + " are missing")
        .str();
  };
  std::string problem;
  if (own && model.weightsBytes > *own->capacity)
    problem = lack("weights", model.weightsBytes, "'" + own->name + "'", *own->capacity);
  else if (model.codeBytes > forCode)
    problem = lack("code and constants", model.codeBytes, "the memory for code", forCode);
  else if (!own && model.codeBytes + model.weightsBytes > forAll)
    problem = lack("code and weights", model.codeBytes + model.weightsBytes, names, forAll);
  if (problem.empty())
    return "";
  const LayerRecord *largest = nullptr;
  for (const LayerRecord &layer : model.layers)
    if (!largest || layer.weightsBytes > largest->weightsBytes)
      largest = &layer;
  if (largest && largest->weightsBytes)
    problem += "; most weights, " + std::to_string(largest->weightsBytes) + ", has operator " +
               std::to_string(largest->opIndex) + " (" + largest->op + ") '" +
               llvm::StringRef(largest->name).split(';').first.str() + "'";
  return problem + "; --region NAME=SIZE changes what there is";
}

} // namespace aotc
