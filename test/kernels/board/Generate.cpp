// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes the cases an emulated CPU runs: board_cases LEVEL FILE COUNT, COUNT per
// kernel of that level.
#include "../LayerCases.h"
#include "Blob.h"

#include "llvm/Support/Error.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>

using namespace aotc;
using namespace aotc::test;

namespace {

class Blob {
public:
  uint32_t put(const void *bytes, size_t size) {
    contents.resize((contents.size() + 15) & ~size_t(15));
    const auto offset = uint32_t(contents.size());
    const char *first = static_cast<const char *>(bytes);
    contents.insert(contents.end(), first, first + size);
    return offset;
  }
  template <typename T> T *at(uint32_t offset) {
    return reinterpret_cast<T *>(contents.data() + offset);
  }
  bool write(const char *path) const {
    FILE *file = fopen(path, "wb");
    if (!file)
      return false;
    const bool written = fwrite(contents.data(), 1, contents.size(), file) == contents.size();
    return fclose(file) == 0 && written;
  }

private:
  std::vector<char> contents;
};

BlobCall putCall(Blob &blob, const KernelCall &call) {
  BlobCall result = {};
  result.symbol = blob.put(call.symbol.c_str(), call.symbol.size() + 1);
  result.shape = blob.put(call.shape.data(), 4 * call.shape.size());
  result.layer = blob.put(call.layer.data(), 4 * call.layer.size());
  for (size_t i = 0; i < call.data.size(); ++i)
    result.data[i] = blob.put(call.data[i].bytes.data(), call.data[i].bytes.size());
  result.scratch_bytes = uint32_t(call.scratchBytes);
  return result;
}

/// The portable kernel of an operator.
const KernelRow &portableRow(const OperatorDesc &op) {
  for (const KernelRow &row : allKernels())
    if (row.op == op.op && row.level == "ref" && row.reject(op).empty())
      return row;
  fprintf(stderr, "no portable kernel for %s\n", op.op.c_str());
  exit(1);
}

/// Made for the operator, or like those of all kernels.
std::unique_ptr<Case> caseFor(const KernelRow &row, uint32_t index) {
  if (row.variant == "s8_1x1")
    return pointwiseCase(index);
  if (index % 4 && row.variant.starts_with("s8") &&
      (row.op == "conv_2d" || row.op == "depthwise_conv_2d" || row.op == "fully_connected"))
    return layerCase(row.op, index);
  Random random(index);
  const DType type = typeOfVariant(row.variant);
  if (index % 16 == 5)
    if (auto wide = wideCase(row.op, type, random))
      return wide;
  auto c = randomCase(row.op, type, random);
  if (index % 4 == 0) // few in a sum, or it would be NaN
    addSpecialFloats(*c, random, index % 8 ? 6 : 50);
  return c;
}

BlobCase record(Blob &blob, const Case &c, const KernelCall &reference, const KernelCall &fast) {
  BlobCase record = {};
  record.inputs = uint32_t(fast.operands.size());
  for (size_t i = 0; i < fast.operands.size(); ++i) {
    const std::vector<char> &bytes = c.inputs[fast.operands[i]];
    record.input[i] = {blob.put(bytes.data(), bytes.size()), int32_t(bytes.size()), 0, {}, {}};
  }
  for (const OverlapRule &rule : fast.overlaps) {
    BlobInput &input = record.input[rule.input];
    const int64_t unit =
        std::max({rule.multiple, dtypeSize(c.op.inputs[fast.operands[rule.input]].type),
                  dtypeSize(c.op.outputs[0].type)});
    auto allowed = [&](int64_t distance) { // its multiple at or above
      return int32_t(distance + ((-distance % unit) + unit) % unit);
    };
    input.ascending[input.rules] = allowed(*rule.ascending);
    input.descending[input.rules++] = allowed(*rule.descending);
  }
  record.out_bytes = int32_t(c.op.outputs[0].bytes());
  record.float_output = c.op.outputs[0].type == DType::f32;
  record.aligned = record.float_output || c.op.inputs[0].type == DType::f32;
  record.weights = hasWeights(c.op.op);
  record.flat = !fast.rows;
  record.flat_reference = !reference.rows;
  if (fast.rows || reference.rows) {
    const RowGeometry &g = fast.rows ? *fast.rows : *reference.rows;
    record.batches = int32_t(g.batches);
    record.in_rows = int32_t(g.inRows);
    record.in_row_bytes = int32_t(g.inRowBytes);
    record.out_rows = int32_t(g.outRows);
    record.out_row_bytes = int32_t(g.outRowBytes);
    record.window_rows = int32_t(g.windowRows);
    record.stride = int32_t(g.stride);
    record.pad_top = int32_t(g.padTop);
  }
  record.reference = putCall(blob, reference);
  record.fast = putCall(blob, fast);
  return record;
}

} // namespace

int main(int argc, char **argv) {
  if (argc != 4) {
    fprintf(stderr, "usage: board_cases LEVEL FILE COUNT|FIRST+COUNT\n");
    return 1;
  }
  const llvm::StringRef level = argv[1];
  auto [first, count] = llvm::StringRef(argv[3]).split('+');
  if (count.empty())
    std::swap(first, count);
  uint32_t begin = 0;
  int wanted = 0;
  if ((!first.empty() && first.getAsInteger(10, begin)) || count.getAsInteger(10, wanted)) {
    fprintf(stderr, "no number of cases: %s\n", argv[3]);
    return 1;
  }
  Blob blob;
  BlobHeader header = {blob_magic, 0, 0};
  blob.put(&header, sizeof header);
  uint32_t previous = 0; // record whose `next` is to be set
  for (const KernelRow &row : allKernels()) {
    if (row.level != level)
      continue;
    std::map<std::string, int> refused;
    int accepted = 0;
    for (uint32_t i = begin; i < begin + 10u * uint32_t(wanted) && accepted < wanted; ++i) {
      const std::unique_ptr<Case> c = caseFor(row, i);
      if (std::string reason = row.reject(c->op); !reason.empty()) {
        ++refused[reason];
        continue;
      }
      const KernelCall reference = llvm::cantFail(portableRow(c->op).prepare(c->op));
      BlobCase next = record(blob, *c, reference, llvm::cantFail(row.prepare(c->op)));
      next.index = i;
      const uint32_t offset = blob.put(&next, sizeof next);
      if (previous)
        blob.at<BlobCase>(previous)->next = offset;
      else
        blob.at<BlobHeader>(0)->first_case = offset;
      previous = offset;
      ++blob.at<BlobHeader>(0)->cases;
      ++accepted;
    }
    printf("%s: %d cases\n", row.symbol.str().c_str(), accepted);
    for (const auto &[reason, count] : refused)
      printf("  %d refused: %s\n", count, reason.c_str());
    if (accepted < wanted / 2) {
      fprintf(stderr, "too few cases\n");
      return 1;
    }
  }
  return blob.write(argv[2]) ? 0 : 1;
}
