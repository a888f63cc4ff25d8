/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The least a Cortex-M4 needs before main(): vectors, FPU, data, bss. The head of
 * digits.h says what the model asks for: the FPU, and unaligned accesses, which
 * work after reset. */
#include <stdint.h>

extern uint32_t data_start, data_end, data_load, bss_start, bss_end, stack_top;
int main(void);
void board_exit(int status);

__attribute__((noreturn)) void reset_handler(void) {
  *(volatile uint32_t *)0xE000ED88u |= 0xFu << 20; /* CPACR: FPU on */
  __asm volatile("dsb\n isb");
  uint32_t *from = &data_load;
  for (uint32_t *to = &data_start; to < &data_end;)
    *to++ = *from++;
  for (uint32_t *to = &bss_start; to < &bss_end;)
    *to++ = 0;
  board_exit(main());
  for (;;)
    ;
}

static void fault_handler(void) { board_exit(1); }

__attribute__((section(".vectors"), used)) static const uintptr_t vectors[16] = {
    (uintptr_t)&stack_top,    (uintptr_t)reset_handler, (uintptr_t)fault_handler,
    (uintptr_t)fault_handler, (uintptr_t)fault_handler, (uintptr_t)fault_handler};
