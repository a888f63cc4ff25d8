// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What would make the arena smaller. Each single change is put to the planner,
// in the order of instructions as it stands; a change whose lower bound is no
// smaller is not solved for.
#include "passes/Passes.h"
#include "passes/analysis/PlanProblem.h"
#include "passes/planner/Footprint.h"

#include "mlir/IR/Builders.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"

namespace aotc {
#define GEN_PASS_DEF_ADVISE
#include "passes/Passes.h.inc"
} // namespace aotc

using namespace mlir;
using namespace aotc;
using namespace aotc::instr;

namespace {

/// One change, and the arena it leaves.
struct Change {
  std::string what;
  bool byOption = true; ///< the user can do it; else it needs another kernel
  int64_t bytes = 0;    ///< a lower bound, until it is planned
  int64_t number = 0;   ///< in the order of trying
  planner::Problem problem;
};

/// 22600 -> "22,600".
std::string grouped(int64_t value) {
  std::string digits = std::to_string(value);
  for (int64_t i = static_cast<int64_t>(digits.size()) - 3; i > 0; i -= 3)
    digits.insert(i, ",");
  return digits;
}

/// Of a name that a converter joined with ';' the first, its end if it is long.
std::string shortName(StringRef name) {
  constexpr size_t kLongest = 60;
  name = name.split(';').first;
  return name.size() <= kLongest ? name.str() : "..." + name.take_back(kLongest - 3).str();
}

/// "CONV_2D 'conv/Relu' (operator 3)"
std::string describe(InstrOpInterface op) {
  auto origin = op->getAttrOfType<nn::OriginAttr>("origin");
  if (!origin)
    return ("an instruction '" + op->getName().getStringRef() + "'").str();
  std::string text = origin.getCode().str();
  if (!origin.getNames().empty())
    text += " '" + shortName(origin.getNames().front()) + "'";
  return text + " (operator " + std::to_string(origin.getIndex()) + ")";
}

/// "--input-mode x=caller": what a user types for it. By its number, where a
/// shell or a reader would stumble over the name.
std::string modeOption(AllocOp alloc, IoMode mode) {
  StringRef name = alloc.getName();
  bool plain = !name.empty() && name.size() <= 60 && llvm::all_of(name, [](char c) {
    return llvm::isAlnum(c) || StringRef("_./:-").contains(c);
  });
  std::string which =
      plain || !alloc.getPosition() ? name.str() : std::to_string(*alloc.getPosition());
  return ("--" + stringifyRole(alloc.getRole()) + "-mode " + which + "=" + ioModeName(mode)).str();
}

struct Advise : aotc::impl::AdviseBase<Advise> {
  using AdviseBase::AdviseBase;

  void runOnOperation() override {
    func::FuncOp function = getOperation();
    auto liveness = BufferLiveness::compute(function, getArgument());
    if (failed(liveness))
      return signalPassFailure();
    auto arena = function->getAttrOfType<IntegerAttr>(kArenaBytesAttr);
    bool placed = llvm::all_of(liveness->buffers(), [](const BufferLife &life) {
      return life.dealloc && AllocOp(life.alloc).getOffset();
    });
    if (!arena || !placed) {
      function.emitError() << getArgument() << " needs offsets; run aotc-plan-memory first";
      return signalPassFailure();
    }
    arenaBytes = arena.getInt();
    tried = 0; // a pass object serves several functions
    changes.clear();
    if (liveness->instructions().empty())
      return;

    auto regions = regionsOf(function);
    if (failed(regions))
      return signalPassFailure();
    llvm::StringSet<> callers;
    for (const BufferLife &life : liveness->buffers())
      if (AllocOp alloc = life.alloc; isCallers(ioModeOf(alloc)))
        callers.insert(alloc.getRegion().value_or(""));
    int64_t memories = llvm::count_if(
        *regions, [&](RegionAttr region) { return !callers.contains(region.getName()); });
    findPeak(*liveness);
    Builder builder(&getContext());
    std::string text;
    SmallVector<Attribute> found;
    if (static_cast<int64_t>(liveness->buffers().size()) > bufferLimit) {
      text = "not sought: more than " + grouped(bufferLimit) + " buffers";
    } else if (memories != 1) {
      text = "not sought: there are several memory regions";
    } else {
      tryAll(*liveness);
      solveAll(*liveness);
      for (const Change &change : changes)
        found.push_back(builder.getDictionaryAttr(
            {builder.getNamedAttr("change", builder.getStringAttr(change.what)),
             builder.getNamedAttr("arena_bytes", builder.getI64IntegerAttr(change.bytes))}));
      text = changes.empty() ? "no single change that aotc tries lowers it: " + needs(*liveness)
                             : sentence(*liveness);
    }
    function->setAttr(kAdviceAttr, builder.getArrayAttr(found));
    function->setAttr(kAdviceTextAttr, builder.getStringAttr(text));
  }

private:
  /// The step (BufferLiveness) at which the plan is fullest.
  void findPeak(const BufferLiveness &liveness) {
    std::vector<planner::Placed> placed;
    for (const BufferLife &life : liveness.buffers()) {
      AllocOp alloc = life.alloc;
      if (isCallers(ioModeOf(alloc)))
        continue;
      placed.push_back({alloc.getRegion().value_or(""), int64_t(*alloc.getOffset()),
                        alloc.getBytes(), life.first - 1, life.last - 1});
    }
    auto footprints = planner::footprints(placed, liveness.instructions().size());
    peak = planner::peakStep(footprints) + 1;
    height = footprints[peak - 1].height;
    asHigh = llvm::count_if(footprints, [&](const planner::Footprint &other) {
      return other.height == height && other.occupied == footprints[peak - 1].occupied;
    });
  }

