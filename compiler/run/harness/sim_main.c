/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Runs the table of bundles one after the other: reads inputs, calls NAME_run
 * on a painted stack, writes outputs and a sim_record per case.
 */
#include "runtime-stub/include/aotc/hooks.h"
#include "sim.h"
#include "step_check.h"

enum { WORD = sizeof(uintptr_t) };

/* No variables: the linker script places no data of the harness. */
static uintptr_t words(uint8_t paint) { return paint * (~(uintptr_t)0 / 255); }

static void paint_stack(uint8_t *from, uint8_t paint) {
  for (uintptr_t *p = (uintptr_t *)from; p < (uintptr_t *)sim_stack_top; ++p)
    *p = words(paint);
}

/* The lowest word that lost its paint. */
static uint8_t *stack_mark(uint8_t paint) {
  const uintptr_t *p = (const uintptr_t *)sim_stack;
  while (p < (const uintptr_t *)sim_stack_top && *p == words(paint))
    ++p;
  return (uint8_t *)p;
}

/* Its address, called right before and after every inference, lets a plug-in
 * of the emulator count instructions. */
__attribute__((noinline)) void sim_mark(void) { __asm__ volatile("" ::: "memory"); }

/* Of bundles with hooks, also before and after every layer. */
__attribute__((alias("sim_mark"))) void aotc_layer_begin(const char *model, int32_t layer);
__attribute__((alias("sim_mark"))) void aotc_layer_end(const char *model, int32_t layer);

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

/* One inference, step by step, until a step writes what it must not. */
static int32_t run_steps(uint8_t *arena, uintptr_t first, uint8_t paint, const struct sim_case *c,
                         struct sim_record *record) {
  const uintptr_t *table = (const uintptr_t *)c->table;
  uintptr_t behind = (c->arena_bytes + SIM_GUARD + WORD - 1) / WORD * WORD;
  struct sim_step_check check = {arena, arena + behind, c->arena_bytes, paint, table + 1};
  int32_t status = 0;
  for (uintptr_t step = 0; step < table[0] && !status; ++step) {
    sim_before_step(&check);
    status = sim_call(first, step, c->run, sim_stack_top);
    intptr_t bad = sim_after_step(&check);
    if (bad >= 0 && record->bad_step == ~(uint32_t)0) {
      record->bad_step = (uint32_t)step;
      record->bad_offset = (uint32_t)bad;
    }
  }
  return status;
}

int sim_main(void) {
  const uint8_t *image_inputs = (const uint8_t *)sim_config.inputs;
  int in = image_inputs ? -1 : sim_open("sim-inputs.bin", 0);
  int out = sim_open("sim-outputs.bin", 1);
  const struct sim_span *blocks = sim_blocks;
  const struct sim_span *span = sim_spans;
  uint64_t ticks;
  /* The first pair of marks: the cost of measuring itself. */
  measure(0, 0, (uintptr_t)nothing, &ticks);
  uint8_t *mark = sim_stack, paint = 0;
  for (const struct sim_case *c = sim_cases; c != sim_cases_end; ++c) {
    /* Aligned as promised and no better, so that a bundle which needs more
     * is found out. */
    uintptr_t coarse = 2 * c->arena_align;
    uint8_t **starts = (uint8_t **)sim_window;
    uintptr_t *sizes = (uintptr_t *)(starts + c->blocks);
    uint8_t *arena =
        (uint8_t *)(((uintptr_t)(sizes + c->blocks) + SIM_GUARD + coarse - 1) / coarse * coarse +
                    c->arena_align);
    for (uintptr_t i = 0; i < c->blocks; ++i) {
      starts[i] = arena + blocks[i].offset;
      sizes[i] = blocks[i].bytes;
    }
    blocks += c->blocks;
    uintptr_t first = c->blocks == 1 ? (uintptr_t)starts[0] : (uintptr_t)starts;
    uintptr_t second = c->blocks == 1 ? sizes[0] : (uintptr_t)sizes;
    for (uintptr_t filling = 0; filling < c->fillings; ++filling) {
      /* Of the same paint, only what the last case has touched. */
      if (paint != sim_paint(filling))
        mark = sim_stack;
      paint = sim_paint(filling);
      paint_stack(mark, paint);
      /* A caller's memory is not cleared either. */
      __builtin_memset(arena - SIM_GUARD, paint, c->arena_bytes + 2 * SIM_GUARD);
      struct sim_record record = {SIM_MAGIC, 0, 0, ~(uint32_t)0, 0, 0, 0};
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
        record.status = (uint32_t)(c->table ? run_steps(arena, first, paint, c, &record)
                                            : measure(first, second, c->run, &ticks));
        for (uintptr_t i = 0; i < c->outputs; ++i, ++s)
          sim_write(out, arena + s->offset, s->bytes);
      }
      record.ticks_low = (uint32_t)ticks;
      record.ticks_high = (uint32_t)(ticks >> 32);
      mark = stack_mark(paint);
      record.stack_bytes = (uint32_t)(sim_stack_top - mark);
      sim_write(out, arena - SIM_GUARD, c->arena_bytes + 2 * SIM_GUARD);
      sim_write(out, &record, sizeof record);
    }
    span += c->inputs + c->outputs;
  }
  return 0;
}
