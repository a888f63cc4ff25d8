/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What an application may call besides its bundles. Bundles never need it: a
 * firmware that links none of this runs its models just as well. C99, C++11 or later.
 */
#ifndef AOTC_RUNTIME_H
#define AOTC_RUNTIME_H

#include "aotc/abi.h"
#include "aotc/hooks.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A short English text for a status code, whichever block it is about; "unknown
 * status" for other values. Never null, static storage. */
const char *aotc_status_string(aotc_status status);

/* The ABI version this library was built with: AOTC_ABI_VERSION. */
int32_t aotc_abi_version(void);

#ifdef __cplusplus
}
#endif

#endif /* AOTC_RUNTIME_H */
