/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The hooks of an application that defines none: a bundle with hooks links and
 * runs all the same.
 */
#include "aotc/hooks.h"

__attribute__((weak)) void aotc_layer_begin(const char *model, int32_t layer) {
  (void)model, (void)layer;
}

__attribute__((weak)) void aotc_layer_end(const char *model, int32_t layer) {
  (void)model, (void)layer;
}
