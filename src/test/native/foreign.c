/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#include <unistd.h>

/* A library of another user, which prints a line when it is loaded. */

__attribute__((constructor)) static void say_so(void) {
  static const char text[] = "FOREIGN LIBRARY\n";
  if (write(1, text, sizeof(text) - 1) < 0) {
    _exit(9);
  }
}
