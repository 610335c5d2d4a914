/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#ifndef MESSAGES_H
#define MESSAGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <sys/un.h>

#include "counters.h"
#include "output.h"
#include "protocol.h"
#include "reason.h"
#include "stack_id.h"

#define UNSENT_LIMIT 65536

/* Sends to the JVM's datagram socket. None of these functions blocks. */
struct messages {
  int fd;
  struct sockaddr_un address;
  struct counters *counters;
  struct output *output;
  bool error_told;
  /* With retry, a ring buffer of messages that did not fit into the receiver's queue. */
  struct correlation_message *unsent;
  size_t unsent_first;
  size_t unsent_count;
};

/* The path is that seen by the target. Returns false if our path to it is too long. */
bool messages_open(struct messages *messages, pid_t pid, const char *socket_file_path, bool retry,
                   struct reason *reason);

bool messages_register(struct messages *messages, uint32_t samples_delay_ms, const char *host_id,
                       struct reason *reason);

void messages_correlate(struct messages *messages, const struct thread_record *record,
                        const struct stack_id *stack);

/* Resends, in order, as many as possible of the messages that did not fit into a full queue. */
void messages_retry(struct messages *messages);

/* Counts unsent messages as lost. */
void messages_close(struct messages *messages);

#endif
