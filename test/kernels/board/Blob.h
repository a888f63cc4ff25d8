// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cases for the image that runs on an emulated CPU, as the generator lays them
// out in memory: a header, then per case a record and what follows it. All
// offsets are from the first byte of the blob; everything is little-endian and
// 16-byte aligned.
#pragma once

#include <stdint.h>

enum : uint32_t { blob_magic = 0x61307464, max_data = 4, max_inputs = 2, max_rules = 2 };

struct BlobHeader {
  uint32_t magic, cases, first_case;
};

/// A call prepared on the host (targets/Kernel.h).
struct BlobCall {
  uint32_t symbol;         ///< offset of the device function's name
  uint32_t shape, layer;   ///< offsets
  uint32_t data[max_data]; ///< offsets
  uint32_t scratch_bytes;
};

/// A run-time operand and how closely the fast kernel's output may lie, by each of
/// its rules.
struct BlobInput {
  uint32_t bytes_at; ///< offset
  int32_t bytes;
  uint32_t rules;
  int32_t ascending[max_rules], descending[max_rules];
};

struct BlobCase {
  uint32_t next;  ///< offset
  uint32_t index; ///< of the generator
  uint32_t inputs;
  BlobInput input[max_inputs];
  int32_t out_bytes;
  int32_t float_output;         ///< inputs and output are float32
  int32_t weights;              ///< FloatRules::weights
  int32_t aligned;              ///< elements of the input or the output are words
  int32_t flat, flat_reference; ///< no loop over rows
  // RowGeometry of the portable kernel and, unless it is flat, of the fast one
  int32_t batches, in_rows, in_row_bytes, out_rows, out_row_bytes, window_rows, stride, pad_top;
  BlobCall reference, fast;
};
