/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#include "json.h"

#include <string.h>

#include "utf8.h"

void json_string(FILE *out, const char *text, size_t length) {
  const unsigned char *at = (const unsigned char *)text;
  putc('"', out);
  while (length > 0) {
    size_t step = utf8_character(at, length);
    if (step == 0) {
      fputs("\xef\xbf\xbd", out);
      step = 1;
    } else if (*at == '"' || *at == '\\') {
      fprintf(out, "\\%c", *at);
    } else if (*at < 0x20) {
      fprintf(out, "\\u%04x", *at);
    } else {
      fwrite(at, 1, step, out);
    }
    at += step;
    length -= step;
  }
  putc('"', out);
}

void json_text(FILE *out, const char *text) { json_string(out, text, strlen(text)); }

void hex(FILE *out, const void *bytes, size_t length) {
  for (size_t i = 0; i < length; i++) {
    fprintf(out, "%02x", ((const unsigned char *)bytes)[i]);
  }
}