  bool liveAtPeak(planner::Lifetime life) const { return life.first <= peak && peak <= life.last; }

  void tryAll(const BufferLiveness &liveness) {
    planner::Problem problem = unplaced(liveness);
    InstrOpInterface op = liveness.instructions()[peak - 1];

    if (share != ShareMode::overlap)
      consider("--share=overlap", /*byOption=*/true,
               changed(liveness, ShareMode::overlap, [](AllocOp) {}));
    for (const BufferLife &life : liveness.buffers())
      if (AllocOp input = life.alloc; input.getPreserved() && input.getRole() == Role::input)
        consider("input '" + shortName(input.getName()) + "' overwritten once it is used up (" +
                     modeOption(input, IoMode::arena) + ")",
                 /*byOption=*/true, changed(liveness, share, [&](AllocOp other) {
                   if (other.getPosition() == input.getPosition() && other.getRole() == Role::input)
                     other.setPreserved(false);
                 }));

    // Buffers of the problem, biggest first.
    std::vector<std::tuple<int64_t, size_t, AllocOp>> bySize;
    size_t number = 0;
    for (const BufferLife &life : liveness.buffers()) {
      AllocOp alloc = life.alloc;
      if (isCallers(ioModeOf(alloc)))
        continue; // not in it
      if (alloc.getRole() == Role::input || alloc.getRole() == Role::output)
        bySize.push_back({-problem.buffers[number].size, number, alloc});
      ++number;
    }
    llvm::sort(bySize, [](const auto &a, const auto &b) {
      return std::pair(std::get<0>(a), std::get<1>(a)) < std::pair(std::get<0>(b), std::get<1>(b));
    });
    for (auto [size, index, alloc] : bySize)
      consider(stringifyRole(alloc.getRole()) + " '" + shortName(alloc.getName()) +
                   "' in a buffer of the caller's (" + grouped(-size) + " bytes; " +
                   modeOption(alloc, IoMode::caller) + ")",
               /*byOption=*/true,
               withoutBuffers(problem,
                              [dropped = &problem.buffers[index]](const planner::Buffer &other) {
                                return &other == dropped;
                              }));

    auto scratchThere = [&](const planner::Buffer &buffer) {
      return buffer.role == planner::Role::scratch && liveAtPeak(buffer.life);
    };
    auto level = op->getAttrOfType<StringAttr>("level");
    bool portable = !level || level.getValue() == "ref";
    consider("a kernel without scratch for " + describe(op) +
                 (portable ? "" : " (--kernels=ref takes the portable, slower ones)"),
             !portable, withoutBuffers(problem, scratchThere));

    // An output that may not stand on a dying input, or only at a distance.
    auto taking = [&](int64_t planner::Lifetime::*end) {
      std::vector<int> found;
      for (auto [b, buffer] : llvm::enumerate(problem.buffers))
        if (buffer.life.*end == peak && buffer.role != planner::Role::scratch)
          found.push_back(static_cast<int>(b));
      return found;
    };
    for (int input : taking(&planner::Lifetime::last))
      for (int output : taking(&planner::Lifetime::first)) {
        if (input == output)
          continue;
        planner::Problem inPlace = problem;
        llvm::erase_if(inPlace.mayOverlap, [&](const planner::MayOverlap &may) {
          return may.input == input && may.output == output;
        });
        inPlace.mayOverlap.push_back({input, output, 0, 0});
        consider("a kernel for " + describe(op) + " that may write its output over '" +
                     shortName(problem.buffers[input].name) + "' in place",
                 /*byOption=*/false, inPlace);
      }
  }

  /// Keeps a change that may lower the arena.
  void consider(const Twine &what, bool byOption, const planner::Problem &problem) {
    if (tried++ >= kTried)
      return;
    int64_t bound = planner::lowerBound(problem);
    if (bound < arenaBytes)
      changes.push_back({what.str(), byOption, bound, tried, problem});
  }

