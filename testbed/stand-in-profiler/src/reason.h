/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#ifndef REASON_H
#define REASON_H

#include <stdbool.h>

/* The reason for a failure: one sentence for the user of the program. */
struct reason {
  char text[1024];
};

/* Sets the reason and returns false, so that a function can end with "return because(...)". */
bool because(struct reason *reason, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Prints one line to stderr. */
void say(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
