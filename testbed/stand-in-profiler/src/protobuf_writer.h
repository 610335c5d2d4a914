/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#ifndef PROTOBUF_WRITER_H
#define PROTOBUF_WRITER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A message that is being written. Must be zeroed before its first use. */
struct protobuf_writer {
  uint8_t *bytes;
  size_t size;
  size_t capacity;
  bool failed; /* memory was exhausted: the bytes are incomplete until cleared */
};

/* Zero is the default value and is not written. */
void protobuf_put_number(struct protobuf_writer *message, uint32_t field, uint64_t value);
void protobuf_put_fixed64(struct protobuf_writer *message, uint32_t field, uint64_t value);

/* A string, a byte sequence or a message. Written even if it is empty. */
void protobuf_put_bytes(struct protobuf_writer *message, uint32_t field, const void *bytes,
                        size_t size);
void protobuf_put_text(struct protobuf_writer *message, uint32_t field, const char *text);
void protobuf_put_message(struct protobuf_writer *message, uint32_t field,
                          const struct protobuf_writer *part);

/* Repeated numbers in packed form. An empty array is not written. */
void protobuf_put_numbers(struct protobuf_writer *message, uint32_t field, const uint32_t *values,
                          size_t count);
void protobuf_put_fixed64s(struct protobuf_writer *message, uint32_t field, const uint64_t *values,
                           size_t count);

/* Appends bytes without a tag. */
void protobuf_append(struct protobuf_writer *message, const void *bytes, size_t size);

/*
 * Appends text for a string: bytes that are not UTF-8 become U+FFFD. Text that would make the
 * message longer than the limit is cut.
 */
void protobuf_append_utf8(struct protobuf_writer *message, const char *text, size_t length,
                          size_t limit);

/* Begins another message in the same memory. */
void protobuf_clear(struct protobuf_writer *message);

void protobuf_free(struct protobuf_writer *message);

#endif
