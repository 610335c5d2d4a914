/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#ifndef PROTOBUF_H
#define PROTOBUF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes of a message, which belong to the caller; reading moves their beginning. */
struct protobuf {
  const uint8_t *at;
  size_t left;
  bool malformed;
};

struct protobuf_field {
  uint32_t number;
  bool has_bytes;        /* false: a number */
  uint64_t value;        /* of a number, unless it has a fixed length: that is skipped */
  struct protobuf bytes; /* of a string, a byte sequence or a message */
};

/* Reads a field; returns false at the end, and at the first mistake, which "malformed" tells. */
bool protobuf_next(struct protobuf *message, struct protobuf_field *field);

#endif
