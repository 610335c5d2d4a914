/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#include "stack_id.h"

static unsigned __int128 of_halves(uint64_t high, uint64_t low) {
  return (unsigned __int128)high << 64 | low;
}

void stack_hash_begin(struct stack_hash *hash) {
  hash->value = of_halves(0x6c62272e07bb0142, 0x62b821756295c58d);
}

void stack_hash_add(struct stack_hash *hash, const void *bytes, size_t length) {
  const unsigned __int128 prime = of_halves(0x0000000001000000, 0x000000000000013b);
  for (size_t i = 0; i < length; i++) {
    hash->value = (hash->value ^ ((const uint8_t *)bytes)[i]) * prime;
  }
}

struct stack_id stack_hash_end(const struct stack_hash *hash) {
  struct stack_id id;
  for (int i = 0; i < STACK_TRACE_ID_SIZE; i++) {
    id.bytes[i] = (uint8_t)(hash->value >> (8 * (STACK_TRACE_ID_SIZE - 1 - i)));
  }
  return id;
}

void stack_id_text(const struct stack_id *id, char text[STACK_ID_TEXT_SIZE]) {
  static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  /* Six bits per character; the last character has two bits of the id and four zero bits. */
  for (int i = 0; i < STACK_ID_TEXT_SIZE - 1; i++) {
    int bit = 6 * i, byte = bit / 8;
    unsigned pair = (unsigned)id->bytes[byte] << 8;
    pair |= byte + 1 < STACK_TRACE_ID_SIZE ? id->bytes[byte + 1] : 0;
    text[i] = digits[pair >> (10 - bit % 8) & 0x3f];
  }
  text[STACK_ID_TEXT_SIZE - 1] = '\0';
}
