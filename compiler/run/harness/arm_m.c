/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Cortex-M under QEMU: vector table, FPU, timer, semihosting, faults. Built for
 * Armv6-M and Armv7-M, which covers Armv8-M too; so the assembly is Thumb-1.
 * The emulator's loader fills RAM from the ELF file: no .data to copy, and
 * .bss is zero.
 */
#include "sim.h"

extern uint8_t sim_main_stack_top[];

void sim_reset(void);
void sim_fault_entry(void);
void sim_faulted(const uint32_t *frame, uint32_t exception);

/* One handler serves NMI and all faults; no interrupt is ever enabled. */
__attribute__((section(".vectors"), used)) static const uintptr_t vectors[16] = {
    (uintptr_t)sim_main_stack_top, (uintptr_t)sim_reset,       (uintptr_t)sim_fault_entry,
    (uintptr_t)sim_fault_entry,    (uintptr_t)sim_fault_entry, (uintptr_t)sim_fault_entry,
    (uintptr_t)sim_fault_entry,    (uintptr_t)sim_fault_entry, (uintptr_t)sim_fault_entry,
    (uintptr_t)sim_fault_entry,    (uintptr_t)sim_fault_entry, (uintptr_t)sim_fault_entry,
    (uintptr_t)sim_fault_entry,    (uintptr_t)sim_fault_entry, (uintptr_t)sim_fault_entry,
    (uintptr_t)sim_fault_entry};

static volatile uint32_t *reg(uintptr_t address) { return (volatile uint32_t *)address; }

/* Semihosting (Arm, "Semihosting for AArch32 and AArch64"). */
enum { SYS_OPEN = 0x01, SYS_WRITE = 0x05, SYS_READ = 0x06, SYS_EXIT_EXTENDED = 0x20 };

static uintptr_t semihost(uintptr_t operation, const void *arguments) {
  register uintptr_t r0 __asm__("r0") = operation;
  register const void *r1 __asm__("r1") = arguments;
  __asm__ volatile("bkpt #0xab" : "+r"(r0) : "r"(r1) : "memory");
  return r0;
}

_Noreturn void sim_exit(int status) {
  /* 0x20026: ADP_Stopped_ApplicationExit, which lets the status through. */
  uintptr_t block[2] = {0x20026, (uintptr_t)status};
  for (;;)
    semihost(SYS_EXIT_EXTENDED, block);
}

int sim_open(const char *name, int write) {
  size_t length = 0;
  while (name[length])
    ++length;
  uintptr_t block[3] = {(uintptr_t)name, write ? 5 /* "wb" */ : 1 /* "rb" */, length};
  int file = (int)semihost(SYS_OPEN, block);
  if (file < 0)
    sim_exit(SIM_EXIT_FILE);
  return file;
}

/* Both return the number of bytes not transferred. */
static void transfer(uintptr_t operation, int file, const void *data, size_t bytes) {
  uintptr_t block[3] = {(uintptr_t)file, (uintptr_t)data, bytes};
  if (bytes && semihost(operation, block) != 0)
    sim_exit(SIM_EXIT_FILE);
}

void sim_read(int file, void *to, size_t bytes) { transfer(SYS_READ, file, to, bytes); }

void sim_write(int file, const void *from, size_t bytes) { transfer(SYS_WRITE, file, from, bytes); }

/* CMSDK timer: CTRL at 0, VALUE at 4, RELOAD at 8; counts down, 32 bits. */
uint64_t sim_ticks(void) { return sim_config.timer ? 0xffffffffu - *reg(sim_config.timer + 4) : 0; }

__attribute__((naked)) int32_t sim_call(uintptr_t first, uintptr_t second, uintptr_t run,
                                        void *top) {
  __asm__("push {r4, lr}\n"
          "mov r4, sp\n"
          "mov sp, r3\n"
          "blx r2\n"
          "mov sp, r4\n"
          "pop {r4, pc}");
}

__attribute__((noreturn)) void sim_reset(void) {
  if (sim_config.enable_fpu)
    *reg(0xe000ed88) |= 0xfu << 20; /* CPACR: CP10 and CP11, full access */
  if (sim_config.trap_unaligned)
    *reg(0xe000ed14) |= 1u << 3; /* CCR: UNALIGN_TRP */
  /* QEMU, too, looks at both only at a barrier. */
  __asm__ volatile("dsb\nisb" ::: "memory");
  if (sim_config.timer) {
    *reg(sim_config.timer + 8) = 0xffffffffu;
    *reg(sim_config.timer + 4) = 0xffffffffu;
    *reg(sim_config.timer) = 1;
  }
  sim_exit(sim_main());
}

/* The stack pointer may be what is broken: leave its stack at once. */
__attribute__((naked)) void sim_fault_entry(void) {
  __asm__("mrs r0, msp\n"
          "mrs r1, ipsr\n"
          "ldr r2, =sim_main_stack_top\n"
          "mov sp, r2\n"
          "bl sim_faulted\n"
          ".ltorg");
}

__attribute__((used)) void sim_faulted(const uint32_t *frame, uint32_t exception) {
  struct sim_fault fault = {exception, 0, 0, *reg(0xe000ed28), *reg(0xe000ed38)};
  const uint8_t *at = (const uint8_t *)frame;
  if (at >= sim_stack && at + 32 <= sim_stack_top) {
    /* r0-r3, r12, lr, pc, xpsr */
    fault.lr = frame[5];
    fault.pc = frame[6];
  }
  sim_write(sim_open("sim-fault.bin", 1), &fault, sizeof fault);
  sim_exit(SIM_EXIT_FAULT);
}
