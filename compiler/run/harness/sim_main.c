/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Runs the table of bundles one after the other: reads inputs, calls NAME_run
 * on a painted stack, writes outputs and a sim_record per case.
 */
#include "sim.h"

enum { PAINT = 0xa5, WORD = sizeof(uintptr_t) };
#define PAINT_WORD ((uintptr_t)0xa5a5a5a5a5a5a5a5u)

/* All of the stack is painted once; later only what a case has touched. */
static void paint_stack(uint8_t *from) {
  for (uintptr_t *p = (uintptr_t *)from; p < (uintptr_t *)sim_stack_top; ++p)
    *p = PAINT_WORD;
}

/* The lowest word that lost its paint. */
static uint8_t *stack_mark(void) {
  const uintptr_t *p = (const uintptr_t *)sim_stack;
  while (p < (const uintptr_t *)sim_stack_top && *p == PAINT_WORD)
    ++p;
  return (uint8_t *)p;
}

static void fill(uint8_t *p, const uint8_t *end) {
  while (p < end)
    *p++ = PAINT;
}

static void check_guards(const uint8_t *arena, size_t bytes, struct sim_record *record) {
  for (uint32_t i = 0; i < SIM_GUARD; ++i) {
    if (arena[bytes + i] != PAINT) {
      record->guard = SIM_GUARD_ABOVE;
      record->guard_offset = i;
      return;
    }
    if (arena[-1 - (int32_t)i] != PAINT) {
      record->guard = SIM_GUARD_BELOW;
      record->guard_offset = i + 1;
      return;
    }
  }
}

/* Its address, called right before and after every inference, lets a plug-in
 * of the emulator count instructions. */
__attribute__((noinline)) void sim_mark(void) { __asm__ volatile("" ::: "memory"); }

static int32_t nothing(void *arena, size_t bytes) {
  (void)arena, (void)bytes;
  return 0;
}

static int32_t measure(void *arena, size_t bytes, uintptr_t run, uint64_t *ticks) {
  uint64_t start = sim_ticks();
  sim_mark();
  int32_t status = sim_call(arena, bytes, run, sim_stack_top);
  sim_mark();
  *ticks = sim_ticks() - start;
  return status;
}

int sim_main(void) {
  const uint8_t *image_inputs = (const uint8_t *)sim_config.inputs;
  int in = image_inputs ? -1 : sim_open("sim-inputs.bin", 0);
  int out = sim_open("sim-outputs.bin", 1);
  const struct sim_span *span = sim_spans;
  uint64_t ticks;
  /* The first pair of marks: the cost of measuring itself. */
  measure(0, 0, (uintptr_t)nothing, &ticks);
  paint_stack(sim_stack);
  for (const struct sim_case *c = sim_cases; c != sim_cases_end; ++c) {
    /* Aligned as promised and no better, so that a bundle which needs more
     * is found out. */
    uintptr_t coarse = 2 * c->arena_align;
    uint8_t *arena =
        (uint8_t *)(((uintptr_t)sim_window + SIM_GUARD + coarse - 1) / coarse * coarse +
                    c->arena_align);
    /* A caller's arena is not cleared either. */
    fill(arena - SIM_GUARD, arena + c->arena_bytes + SIM_GUARD);
    struct sim_record record = {SIM_MAGIC, 0, SIM_GUARD_INTACT, 0, 0, 0, 0};
    for (uintptr_t call = 0; call < c->invocations; ++call) {
      const struct sim_span *s = span;
      for (uintptr_t i = 0; i < c->inputs; ++i, ++s) {
        if (image_inputs) {
          __builtin_memcpy(arena + s->offset, image_inputs, s->bytes);
          image_inputs += s->bytes;
        } else {
          sim_read(in, arena + s->offset, s->bytes);
        }
      }
      record.status = (uint32_t)measure(arena, c->arena_bytes, c->run, &ticks);
      for (uintptr_t i = 0; i < c->outputs; ++i, ++s)
        sim_write(out, arena + s->offset, s->bytes);
    }
    record.ticks_low = (uint32_t)ticks;
    record.ticks_high = (uint32_t)(ticks >> 32);
    check_guards(arena, c->arena_bytes, &record);
    uint8_t *mark = stack_mark();
    record.stack_bytes = (uint32_t)(sim_stack_top - mark);
    paint_stack(mark);
    sim_write(out, &record, sizeof record);
    span += c->inputs + c->outputs;
  }
  return 0;
}
