/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#include "protobuf_writer.h"

#include <stdlib.h>
#include <string.h>

#include "utf8.h"

#define VARINT_SIZE 10 /* 64 bits, 7 per byte */

enum wire_type { VARINT = 0, FIXED_64 = 1, BYTES = 2 };

void protobuf_append(struct protobuf_writer *message, const void *bytes, size_t size) {
  if (message->failed || size == 0) {
    return;
  }
  if (size > message->capacity - message->size) {
    size_t capacity = 2 * message->capacity;
    capacity = capacity < message->size + size ? message->size + size : capacity;
    capacity = capacity < 64 ? 64 : capacity;
    uint8_t *larger = realloc(message->bytes, capacity);
    if (larger == NULL) {
      message->failed = true;
      return;
    }
    message->bytes = larger;
    message->capacity = capacity;
  }
  memcpy(message->bytes + message->size, bytes, size);
  message->size += size;
}

void protobuf_append_utf8(struct protobuf_writer *message, const char *text, size_t length,
                          size_t limit) {
  static const char replacement[] = "\xef\xbf\xbd";
  const unsigned char *bytes = (const unsigned char *)text;
  for (size_t i = 0; i < length;) {
    size_t step = utf8_character(bytes + i, length - i);
    size_t size = step == 0 ? sizeof replacement - 1 : step;
    if (size > limit - message->size) {
      return;
    }
    protobuf_append(message, step == 0 ? (const void *)replacement : bytes + i, size);
    i += step == 0 ? 1 : step;
  }
}

static size_t varint(uint64_t value, uint8_t bytes[VARINT_SIZE]) {
  size_t size = 0;
  for (; value >= 0x80; value >>= 7) {
    bytes[size++] = (uint8_t)(value | 0x80);
  }
  bytes[size++] = (uint8_t)value;
  return size;
}

static void append_varint(struct protobuf_writer *message, uint64_t value) {
  uint8_t bytes[VARINT_SIZE];
  protobuf_append(message, bytes, varint(value, bytes));
}

static void append_tag(struct protobuf_writer *message, uint32_t field, enum wire_type type) {
  append_varint(message, (uint64_t)field << 3 | type);
}

static void append_fixed64(struct protobuf_writer *message, uint64_t value) {
  uint8_t bytes[8];
  for (size_t i = 0; i < sizeof bytes; i++) {
    bytes[i] = (uint8_t)(value >> (8 * i));
  }
  protobuf_append(message, bytes, sizeof bytes);
}

void protobuf_put_number(struct protobuf_writer *message, uint32_t field, uint64_t value) {
  if (value != 0) {
    append_tag(message, field, VARINT);
    append_varint(message, value);
  }
}

void protobuf_put_fixed64(struct protobuf_writer *message, uint32_t field, uint64_t value) {
  if (value != 0) {
    append_tag(message, field, FIXED_64);
    append_fixed64(message, value);
  }
}

void protobuf_put_bytes(struct protobuf_writer *message, uint32_t field, const void *bytes,
                        size_t size) {
  append_tag(message, field, BYTES);
  append_varint(message, size);
  protobuf_append(message, bytes, size);
}

void protobuf_put_text(struct protobuf_writer *message, uint32_t field, const char *text) {
  protobuf_put_bytes(message, field, text, strlen(text));
}

void protobuf_put_message(struct protobuf_writer *message, uint32_t field,
                          const struct protobuf_writer *part) {
  message->failed |= part->failed;
  protobuf_put_bytes(message, field, part->bytes, part->size);
}

void protobuf_put_numbers(struct protobuf_writer *message, uint32_t field, const uint32_t *values,
                          size_t count) {
  if (count == 0) {
    return;
  }
  uint8_t bytes[VARINT_SIZE];
  size_t size = 0;
  for (size_t i = 0; i < count; i++) {
    size += varint(values[i], bytes);
  }
  append_tag(message, field, BYTES);
  append_varint(message, size);
  for (size_t i = 0; i < count; i++) {
    append_varint(message, values[i]);
  }
}

void protobuf_put_fixed64s(struct protobuf_writer *message, uint32_t field, const uint64_t *values,
                           size_t count) {
  if (count == 0) {
    return;
  }
  append_tag(message, field, BYTES);
  append_varint(message, 8 * count);
  for (size_t i = 0; i < count; i++) {
    append_fixed64(message, values[i]);
  }
}

void protobuf_clear(struct protobuf_writer *message) {
  message->size = 0;
  message->failed = false;
}

void protobuf_free(struct protobuf_writer *message) {
  free(message->bytes);
  *message = (struct protobuf_writer){0};
}
