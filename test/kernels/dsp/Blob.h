// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cases for the image that runs on an emulated Cortex-M4, as the generator
// lays them out in memory: a header, then per case a record and what follows
// it. All offsets are from the first byte of the blob; everything is
// little-endian and 16-byte aligned.
#pragma once

#include <stdint.h>

enum : uint32_t { blob_magic = 0x61307463, max_data = 3 };

struct BlobHeader {
  uint32_t magic, cases, first_case;
};

/// A call prepared on the host (targets/Kernel.h).
struct BlobCall {
  uint32_t shape, layer;   ///< offsets
  uint32_t data[max_data]; ///< offsets
  uint32_t scratch_bytes;
};

struct BlobCase {
  uint32_t next; ///< offset
  uint32_t index;
  uint32_t input; ///< offset
  int32_t in_bytes, out_bytes;
  // RowGeometry
  int32_t batches, in_rows, in_row_bytes, out_rows, out_row_bytes, stride;
  int32_t ascending, descending; ///< distances of the fast kernel
  uint32_t macs;                 ///< not 0: measure instead of comparing in depth
  BlobCall reference, fast;
};
