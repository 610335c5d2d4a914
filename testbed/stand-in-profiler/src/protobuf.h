/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#ifndef PROTOBUF_H
#define PROTOBUF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The bytes of a message, which the caller owns. Reading advances their beginning. */
struct protobuf {
  const uint8_t *at;
  size_t left;
  bool malformed;
};

struct protobuf_field {
  uint32_t number;
  bool has_bytes;        /* false: a number */
  uint64_t value;        /* of a varint; numbers of fixed length are skipped */
  struct protobuf bytes; /* of a string, a byte sequence or a message */
};

/* Reads a field. Returns false at the end, or at the first error, which also sets "malformed". */
bool protobuf_next(struct protobuf *message, struct protobuf_field *field);

#endif
