/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * memcpy, memmove, memset and their names in the Arm run-time ABI (RTABI32,
 * section 4.3.4). Words where both pointers allow it, else bytes.
 */
#include <stddef.h>
#include <stdint.h>

/* No built-in: the loops must not become calls of themselves. */
#define SIM_MEM __attribute__((no_builtin))

typedef uintptr_t __attribute__((may_alias)) word;
enum { WORD = sizeof(word) };

static int both_aligned(const void *a, const void *b) {
  return (((uintptr_t)a | (uintptr_t)b) & (WORD - 1)) == 0;
}

/* Ascending; right for overlapping operands too if d < s, so not restrict. */
SIM_MEM static void copy_up(uint8_t *d, const uint8_t *s, size_t n) {
  if (both_aligned(d, s)) {
    for (; n >= 4 * WORD; n -= 4 * WORD, d += 4 * WORD, s += 4 * WORD) {
      word a = ((const word *)s)[0], b = ((const word *)s)[1];
      word c = ((const word *)s)[2], e = ((const word *)s)[3];
      ((word *)d)[0] = a, ((word *)d)[1] = b;
      ((word *)d)[2] = c, ((word *)d)[3] = e;
    }
    for (; n >= WORD; n -= WORD, d += WORD, s += WORD)
      *(word *)d = *(const word *)s;
  }
  for (; n; --n)
    *d++ = *s++;
}

SIM_MEM void *memcpy(void *restrict to, const void *restrict from, size_t n) {
  copy_up(to, from, n);
  return to;
}

SIM_MEM void *memmove(void *to, const void *from, size_t n) {
  uint8_t *d = to;
  const uint8_t *s = from;
  if ((uintptr_t)d - (uintptr_t)s >= n) {
    copy_up(d, s, n);
    return to;
  }
  d += n;
  s += n;
  if (both_aligned(d, s))
    for (; n >= WORD; n -= WORD) {
      d -= WORD;
      s -= WORD;
      *(word *)d = *(const word *)s;
    }
  for (; n; --n)
    *--d = *--s;
  return to;
}

SIM_MEM void *memset(void *to, int value, size_t n) {
  uint8_t *d = to;
  if (((uintptr_t)d & (WORD - 1)) == 0) {
    word w = (word)-1 / 255 * (uint8_t)value; /* 0x0101… * value */
    for (; n >= WORD; n -= WORD, d += WORD)
      *(word *)d = w;
  }
  for (; n; --n)
    *d++ = (uint8_t)value;
  return to;
}

#ifdef __arm__
/* The 4 and 8 say what the caller knows of the alignment. */
#define SIM_ALIAS(target) __attribute__((alias(#target)))
void *__aeabi_memcpy(void *, const void *, size_t) SIM_ALIAS(memcpy);
void *__aeabi_memcpy4(void *, const void *, size_t) SIM_ALIAS(memcpy);
void *__aeabi_memcpy8(void *, const void *, size_t) SIM_ALIAS(memcpy);
void *__aeabi_memmove(void *, const void *, size_t) SIM_ALIAS(memmove);
void *__aeabi_memmove4(void *, const void *, size_t) SIM_ALIAS(memmove);
void *__aeabi_memmove8(void *, const void *, size_t) SIM_ALIAS(memmove);
/* The ABI swaps size and value. */
void __aeabi_memset(void *to, size_t n, int value) { memset(to, value, n); }
void __aeabi_memset4(void *, size_t, int) SIM_ALIAS(__aeabi_memset);
void __aeabi_memset8(void *, size_t, int) SIM_ALIAS(__aeabi_memset);
void __aeabi_memclr(void *to, size_t n) { memset(to, 0, n); }
void __aeabi_memclr4(void *, size_t) SIM_ALIAS(__aeabi_memclr);
void __aeabi_memclr8(void *, size_t) SIM_ALIAS(__aeabi_memclr);
#endif
