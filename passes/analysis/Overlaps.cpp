// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/analysis/Overlaps.h"

using namespace mlir;
using namespace aotc;
using namespace aotc::instr;

/// Alternatives kept; beyond, the later ones are not offered.
static constexpr size_t kMaxAlternatives = 16;

/// Whether all that `a` allows is allowed by `b`.
static bool covers(const planner::MayOverlap &b, const planner::MayOverlap &a) {
  auto reaches = [](std::optional<int64_t> wide, std::optional<int64_t> narrow) {
    return !narrow || (wide && *wide <= *narrow);
  };
  return reaches(b.ascending, a.ascending) && reaches(b.descending, a.descending) &&
         a.multiple % b.multiple == 0 && (a.phase - b.phase) % b.multiple == 0;
}

bool aotc::rulesCover(InstrOpInterface op, ArrayRef<OverlapAttr> rules, Operation *input,
                      Operation *output) {
  auto lies = [](Operation *buffer) {
    return [buffer](Value value) { return resolveBuffer(value).root == buffer; };
  };
  // Further operands (packed data) count as any other.
  if (input == output || llvm::count_if(op->getOperands(), lies(output)) != 1 ||
      llvm::count_if(op->getOperands(), lies(input)) != llvm::count_if(op.getIns(), lies(input)))
    return false;
  auto out = llvm::find_if(op.getOuts(), lies(output));
  if (out == op.getOuts().end())
    return false;
  auto outIndex = std::distance(op.getOuts().begin(), out);
  return llvm::all_of(llvm::enumerate(op.getIns()), [&](auto in) {
    return !lies(input)(in.value()) || llvm::any_of(rules, [&](OverlapAttr rule) {
      return rule.getInput() == static_cast<int64_t>(in.index()) && rule.getOutput() == outIndex;
    });
  });
}

SmallVector<planner::MayOverlap> aotc::overlapsOf(InstrOpInterface op, ArrayRef<OverlapAttr> rules,
                                                  Operation *input, Operation *output) {
  std::optional<SmallVector<planner::MayOverlap>> all; // absent: no use so far
  for (auto [o, out] : llvm::enumerate(op.getOuts()))
    for (auto [i, in] : llvm::enumerate(op.getIns())) {
      instr::BufferRef from = resolveBuffer(in), to = resolveBuffer(out);
      if (from.root != input || to.root != output)
        continue;
      int64_t shift = from.offset - to.offset;
      SmallVector<planner::MayOverlap> merged;
      for (OverlapAttr rule : rules) {
        if (rule.getInput() != static_cast<int64_t>(i) ||
            rule.getOutput() != static_cast<int64_t>(o))
          continue;
        planner::MayOverlap own;
        if (rule.getAscending())
          own.ascending = *rule.getAscending() - shift;
        if (rule.getDescending())
          own.descending = *rule.getDescending() + shift;
        own.multiple = rule.getMultiple();
        own.phase = -shift;
        // Each of these with each of what the uses before allow.
        if (!all)
          if (auto rest = planner::both(own, own))
            merged.push_back(*rest);
        for (const planner::MayOverlap &before : all.value_or(SmallVector<planner::MayOverlap>()))
          if (auto rest = planner::both(before, own))
            merged.push_back(*rest);
      }
      SmallVector<planner::MayOverlap> kept;
      for (const planner::MayOverlap &may : merged) {
        auto coversIt = [&](const planner::MayOverlap &other) { return covers(other, may); };
        if (llvm::any_of(kept, coversIt))
          continue;
        llvm::erase_if(kept, [&](const planner::MayOverlap &other) { return covers(may, other); });
        if (kept.size() < kMaxAlternatives)
          kept.push_back(may);
      }
      all = kept;
    }
  return all.value_or(SmallVector<planner::MayOverlap>());
}
