/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#ifndef RELOCATIONS_H
#define RELOCATIONS_H

/* The relocations of thread-local variables, and the words that they write in the process. */
#if defined(__x86_64__)
#define TPOFF_RELOCATION 18   /* R_X86_64_TPOFF64: a word, the offset from the thread pointer */
#define DTPMOD_RELOCATION 16  /* R_X86_64_DTPMOD64: two words, the module and the offset in it */
#define TLSDESC_RELOCATION 36 /* R_X86_64_TLSDESC: two words, a function and its argument */
#elif defined(__aarch64__)
#define TPOFF_RELOCATION 1030   /* R_AARCH64_TLS_TPREL64 */
#define DTPMOD_RELOCATION 1028  /* R_AARCH64_TLS_DTPMOD64 */
#define TLSDESC_RELOCATION 1031 /* R_AARCH64_TLSDESC */
#else
#error "the protocols are defined only for x86-64 and arm64"
#endif

#endif
