/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#include "tls_descriptor.h"

#include <elf.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__x86_64__)
#define PC_R_TLSDESC 36 /* R_X86_64_TLSDESC, which older versions of elf.h lack */
#elif defined(__aarch64__)
#define PC_R_TLSDESC 1031 /* R_AARCH64_TLSDESC */
#else
#error "TLS descriptors are implemented here for x86-64 and arm64 only"
#endif

extern const Elf64_Ehdr __ehdr_start __attribute__((visibility("hidden")));
extern const Elf64_Dyn _DYNAMIC[] __attribute__((visibility("hidden")));

static uintptr_t thread_pointer(void) {
#if defined(__x86_64__)
  uintptr_t value;
  __asm__("mov %%fs:0, %0" : "=r"(value));
  return value;
#else
  return (uintptr_t)__builtin_thread_pointer();
#endif
}

/* glibc relocates the addresses of the dynamic section in place, musl leaves file offsets. */
static uintptr_t address_of(Elf64_Addr value) {
  uintptr_t base = (uintptr_t)&__ehdr_start;
  return value < base ? base + value : value;
}

static int descriptor_found(uintptr_t relocations, size_t size) {
  const Elf64_Rela *entries = (const Elf64_Rela *)relocations;
  uintptr_t pointer = (uintptr_t)&PC_TLS_POINTER;
  for (size_t i = 0; i < size / sizeof(Elf64_Rela); i++) {
    /* Only the descriptor with a symbol: the other one belongs to our local record. */
    if (ELF64_R_TYPE(entries[i].r_info) == PC_R_TLSDESC && ELF64_R_SYM(entries[i].r_info) != 0) {
      const uintptr_t *words =
          (const uintptr_t *)((uintptr_t)&__ehdr_start + entries[i].r_offset);
      return thread_pointer() + words[1] == pointer;
    }
  }
  return 0;
}

int pc_tls_descriptor_is_static(void) {
  uintptr_t rela = 0, jmprel = 0;
  size_t rela_size = 0, jmprel_size = 0;
  for (const Elf64_Dyn *entry = _DYNAMIC; entry->d_tag != DT_NULL; entry++) {
    switch (entry->d_tag) {
      case DT_RELA:
        rela = address_of(entry->d_un.d_ptr);
        break;
      case DT_RELASZ:
        rela_size = entry->d_un.d_val;
        break;
      case DT_JMPREL:
        jmprel = address_of(entry->d_un.d_ptr);
        break;
      case DT_PLTRELSZ:
        jmprel_size = entry->d_un.d_val;
        break;
      default:
        break;
    }
  }
  return (rela != 0 && descriptor_found(rela, rela_size)) ||
         (jmprel != 0 && descriptor_found(jmprel, jmprel_size));
}
