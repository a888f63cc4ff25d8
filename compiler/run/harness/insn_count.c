/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * TCG plug-in of QEMU that counts executed instructions. Each time the
 * instruction at `mark` runs, a line "MARK n total T" goes to the log:
 *
 *   qemu-aarch64 -plugin insn_count.so,mark=0xADDRESS,log=FILE program
 *
 * Distributions ship no header of the plug-in interface (version 1 here), so
 * its prototypes are declared by hand.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef uint64_t qemu_plugin_id_t;
struct qemu_plugin_tb;
struct qemu_plugin_insn;
struct qemu_info; /* not looked at */
enum { CB_NO_REGS = 0, INLINE_ADD_U64 = 0 };

void qemu_plugin_register_vcpu_tb_trans_cb(qemu_plugin_id_t,
                                           void (*)(qemu_plugin_id_t, struct qemu_plugin_tb *));
void qemu_plugin_register_vcpu_insn_exec_cb(struct qemu_plugin_insn *, void (*)(unsigned, void *),
                                            int, void *);
void qemu_plugin_register_vcpu_insn_exec_inline(struct qemu_plugin_insn *, int, void *, uint64_t);
void qemu_plugin_register_atexit_cb(qemu_plugin_id_t, void (*)(qemu_plugin_id_t, void *), void *);
size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *);
struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *, size_t);
uint64_t qemu_plugin_insn_vaddr(const struct qemu_plugin_insn *);

#define EXPORT __attribute__((visibility("default")))
EXPORT int qemu_plugin_version = 1;

static uint64_t total, mark_address = UINT64_MAX;
static unsigned marks;
static FILE *log_file;

static void on_mark(unsigned cpu, void *data) {
  (void)cpu, (void)data;
  fprintf(log_file, "MARK %u total %llu\n", ++marks, (unsigned long long)total);
}

/* Per instruction, not per block: a block can be left before its end. */
static void on_translate(qemu_plugin_id_t id, struct qemu_plugin_tb *tb) {
  (void)id;
  size_t count = qemu_plugin_tb_n_insns(tb);
  for (size_t i = 0; i < count; ++i) {
    struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(tb, i);
    if (qemu_plugin_insn_vaddr(insn) == mark_address)
      qemu_plugin_register_vcpu_insn_exec_cb(insn, on_mark, CB_NO_REGS, NULL);
    qemu_plugin_register_vcpu_insn_exec_inline(insn, INLINE_ADD_U64, &total, 1);
  }
}

static void on_exit_cb(qemu_plugin_id_t id, void *data) {
  (void)id, (void)data;
  fclose(log_file);
}

EXPORT int qemu_plugin_install(qemu_plugin_id_t id, const struct qemu_info *info, int argc,
                               char **argv) {
  (void)info;
  for (int i = 0; i < argc; ++i) {
    if (!strncmp(argv[i], "mark=", 5))
      mark_address = strtoull(argv[i] + 5, NULL, 0);
    else if (!strncmp(argv[i], "log=", 4))
      log_file = fopen(argv[i] + 4, "w");
  }
  if (!log_file)
    return 1;
  qemu_plugin_register_vcpu_tb_trans_cb(id, on_translate);
  qemu_plugin_register_atexit_cb(id, on_exit_cb, NULL);
  return 0;
}
