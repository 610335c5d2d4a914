/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/*
 * The input is a loaded object: an object of the process that others have made has any bytes in its
 * tables, but the kernel has mapped what its segments say. The first byte says where they end, the
 * second where the dynamic section begins, in units of eight bytes; all else is the object.
 */

#include "../src/loaded_symbol.c"

#include <stdlib.h>

static const char NAME[] = "otel_thread_ctx_v1";

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size < 4) {
    return 0;
  }
  size_t length = size - 2;
  /* Nothing else is near: each read behind it is found. */
  uint8_t *object = malloc(length);
  if (object == NULL) {
    return 0;
  }
  memcpy(object, data + 2, length);
  size_t end = length - (data[0] < length ? data[0] : 0);
  Elf64_Phdr segments[] = {
      {.p_type = PT_LOAD, .p_flags = PF_R, .p_vaddr = 0, .p_memsz = end},
      {.p_type = PT_DYNAMIC, .p_vaddr = (Elf64_Addr)data[1] * 8},
      {.p_type = PT_TLS},
  };
  struct dl_phdr_info info = {
      .dlpi_addr = (Elf64_Addr)(uintptr_t)object, .dlpi_phdr = segments, .dlpi_phnum = 3};
  pc_search variable = {.name = NAME, .type = STT_TLS};
  pc_search function = {.name = NAME, .type = STT_FUNC};
  int found = defines(&info, sizeof(info), &variable) || has_code(&info, sizeof(info), &function);
  if (found && memmem(object, end, NAME, sizeof(NAME)) == NULL) {
    abort();
  }
  free(object);
  return 0;
}
