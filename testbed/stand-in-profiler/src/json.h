/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#ifndef JSON_H
#define JSON_H

#include <stddef.h>
#include <stdio.h>

/* Writes a JSON string with its quotes; bytes that are not UTF-8 become U+FFFD. */
void json_string(FILE *out, const char *text, size_t length);

/* Does the same for a text that ends with a NUL. */
void json_text(FILE *out, const char *text);

void hex(FILE *out, const void *bytes, size_t length);

#endif
