/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What a program under an emulator tells `aotc run`. Shared by host and device;
 * all targets are little-endian.
 *
 * sim-inputs.bin (read): for every case, every filling, every invocation: all
 * inputs. sim-outputs.bin: for every case, every filling: the outputs of every
 * invocation; the arena with SIM_GUARD bytes on each side; a sim_record.
 * sim-fault.bin: a sim_fault, if there was one.
 */
#ifndef AOTC_SIM_PROTOCOL_H
#define AOTC_SIM_PROTOCOL_H

#include <stdint.h>

/* Bytes painted before and after a block of memory. */
enum { SIM_GUARD = 128 };

/* What arena, guards and stack hold before a case runs. The second filling has
 * every bit otherwise: what a bundle reads before it wrote it then differs. */
enum { SIM_FILLINGS = 2 };
static inline uint8_t sim_paint(unsigned filling) { return filling ? 0x5a : 0xa5; }

enum { SIM_MAGIC = 0x43544f41 }; /* "AOTC" */
struct sim_record {
  uint32_t magic, status;
  uint32_t stack_bytes;
  uint32_t bad_step, bad_offset; /* step by step: where step_check.h found a
                                    write; bad_step ~0: nowhere */
  uint32_t ticks_low, ticks_high;
};

struct sim_fault {
  uint32_t exception, pc, lr, cfsr, fault_address;
};

/* Exit statuses beside 0. */
enum { SIM_EXIT_FAULT = 3, SIM_EXIT_FILE = 4 };

#endif
