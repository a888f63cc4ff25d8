/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Status codes in words. A switch, not a table: a table of pointers would be
 * relocated data on position-independent targets.
 */
#include "aotc/runtime.h"

const char *aotc_status_string(aotc_status status) {
  switch (AOTC_STATUS_CODE(status)) {
  case AOTC_OK:
    return "ok";
  case AOTC_ERROR_NULL_ARENA:
    return "arena is null";
  case AOTC_ERROR_MISALIGNED_ARENA:
    return "arena is misaligned";
  case AOTC_ERROR_ARENA_TOO_SMALL:
    return "arena is too small";
  default:
    return "unknown status";
  }
}

int32_t aotc_abi_version(void) { return AOTC_ABI_VERSION; }
