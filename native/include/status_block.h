/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#ifndef STATUS_BLOCK_H
#define STATUS_BLOCK_H

#include <stddef.h>
#include <stdint.h>

/*
 * The status of the plug-in as docs/internals/status-block.md describes it for readers outside the process. Numbers
 * are in native endianness. The text follows the counters.
 */
typedef struct {
  uint32_t version;
  uint32_t size;     /* of the whole block */
  uint64_t sequence; /* odd while anything but a counter is being replaced */
  uint32_t counters; /* their number */
  uint32_t text_length;
  int64_t counter[]; /* each updated in place */
} pc_status_block;

_Static_assert(offsetof(pc_status_block, version) == 0, "version");
_Static_assert(offsetof(pc_status_block, size) == 4, "size");
_Static_assert(offsetof(pc_status_block, sequence) == 8, "sequence");
_Static_assert(offsetof(pc_status_block, counters) == 16, "number of counters");
_Static_assert(offsetof(pc_status_block, text_length) == 20, "length of the text");
_Static_assert(offsetof(pc_status_block, counter) == 24, "counters");

#define PC_STATUS_VERSION 1
#define PC_STATUS_SIZE 32768

/* Returns the block, which exists as long as the library is mapped. */
pc_status_block *pc_status(void);

/*
 * Replaces the counters and the text. Returns 0, -1 if they do not fit, or PC_PUBLISHED_BY_ANOTHER
 * if the caller has not published the process storage, but another caller has. Thread-safe.
 */
int pc_status_publish(int has_published, const int64_t *counters, size_t count, const uint8_t *text,
                      size_t length);

#endif