  /// Plans for the most promising changes; keeps those that lower the arena, the
  /// best first.
  void solveAll(const BufferLiveness &liveness) {
    auto byBytes = [](const Change &a, const Change &b) {
      return std::tuple(a.bytes, !a.byOption, a.number) <
             std::tuple(b.bytes, !b.byOption, b.number);
    };
    llvm::sort(changes, byBytes);
    planner::PlannerOptions options;
    // In the planner's own ratio.
    options.visitLimit = options.visitLimit / options.nodeLimit * nodeLimit;
    options.nodeLimit = nodeLimit;
    // Even a greedy plan takes its time for many buffers.
    size_t count = kWork / std::max<size_t>(liveness.buffers().size(), 1);
    changes.resize(std::min(changes.size(), std::clamp<size_t>(count, 2, kSolved)));
    for (Change &change : changes) {
      planner::Plan plan = planner::solve(change.problem, options);
      change.bytes = plan.feasible ? plan.totalHeight() : arenaBytes;
    }
    llvm::erase_if(changes, [&](const Change &change) { return change.bytes >= arenaBytes; });
    llvm::sort(changes, byBytes);
  }

  /// The problem as plan-memory had it, of the arena alone: without the caller's
  /// tensors, which are where they are.
  planner::Problem unplaced(const BufferLiveness &liveness) {
    SmallVector<RegionAttr> regions = *regionsOf(getOperation()); // was checked
    PlanProblem planned = *planProblem(liveness, regions, getArgument());
    planner::Problem problem = withoutBuffers(planned.problem, [&](const planner::Buffer &buffer) {
      return buffer.fixedRegion && isCallers(planned.owners[*buffer.fixedRegion]);
    });
    problem.regions = {planner::Region()};
    for (planner::Buffer &buffer : problem.buffers) {
      buffer.fixedOffset = std::nullopt;
      buffer.fixedRegion = std::nullopt;
      buffer.regions.clear();
    }
    return problem;
  }

  /// The problem after a change to the buffers, with the sharing of `mode`.
  planner::Problem changed(const BufferLiveness &liveness, ShareMode mode,
                           llvm::function_ref<void(AllocOp)> change) {
    OwningOpRef<func::FuncOp> clone(getOperation().clone());
    clone->walk(change);
    PassManager pm(&getContext(), func::FuncOp::getOperationName());
    pm.addPass(createTightenLifetimes());
    ShareBuffersOptions sharing;
    sharing.mode = mode;
    pm.addPass(createShareBuffers(sharing));
    if (failed(pm.run(*clone)))
      return unplaced(liveness);
    return unplaced(*BufferLiveness::compute(*clone, getArgument()));
  }

  std::string sentence(const BufferLiveness &liveness) const {
    auto tell = [&](const Change &change) {
      return change.what + ": " + grouped(change.bytes) + " bytes, " +
             grouped(arenaBytes - change.bytes) + " fewer";
    };
    std::string text = tell(changes.front());
    if (!changes.front().byOption)
      for (const Change &change : changes)
        if (change.byOption) {
          text += "; or, today, " + tell(change);
          break;
        }
    // A few bytes are no reason for anything: what are the many?
    if ((arenaBytes - changes.front().bytes) * 20 < arenaBytes)
      text += "; " + needs(liveness);
    return text;
  }

  /// Who is in the way.
  std::string needs(const BufferLiveness &liveness) const {
    std::vector<std::pair<int64_t, StringRef>> live;
    for (const BufferLife &life : liveness.buffers()) {
      AllocOp alloc = life.alloc;
      if (liveAtPeak({life.first, life.last}))
        live.push_back(
            {alloc.getBytes(), alloc.getRole() == Role::scratch ? "scratch" : alloc.getName()});
    }
    llvm::sort(live, [](const auto &a, const auto &b) {
      return std::pair(-a.first, a.second) < std::pair(-b.first, b.second);
    });
    std::string text = describe(liveness.instructions()[peak - 1]) + " needs";
    constexpr size_t kShown = 4;
    for (auto [i, buffer] : llvm::enumerate(ArrayRef(live).take_front(kShown)))
      text +=
          (i ? ", '" : " '") + shortName(buffer.second) + "' (" + grouped(buffer.first) + " bytes)";
    if (live.size() > kShown)
      text += ", " + std::to_string(live.size() - kShown) + " more";
    text += " at once";
    if (asHigh > 1)
      text += ", and " + std::to_string(asHigh - 1) +
              (asHigh > 2 ? " more layers are" : " more layer is") + " as full";
    return text;
  }

  /// Bounds asked for (big inputs and outputs come first); plans made; and at
  /// most so many buffers in all of them.
  static constexpr int64_t kTried = 100;
  static constexpr size_t kSolved = 16, kWork = 2000;
  int64_t arenaBytes = 0, peak = 1, height = 0, asHigh = 0, tried = 0;
  std::vector<Change> changes;
};

} // namespace
