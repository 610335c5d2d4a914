/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#ifndef PROCESS_CONTEXT_H
#define PROCESS_CONTEXT_H

#include <stddef.h>
#include <stdint.h>

/*
 * OTEP 4719, "Process context": the header, which occupies a separate mapping named OTEL_CTX.
 * Numbers are in native endianness. A published-at time of 0 means that the rest is being changed.
 */
typedef struct __attribute__((packed)) {
  uint8_t signature[8]; /* OTEL_CTX */
  uint32_t version;
  uint32_t payload_size;
  uint64_t published_at_ns; /* CLOCK_BOOTTIME; each update has a later time than the last */
  uint64_t payload_address;
} pc_process_context_header;

_Static_assert(offsetof(pc_process_context_header, signature) == 0, "signature");
_Static_assert(offsetof(pc_process_context_header, version) == 8, "version");
_Static_assert(offsetof(pc_process_context_header, payload_size) == 12, "payload size");
_Static_assert(offsetof(pc_process_context_header, published_at_ns) == 16, "published at");
_Static_assert(offsetof(pc_process_context_header, payload_address) == 24, "payload address");
_Static_assert(sizeof(pc_process_context_header) == 32, "process context header");

#define PC_PROCESS_CONTEXT_VERSION 2
#define PC_PROCESS_CONTEXT_PAYLOAD_MAX 65536

/*
 * Publishes a payload (an encoded ProcessContext message), or replaces the previous one. Naming the
 * mapping also makes profilers look at this process again. The previous payload stays readable
 * until the next call. Returns 0, or an errno: EINVAL if the payload is empty or too long,
 * otherwise that of malloc or mmap. After an error, what was published before stays. One caller at
 * a time.
 */
int pc_process_context_publish(const uint8_t *bytes, size_t length);

/*
 * Makes profilers look at this process again, as pc_process_context_publish does, if the process
 * context belongs to another library.
 */
void pc_process_context_announce(void);

/* Withdraws the process context. */
void pc_process_context_withdraw(void);

#endif
