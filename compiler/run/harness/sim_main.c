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

/* What is painted below and above a block. */
static void check_guards(const uint8_t *start, size_t bytes, uint32_t block,
                         struct sim_record *record) {
  for (uint32_t i = 0; i < SIM_GUARD && record->guard == SIM_GUARD_INTACT; ++i) {
    record->guard_block = block;
    if (start[bytes + i] != PAINT) {
      record->guard = SIM_GUARD_ABOVE;
      record->guard_offset = i;
    } else if (start[-1 - (int32_t)i] != PAINT) {
      record->guard = SIM_GUARD_BELOW;
      record->guard_offset = i + 1;
    }
  }
}

/* Where the case's blocks start: one after the other with guards between, each
 * aligned as promised and no better, so that a bundle which needs more is found
 * out. Painted, for a caller's memory is not cleared either. */
static void place_blocks(const struct sim_block *block, uintptr_t count, uint8_t **starts,
                         uintptr_t *sizes) {
  uintptr_t at = (uintptr_t)(sizes + count);
  for (uintptr_t i = 0; i < count; ++i, ++block) {
    uintptr_t coarse = 2 * block->align;
    starts[i] = (uint8_t *)((at + SIM_GUARD + coarse - 1) / coarse * coarse + block->align);
    sizes[i] = block->bytes;
    at = (uintptr_t)starts[i] + block->bytes + SIM_GUARD;
    fill(starts[i] - SIM_GUARD, (uint8_t *)at);
  }
}

/* Its address, called right before and after every inference, lets a plug-in
 * of the emulator count instructions. */
__attribute__((noinline)) void sim_mark(void) { __asm__ volatile("" ::: "memory"); }

static int32_t nothing(uintptr_t first, uintptr_t second) {
  (void)first, (void)second;
  return 0;
}

static int32_t measure(uintptr_t first, uintptr_t second, uintptr_t run, uint64_t *ticks) {
  uint64_t start = sim_ticks();
  sim_mark();
  int32_t status = sim_call(first, second, run, sim_stack_top);
  sim_mark();
  *ticks = sim_ticks() - start;
  return status;
}

int sim_main(void) {
  const uint8_t *image_inputs = (const uint8_t *)sim_config.inputs;
  int in = image_inputs ? -1 : sim_open("sim-inputs.bin", 0);
  int out = sim_open("sim-outputs.bin", 1);
  const struct sim_block *blocks = sim_blocks;
  const struct sim_span *span = sim_spans;
  uint64_t ticks;
  /* The first pair of marks: the cost of measuring itself. */
  measure(0, 0, (uintptr_t)nothing, &ticks);
  paint_stack(sim_stack);
  for (const struct sim_case *c = sim_cases; c != sim_cases_end; ++c) {
    uint8_t **starts = (uint8_t **)sim_window;
    uintptr_t *sizes = (uintptr_t *)(starts + c->blocks);
    place_blocks(blocks, c->blocks, starts, sizes);
    uintptr_t first = c->blocks == 1 ? (uintptr_t)starts[0] : (uintptr_t)starts;
    uintptr_t second = c->blocks == 1 ? sizes[0] : (uintptr_t)sizes;
    struct sim_record record = {SIM_MAGIC, 0, SIM_GUARD_INTACT, 0, 0, 0, 0, 0};
    for (uintptr_t call = 0; call < c->invocations; ++call) {
      const struct sim_span *s = span;
      for (uintptr_t i = 0; i < c->inputs; ++i, ++s) {
        if (image_inputs) {
          __builtin_memcpy(starts[s->block] + s->offset, image_inputs, s->bytes);
          image_inputs += s->bytes;
        } else {
          sim_read(in, starts[s->block] + s->offset, s->bytes);
        }
      }
      record.status = (uint32_t)measure(first, second, c->run, &ticks);
      for (uintptr_t i = 0; i < c->outputs; ++i, ++s)
        sim_write(out, starts[s->block] + s->offset, s->bytes);
    }
    record.ticks_low = (uint32_t)ticks;
    record.ticks_high = (uint32_t)(ticks >> 32);
    for (uintptr_t i = 0; i < c->blocks; ++i)
      check_guards(starts[i], sizes[i], (uint32_t)i, &record);
    blocks += c->blocks;
    uint8_t *mark = stack_mark();
    record.stack_bytes = (uint32_t)(sim_stack_top - mark);
    paint_stack(mark);
    sim_write(out, &record, sizeof record);
    span += c->inputs + c->outputs;
  }
  return 0;
}
