/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Checks memory between the steps of a bundle (NAME_step): before a step, all
 * bytes that hold nothing live are painted; after it, only what it may write
 * may have changed. Runs on devices and on the host.
 *
 * The table: its number of steps, then for every step two counts, as many
 * spans (offset, bytes) of the arena to be painted before it, and as many spans
 * it may write. Spans of a kind are ascending and disjoint. One word each.
 */
#ifndef AOTC_STEP_CHECK_H
#define AOTC_STEP_CHECK_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct sim_step_check {
  uint8_t *arena, *copy; /* `bytes` each */
  uintptr_t bytes;
  uint8_t paint;
  const uintptr_t *step; /* of the table */
};

void sim_before_step(const struct sim_step_check *check);
/* Goes on to the next step. The offset of the first byte that must not have
 * changed but did, or -1. */
intptr_t sim_after_step(struct sim_step_check *check);

#ifdef __cplusplus
}
#endif

#endif
