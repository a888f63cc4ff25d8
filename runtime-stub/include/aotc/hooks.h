/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What a bundle compiled with `aotc compile --hooks` calls around each of its
 * layers; no other bundle asks for these functions. C99 and C++11 or later.
 */
#ifndef AOTC_HOOKS_H
#define AOTC_HOOKS_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Define both to measure, trace or feed a watchdog; the runtime stub has weak
 * ones that do nothing. They run on the stack of NAME_run's caller, must not
 * touch the model's memory, and are called in turn: begin(0), end(0), begin(1),
 * … `model` is the text "NAME", at one address in all calls of a model; `layer`
 * counts in order of execution, from 0 to NAME_LAYER_COUNT - 1. */
void aotc_layer_begin(const char *model, int32_t layer);
void aotc_layer_end(const char *model, int32_t layer);

#ifdef __cplusplus
}
#endif

#endif /* AOTC_HOOKS_H */
