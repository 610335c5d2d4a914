/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/* Feeds files to a fuzz target on machines without the fuzzer. */

#include "check.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int main(int argc, char **argv) {
  static uint8_t bytes[1 << 16];
  CHECK(argc > 1);
  for (int i = 1; i < argc; i++) {
    FILE *file = fopen(argv[i], "rb");
    CHECK(file != NULL);
    size_t size = fread(bytes, 1, sizeof(bytes), file);
    fclose(file);
    /* Allocated in the exact size, so that a sanitizer detects reads past the end. */
    uint8_t *input = malloc(size + 1);
    CHECK(input != NULL);
    for (size_t at = 0; at < size; at++) {
      input[at] = bytes[at];
    }
    LLVMFuzzerTestOneInput(input, size);
    free(input);
  }
  printf("%s: %d inputs passed\n", argv[0], argc - 1);
  return 0;
}
