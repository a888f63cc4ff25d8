// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Everything the user is told about a compiled model, in one struct. Header
// and memory map are printed from it, so they cannot disagree; `run`, `verify`
// and the tests read it too.
#pragma once

#include "compiler/support/DType.h"
#include "compiler/support/IoMode.h"
#include "compiler/support/StartUp.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace aotc {

/// One input or output of the model. `offset` counts from its region's base.
struct IoTensor {
  std::string name;   ///< the user's name, any characters
  std::string symbol; ///< valid C identifier, unique in the model
  DType type = DType::none;
  std::vector<int64_t> shape;
  std::optional<double> scale; ///< per-tensor quantisation, if any
  std::optional<int64_t> zeroPoint;
  int64_t bytes = 0, offset = 0, align = 1;
  size_t region = 0; ///< in ModelInterface::regions
  IoMode mode = IoMode::arena;
  int64_t tensor = -1; ///< number in the model file, -1 if unknown
};

/// Common bytes of a buffer and another that is live at the same time, and what
/// allows them: at one layer the older dies and the younger is born.
struct SharedBytes {
  enum class Way {
    inPlace, ///< the output stands where the input stands
    apart,   ///< at a distance that the kernel allows
    unread,  ///< the layer does not read these bytes, and nobody will
  };
  size_t buffer = 0; ///< the other, in ModelInterface::buffers
  int64_t bytes = 0; ///< how many are common
  int64_t step = 0;  ///< the layer
  Way way = Way::unread;
  bool descending = false; ///< the layer runs last to first
  /// Bytes by which the output starts below the input (ascending) or above it
  /// (descending), and by how many it must at least. Only if not `unread`.
  int64_t distance = 0, declared = 0;
};

/// One buffer of the plan. Steps count the layers; [first, last] inclusive.
struct PlannedBuffer {
  std::string name;
  std::string role;  ///< internal, scratch, input, output, state
  size_t region = 0; ///< in ModelInterface::regions
  int64_t bytes = 0, align = 1, offset = 0;
  int64_t firstStep = 0, lastStep = 0;
  int64_t tensor = -1;
  std::vector<SharedBytes> shares; ///< by the other's number
  bool liveAt(int64_t step) const { return firstStep <= step && step <= lastStep; }
};

/// A tensor of the model that lies in memory, in a buffer of its own or in
/// another tensor's. Steps are those that touch it under its own name.
struct TensorRecord {
  std::string name;
  int64_t tensor = -1; ///< number in the model file, -1 if unknown
  size_t buffer = 0;   ///< in ModelInterface::buffers
  int64_t offset = 0;  ///< in the buffer
  int64_t bytes = 0;
  int64_t firstStep = 0, lastStep = 0;
  /// The operator that for this reason copies nothing ("RESHAPE") and its
  /// number; empty if the buffer is the tensor's own.
  std::string dissolved;
  int64_t dissolvedIndex = -1;
};

/// Bytes [offset, offset + bytes) of a region.
struct ByteRange {
  size_t region = 0;
  int64_t offset = 0, bytes = 0;
};

/// One instruction, in order of execution.
struct LayerRecord {
  int64_t index = 0;    ///< step
  std::string op;       ///< CONV_2D
  int64_t opIndex = -1; ///< operator number in the model file
  std::string name;     ///< of its first result
  std::string kernel;   ///< aotc_conv_2d_s8__ref
  std::string function; ///< the specialised function it calls
  std::string remark;   ///< why that kernel
  int64_t macs = 0, weightsBytes = 0;
  int64_t usedMemory = 0; ///< live tensors at the call, two that overlap both in full
  int64_t scratchBytes = 0;
  int64_t footprintBytes = 0;         ///< distinct bytes in use at the call, scratch included
  int64_t heightBytes = 0;            ///< highest byte occupied, regions summed
  std::vector<int64_t> resultTensors; ///< numbers in the model file
  std::vector<ByteRange> writes;      ///< all it may write: results, scratch
};

/// A single change that makes the arena smaller.
struct AdviceRecord {
  std::string change;
  int64_t arenaBytes = 0; ///< what it then takes
};

/// A block of memory the caller provides.
struct RegionRecord {
  std::string name;                ///< the user's: "arena", or as in the machine file
  std::string symbol;              ///< C identifier; "arena" if the model has one block
  int64_t bytes = 0;               ///< the plan's
  int64_t align = 16;              ///< of its address
  std::optional<int64_t> capacity; ///< bytes there are, if known
  std::optional<int64_t> base;     ///< address on the machine, if known
  std::string section;             ///< for its static storage, if any
  /// Memory of one of the caller's tensors, or IoMode::arena: any other.
  IoMode owner = IoMode::arena;
};

struct ModelInterface {
  std::string name;      ///< symbol prefix, a valid C identifier
  std::string target;    ///< TargetSpec::name
  std::string modelFile; ///< base name only: no paths in artefacts
  std::string modelSha256;
  std::string compilerVersion;
  std::string options;              ///< those that change the result, canonical order
  std::string weightsSection;       ///< of the object
  std::vector<StartUpNeed> startUp; ///< what the code counts on
  bool hooks = false;               ///< NAME_run calls those of aotc/hooks.h around each layer
  std::vector<IoTensor> inputs, outputs;
  std::vector<PlannedBuffer> buffers;
  std::vector<LayerRecord> layers;
  std::vector<TensorRecord> tensors;    ///< by buffer, then offset
  std::vector<RegionRecord> regions;    ///< at least one, as NAME_run takes them
  int64_t arenaBytes = 0;               ///< sum over regions but the caller's, scratch included
  int64_t arenaWithoutScratchBytes = 0; ///< height of a plan without scratch
  int64_t stateBytes = 0, weightsBytes = 0, codeBytes = 0;
  int64_t stackBytes = -1; ///< static estimate, -1 unknown
  int64_t ioUsedMemory = 0;
  int64_t planBound = 0; ///< no plan of these lifetimes can be smaller
  bool planOptimal = false;
  int64_t orderPeak = 0;            ///< live bytes at the fullest layer of the schedule
  int64_t orderGivenPeak = 0;       ///< the same in the model's own order
  bool orderProved = false;         ///< no order has a smaller peak
  int64_t peakStep = -1;            ///< the layer at which the plan is fullest; -1 unknown
  std::vector<AdviceRecord> advice; ///< best first
  std::string adviceText;           ///< one sentence: the best, or why there is none

  /// The largest LayerRecord::usedMemory; 0 without layers.
  int64_t mostUsedMemory() const;
  /// `NAME_abi<version>_<hash>`: defined by the object, demanded by the
  /// header, so that a stale header does not link.
  std::string abiSymbol() const;
};

/// A C identifier from any text: other characters become '_', a leading digit
/// or keyword gets a prefix, "" becomes "tensor".
std::string toCIdentifier(llvm::StringRef text);
/// The same for a model, whose name the header makes a namespace: those of C
/// library functions, which <cmath>, <ctime>, … also declare globally, get a
/// prefix too ("time" becomes "m_time").
std::string toModelName(llvm::StringRef text);
/// As toCIdentifier for several names at once, made unique by a numeric suffix.
std::vector<std::string> toCIdentifiers(llvm::ArrayRef<std::string> names);

} // namespace aotc
