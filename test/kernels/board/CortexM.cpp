// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Start-up of an emulated Cortex-M board, freestanding. QEMU's loader has put
// the cases to BOARD_BLOB. BOARD_TRAP_UNALIGNED: unaligned accesses fault, for code
// of cores that have none.
#include "Platform.h"

#include <stdint.h>

/// Semihosting: the debugger's (here QEMU's) services.
static int semihost(int operation, const void *argument) {
  register int r0 __asm__("r0") = operation;
  register const void *r1 __asm__("r1") = argument;
  __asm__ volatile("bkpt 0xab" : "+r"(r0) : "r"(r1) : "memory");
  return r0;
}
void print(const char *text) { semihost(4, text); }
[[noreturn]] void leave(bool good) {
  for (;;)
    semihost(0x18, reinterpret_cast<const void *>(good ? 0x20026 : 0x20023));
}

extern "C" char stack_top[];
extern "C" [[noreturn]] void hang() {
  print("fault\n");
  leave(false);
}
extern "C" [[noreturn]] void reset() {
#ifdef BOARD_TRAP_UNALIGNED
  *reinterpret_cast<volatile uint32_t *>(0xE000ED14) |= 1u << 3; // CCR.UNALIGN_TRP
#endif
#ifdef BOARD_COPROCESSORS
  *reinterpret_cast<volatile uint32_t *>(0xE000ED88) |= 0xFu << 20; // CPACR: FPU, Helium
#endif
  __asm__ volatile("dsb\n isb" ::: "memory");
  leave(run_all(reinterpret_cast<char *>(BOARD_BLOB)));
}
// The vector table: stack, reset, then every fault ends the run.
__attribute__((section(".vectors"), used)) const void *const vectors[16] = {
    stack_top, (void *)reset, (void *)hang, (void *)hang, (void *)hang, (void *)hang, (void *)hang};
