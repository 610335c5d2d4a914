/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#include "protobuf.h"

enum wire_type { VARINT = 0, FIXED_64 = 1, BYTES = 2, FIXED_32 = 5 };

static bool refuse(struct protobuf *message) {
  message->malformed = true;
  return false;
}

static bool varint(struct protobuf *message, uint64_t *value) {
  *value = 0;
  for (unsigned shift = 0; shift < 64 && message->left > 0; shift += 7) {
    uint8_t byte = *message->at;
    message->at++;
    message->left--;
    *value |= (uint64_t)(byte & 0x7f) << shift;
    if ((byte & 0x80) == 0) {
      return true;
    }
  }
  return refuse(message);
}

static bool take(struct protobuf *message, uint64_t length, struct protobuf *taken) {
  if (length > message->left) {
    return refuse(message);
  }
  *taken = (struct protobuf){.at = message->at, .left = (size_t)length};
  message->at += length;
  message->left -= (size_t)length;
  return true;
}

bool protobuf_next(struct protobuf *message, struct protobuf_field *field) {
  *field = (struct protobuf_field){0};
  uint64_t tag, length;
  if (message->malformed || message->left == 0 || !varint(message, &tag)) {
    return false;
  }
  uint64_t number = tag >> 3;
  if (number == 0 || number >= 1u << 29) {
    return refuse(message);
  }
  field->number = (uint32_t)number;
  switch (tag & 7) {
    case VARINT: return varint(message, &field->value);
    case FIXED_64: return take(message, 8, &field->bytes);
    case FIXED_32: return take(message, 4, &field->bytes);
    case BYTES:
      field->has_bytes = true;
      return varint(message, &length) && take(message, length, &field->bytes);
    default: return refuse(message);
  }
}
