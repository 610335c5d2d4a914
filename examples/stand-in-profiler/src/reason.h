/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#ifndef REASON_H
#define REASON_H

#include <stdbool.h>

/* Why something failed: one sentence for the person who started the program. */
struct reason {
  char text[1024];
};

/* Fills the reason and answers false, so that a function can end with "return because(...)". */
bool because(struct reason *reason, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* One line on stderr. */
void say(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
