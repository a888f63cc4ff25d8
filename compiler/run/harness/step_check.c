/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "step_check.h"

void sim_before_step(const struct sim_step_check *check) {
  const uintptr_t *span = check->step + 2;
  for (uintptr_t left = check->step[0]; left; --left, span += 2)
    __builtin_memset(check->arena + span[0], check->paint, span[1]);
  __builtin_memcpy(check->copy, check->arena, check->bytes);
}

intptr_t sim_after_step(struct sim_step_check *check) {
  const uintptr_t *span = check->step + 2 + 2 * check->step[0];
  uintptr_t left = check->step[1], at = 0;
  intptr_t bad = -1;
  for (;; --left, span += 2) {
    uintptr_t end = left ? span[0] : check->bytes;
    for (; at < end && bad < 0; ++at)
      if (check->arena[at] != check->copy[at])
        bad = (intptr_t)at;
    if (!left)
      break;
    at = span[0] + span[1];
  }
  check->step = span;
  return bad;
}
