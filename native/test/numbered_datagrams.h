/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef NUMBERED_DATAGRAMS_H
#define NUMBERED_DATAGRAMS_H

#include <stdint.h>
#include <string.h>

#include "check.h"
#include "receiver.h"

enum { LONGEST_DATAGRAM = 40000, USUAL_DATAGRAM = 300 };

/*
 * Fills in the datagram with this number, and returns its length. Every sixteenth datagram has up
 * to longest bytes. Length and contents are derived from the number, so a mixture of two is
 * detected.
 */
static size_t numbered_datagram(uint32_t number, uint32_t longest, uint8_t *bytes) {
  size_t length = 4 + number * 7919U % (number % 16 == 0 ? longest : USUAL_DATAGRAM);
  memset(bytes, (int)(number % 251), length);
  memcpy(bytes, &number, 4);
  return length;
}

/* Checks that a batch contains only whole datagrams that were not seen before. Returns how many. */
static int check_numbered_datagrams(const uint8_t *batch, int64_t filled, uint32_t longest,
                                    uint8_t *seen, uint32_t numbers) {
  static uint8_t expected[LONGEST_DATAGRAM + 4];
  int count = 0;
  for (int64_t at = 0; at < filled; count++) {
    uint32_t length, number;
    memcpy(&length, batch + at, 4);
    memcpy(&number, batch + at + PC_DATAGRAM_LENGTH_SIZE, 4);
    CHECK(number < numbers && !seen[number]++);
    CHECK(length == numbered_datagram(number, longest, expected));
    CHECK(memcmp(batch + at + PC_DATAGRAM_LENGTH_SIZE, expected, length) == 0);
    at += PC_DATAGRAM_LENGTH_SIZE + length;
  }
  return count;
}

#endif
