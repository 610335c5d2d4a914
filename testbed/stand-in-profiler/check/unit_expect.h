/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/* Prints comparisons and counts failures. A unit test includes this file once. */

#ifndef UNIT_EXPECT_H
#define UNIT_EXPECT_H

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static int failures;

static void expect(const char *what, const char *actual, const char *expected) {
  bool equal = strcmp(actual, expected) == 0;
  printf("%s  %s: %s\n", equal ? "ok    " : "FAILED", what, actual);
  failures += !equal;
}

#endif
