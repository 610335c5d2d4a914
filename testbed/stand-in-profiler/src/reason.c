/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#include "reason.h"

#include <stdarg.h>
#include <stdio.h>

bool because(struct reason *reason, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(reason->text, sizeof reason->text, format, arguments);
  va_end(arguments);
  return false;
}

void say(const char *format, ...) {
  /* One write per line, because COMMAND shares our stderr. */
  char line[1200];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(line, sizeof line, format, arguments);
  va_end(arguments);
  fprintf(stderr, "stand-in-profiler: %s\n", line);
}
