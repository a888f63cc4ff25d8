/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Linux on AArch64 and 32-bit Arm without libc: entry point, system calls, stack switch. Faults
 * end the program by a signal, which the host reports.
 */
#include "sim.h"

/* Linux system call numbers (asm-generic/unistd.h; arch/arm/tools/syscall.tbl),
 * and the registers of number and arguments. */
#ifdef __aarch64__
enum { SYS_openat = 56, SYS_read = 63, SYS_write = 64, SYS_exit_group = 94 };
#define SIM_NUMBER "x8"
#define SIM_ARGUMENT(n) "x" #n
#else
enum { SYS_openat = 322, SYS_read = 3, SYS_write = 4, SYS_exit_group = 248 };
#define SIM_NUMBER "r7"
#define SIM_ARGUMENT(n) "r" #n
#endif

static long syscall3(long number, long a, long b, long c, long d) {
  register long which __asm__(SIM_NUMBER) = number;
  register long x0 __asm__(SIM_ARGUMENT(0)) = a;
  register long x1 __asm__(SIM_ARGUMENT(1)) = b;
  register long x2 __asm__(SIM_ARGUMENT(2)) = c;
  register long x3 __asm__(SIM_ARGUMENT(3)) = d;
  __asm__ volatile("svc #0" : "+r"(x0) : "r"(which), "r"(x1), "r"(x2), "r"(x3) : "memory");
  return x0;
}

_Noreturn void sim_exit(int status) {
  for (;;)
    syscall3(SYS_exit_group, status, 0, 0, 0);
}

int sim_open(const char *name, int write) {
  enum { AT_FDCWD = -100, O_WRONLY = 1, O_CREAT = 0100, O_TRUNC = 01000 };
  long file =
      syscall3(SYS_openat, AT_FDCWD, (long)name, write ? O_WRONLY | O_CREAT | O_TRUNC : 0, 0600);
  if (file < 0)
    sim_exit(SIM_EXIT_FILE);
  return (int)file;
}

static void transfer(long operation, int file, const uint8_t *data, size_t bytes) {
  while (bytes) {
    long done = syscall3(operation, file, (long)data, (long)bytes, 0);
    if (done <= 0)
      sim_exit(SIM_EXIT_FILE);
    data += done;
    bytes -= (size_t)done;
  }
}

void sim_read(int file, void *to, size_t bytes) { transfer(SYS_read, file, to, bytes); }

void sim_write(int file, const void *from, size_t bytes) { transfer(SYS_write, file, from, bytes); }

/* An emulator's clock says nothing: instructions are counted by the plug-in. */
uint64_t sim_ticks(void) { return 0; }

#ifdef __aarch64__
__attribute__((naked)) int32_t sim_call(uintptr_t first, uintptr_t second, uintptr_t run,
                                        void *top) {
  __asm__("stp x29, x30, [sp, #-32]!\n"
          "str x19, [sp, #16]\n"
          "mov x19, sp\n"
          "mov sp, x3\n"
          "blr x2\n"
          "mov sp, x19\n"
          "ldr x19, [sp, #16]\n"
          "ldp x29, x30, [sp], #32\n"
          "ret");
}

__attribute__((naked, noreturn, used)) void _start(void) {
  __asm__("mov x29, #0\n"
          "bl sim_main\n"
          "bl sim_exit");
}
#else
__attribute__((naked)) int32_t sim_call(uintptr_t first, uintptr_t second, uintptr_t run,
                                        void *top) {
  __asm__("push {r4, lr}\n"
          "mov r4, sp\n"
          "mov sp, r3\n"
          "blx r2\n"
          "mov sp, r4\n"
          "pop {r4, pc}");
}

__attribute__((naked, noreturn, used)) void _start(void) {
  __asm__("bl sim_main\n"
          "bl sim_exit");
}
#endif
