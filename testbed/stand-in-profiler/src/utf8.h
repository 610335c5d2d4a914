/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#ifndef UTF8_H
#define UTF8_H

#include <stdbool.h>
#include <stddef.h>

/* Returns the size of the character at "text", 1 to 4 bytes, or 0 if it is not valid UTF-8. */
static inline size_t utf8_character(const unsigned char *text, size_t left) {
  if (left == 0) {
    return 0;
  }
  unsigned char first = text[0];
  if (first < 0x80) {
    return 1;
  }
  size_t length = first >= 0xc2 && first <= 0xdf   ? 2
                  : (first & 0xf0) == 0xe0         ? 3
                  : first >= 0xf0 && first <= 0xf4 ? 4
                                                   : 0;
  if (length == 0 || length > left) {
    return 0;
  }
  for (size_t i = 1; i < length; i++) {
    if ((text[i] & 0xc0) != 0x80) {
      return 0;
    }
  }
  /* Overlong, half of a surrogate pair, or beyond U+10FFFF. */
  if ((first == 0xe0 && text[1] < 0xa0) || (first == 0xed && text[1] > 0x9f) ||
      (first == 0xf0 && text[1] < 0x90) || (first == 0xf4 && text[1] > 0x8f)) {
    return 0;
  }
  return length;
}

static inline bool is_utf8(const unsigned char *text, size_t length) {
  size_t step;
  for (size_t i = 0; i < length; i += step) {
    step = utf8_character(text + i, length - i);
    if (step == 0) {
      return false;
    }
  }
  return true;
}

#endif
