/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Device side of `aotc run`: what the portable part (sim_main.c), the platform
 * parts (arm_m.c, linux.c) and the linker script (compiler/run/Image.cpp)
 * agree on. Everything is freestanding and uses no libc.
 */
#ifndef AOTC_SIM_H
#define AOTC_SIM_H

#include "protocol.h"

#include <stddef.h>
#include <stdint.h>

/* A block of memory that a bundle gets, an input or an output: bytes [offset,
 * offset + bytes) of the stretch. */
struct sim_span {
  uintptr_t offset, bytes;
};

/* One bundle. Its blocks and spans (inputs, then outputs) are the next of
 * sim_blocks and sim_spans. */
struct sim_case {
  uintptr_t run;   /* NAME_run, or NAME_step: one block by address, several in an array */
  uintptr_t table; /* for NAME_step: the table of step_check.h; else 0 */
  /* The stretch of memory that holds the blocks; it starts at an odd multiple
   * of arena_align. */
  uintptr_t arena_bytes, arena_align, blocks;
  uintptr_t fillings, invocations, inputs, outputs;
};

/* Emitted by the linker script, every field one word. */
extern const struct sim_case sim_cases[], sim_cases_end[];
extern const struct sim_span sim_blocks[];
extern const struct sim_span sim_spans[];
extern const struct {
  uintptr_t inputs;         /* input data in the image, or 0: read the file */
  uintptr_t timer;          /* base of a CMSDK timer that counts down, or 0 */
  uintptr_t enable_fpu;     /* the core has an FPU (or Helium) to be switched on */
  uintptr_t trap_unaligned; /* the code is for cores that fault on those */
} sim_config;
extern uint8_t sim_stack[], sim_stack_top[]; /* stack of the bundles */
extern uint8_t sim_window[]; /* addresses and sizes of blocks; the stretch of them and its guards;
                                step by step: a copy */

/* Platform part. A file function that fails stops the program. */
int sim_open(const char *name, int write);
void sim_read(int file, void *to, size_t bytes);
void sim_write(int file, const void *from, size_t bytes);
_Noreturn void sim_exit(int status);
uint64_t sim_ticks(void);
/* Calls run(first, second) with the stack pointer at `top`. */
int32_t sim_call(uintptr_t first, uintptr_t second, uintptr_t run, void *top);

/* Portable part. */
void sim_mark(void);
int sim_main(void);

#endif
