/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What a program under an emulator tells `aotc run`. Shared by host and device;
 * all targets are little-endian.
 *
 * sim-inputs.bin (read): for every case, for every invocation, all inputs.
 * sim-outputs.bin: for every case, for every invocation, all outputs; then a
 * sim_record. sim-fault.bin: a sim_fault, if there was one.
 */
#ifndef AOTC_SIM_PROTOCOL_H
#define AOTC_SIM_PROTOCOL_H

#include <stdint.h>

/* Bytes painted before and after a block of memory. */
enum { SIM_GUARD = 128 };

/* Behind the outputs of a case. */
enum sim_guard { SIM_GUARD_INTACT, SIM_GUARD_BELOW, SIM_GUARD_ABOVE };
enum { SIM_MAGIC = 0x43544f41 }; /* "AOTC" */
struct sim_record {
  uint32_t magic, status, guard;
  uint32_t guard_block;  /* whose guard was touched */
  uint32_t guard_offset; /* of the touched byte that is nearest to the block,
                            counted from its edge */
  uint32_t stack_bytes;
  uint32_t ticks_low, ticks_high;
};

struct sim_fault {
  uint32_t exception, pc, lr, cfsr, fault_address;
};

/* Exit statuses beside 0. */
enum { SIM_EXIT_FAULT = 3, SIM_EXIT_FILE = 4 };

#endif
