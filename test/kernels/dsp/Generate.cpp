// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes the cases the emulated Cortex-M4 runs: dsp_cases FILE COUNT.
#include "../PointwiseCases.h"
#include "Blob.h"

#include "llvm/Support/Error.h"

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

const KernelRow &row(llvm::StringRef symbol) {
  for (const KernelRow &candidate : allKernels())
    if (candidate.symbol == symbol)
      return candidate;
  fprintf(stderr, "no kernel %s\n", symbol.str().c_str());
  exit(1);
}

KernelCall prepared(const KernelRow &row, const OperatorDesc &op) {
  return llvm::cantFail(row.prepare(op));
}

BlobCall putCall(Blob &blob, const KernelCall &call) {
  BlobCall result = {};
  result.shape = blob.put(call.shape.data(), 4 * call.shape.size());
  result.layer = blob.put(call.layer.data(), 4 * call.layer.size());
  for (size_t i = 0; i < call.data.size(); ++i)
    result.data[i] = blob.put(call.data[i].bytes.data(), call.data[i].bytes.size());
  result.scratch_bytes = uint32_t(call.scratchBytes);
  return result;
}

/// A layer of real models: 64 to 64 channels, 125 pixels, ReLU or not.
std::unique_ptr<Case> measuredCase(bool relu) {
  Random random(5);
  auto c = std::make_unique<Case>();
  c->op.op = "conv_2d";
  Conv2DOptions options;
  options.activation = relu ? Activation::relu : Activation::none;
  c->op.options = options;
  auto tensor = [&](std::vector<int64_t> shape, double scale, int64_t zero) {
    TensorDesc t;
    t.type = DType::s8;
    t.shape = std::move(shape);
    t.quant = {{scale}, {zero}, -1};
    std::vector<char> bytes(t.bytes());
    for (char &byte : bytes)
      byte = char(random.in(-127, 127));
    c->inputs.push_back(std::move(bytes));
    return t;
  };
  c->op.inputs.push_back(tensor({1, 25, 5, 64}, 0.05, -128));
  c->op.inputs.push_back(tensor({64, 1, 1, 64}, 0.004, 0));
  c->op.inputs[1].isConstant = true;
  c->op.inputs[1].constant = llvm::ArrayRef<char>(c->inputs[1]);
  c->op.outputs.push_back(tensor({1, 25, 5, 64}, 0.08, relu ? -128 : 4));
  return c;
}

} // namespace

int main(int argc, char **argv) {
  if (argc != 3) {
    fprintf(stderr, "usage: dsp_cases FILE COUNT\n");
    return 1;
  }
  const KernelRow &reference = row("aotc_conv_2d_s8__ref");
  const KernelRow &fast = row("aotc_conv_2d_s8_1x1__dsp");
  Blob blob;
  BlobHeader header = {blob_magic, 0, 0};
  blob.put(&header, sizeof header);
  uint32_t previous = 0; // record whose `next` is to be set
  std::map<std::string, int> refused;

  auto put = [&](const Case &c, uint32_t index, bool measured) {
    if (std::string reason = fast.reject(c.op); !reason.empty()) {
      ++refused[reason];
      return;
    }
    const KernelCall ref = prepared(reference, c.op);
    const KernelCall call = prepared(fast, c.op);
    const RowGeometry &g = *call.rows;
    BlobCase record = {};
    record.index = index;
    record.input = blob.put(c.inputs[0].data(), c.inputs[0].size());
    record.in_bytes = int32_t(c.op.inputs[0].bytes());
    record.out_bytes = int32_t(c.op.outputs[0].bytes());
    record.batches = int32_t(g.batches);
    record.in_rows = int32_t(g.inRows);
    record.in_row_bytes = int32_t(g.inRowBytes);
    record.out_rows = int32_t(g.outRows);
    record.out_row_bytes = int32_t(g.outRowBytes);
    record.stride = int32_t(g.stride);
    record.ascending = int32_t(*call.overlaps[0].ascending);
    record.descending = int32_t(*call.overlaps[0].descending);
    record.macs = measured ? uint32_t(call.macs) : 0;
    record.reference = putCall(blob, ref);
    record.fast = putCall(blob, call);
    const uint32_t offset = blob.put(&record, sizeof record);
    if (previous)
      blob.at<BlobCase>(previous)->next = offset;
    else
      blob.at<BlobHeader>(0)->first_case = offset;
    previous = offset;
    ++blob.at<BlobHeader>(0)->cases;
  };
  put(*measuredCase(true), 1000000, true);
  put(*measuredCase(false), 1000001, true);
  for (uint32_t i = 0; i < uint32_t(atoi(argv[2])); ++i)
    put(*pointwiseCase(i), i, false);

  printf("%u cases\n", blob.at<BlobHeader>(0)->cases);
  for (const auto &[reason, count] : refused)
    printf("%d refused: %s\n", count, reason.c_str());
  return blob.write(argv[1]) ? 0 : 1;
}
