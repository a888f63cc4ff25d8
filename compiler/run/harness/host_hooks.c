/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Linked to every bundle that runs in process: the hooks of those that have any
 * call back into the runner.
 */
#include "runtime-stub/include/aotc/hooks.h"

void (*sim_layer_mark)(void);

void aotc_layer_begin(const char *model, int32_t layer) {
  (void)model, (void)layer;
  if (sim_layer_mark)
    sim_layer_mark();
}

void aotc_layer_end(const char *model, int32_t layer) { aotc_layer_begin(model, layer); }
