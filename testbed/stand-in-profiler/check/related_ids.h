/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#ifndef RELATED_IDS_H
#define RELATED_IDS_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/*
 * Ids that are all derived from one number, so that a mixture of two is detected: a trace id of 16
 * bytes, a span id of 8 and a transaction id of 8, in the order of a record.
 */
struct related_ids {
  uint64_t trace_id[2];
  uint64_t span_id;
  uint64_t transaction_id;
};

static inline struct related_ids related_ids(uint64_t number) {
  return (struct related_ids){.trace_id = {number, ~number},
                              .span_id = number * 0x9e3779b97f4a7c15,
                              .transaction_id = number ^ 0x5555555555555555};
}

static inline bool are_related(const void *bytes) {
  struct related_ids found, expected;
  memcpy(&found, bytes, sizeof found);
  expected = related_ids(found.trace_id[0]);
  return memcmp(&found, &expected, sizeof found) == 0;
}

#endif
