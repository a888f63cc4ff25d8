/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What a bundle and its caller agree on. The only header shared by compiler,
 * generated headers and applications. C99 and C++11 or later.
 */
#ifndef AOTC_ABI_H
#define AOTC_ABI_H

#include <stddef.h>
#include <stdint.h>

/* Changes whenever the meaning of a generated symbol does. */
#define AOTC_ABI_VERSION 1

#ifdef __cplusplus
extern "C" {
#endif

/* Status codes of NAME_run and friends. Values are stable. */
typedef int32_t aotc_status;
enum {
  AOTC_OK = 0,
  AOTC_ERROR_NULL_ARENA = 1,       /* the arena pointer is null */
  AOTC_ERROR_MISALIGNED_ARENA = 2, /* not a multiple of NAME_ARENA_ALIGN */
  AOTC_ERROR_ARENA_TOO_SMALL = 3   /* fewer than NAME_ARENA_SIZE bytes */
};
/* A model may take several blocks of memory. A status then also says which of
 * them is at fault, by its place in the arguments from 0 on. */
#define AOTC_STATUS_CODE(status) ((status) & 0xff)
#define AOTC_STATUS_BLOCK(status) ((status) >> 8)

/* The generated entry point of a model with one block, as a type:
 *   aotc_status NAME_run(void *arena, size_t arena_size); */
typedef aotc_status (*aotc_run_fn)(void *arena, size_t arena_size);
/* The object's entry point of a model with several, whose addresses and sizes
 * are in arrays; the header's NAME_run takes them one by one. Only blocks that
 * NAME_run takes as pointers to const are not written. */
typedef aotc_status (*aotc_run_blocks_fn)(const void *const *blocks, const size_t *sizes);

#ifdef __cplusplus
}
#endif

#endif /* AOTC_ABI_H */
