/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#include "messages.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum send_result { SEND_DONE, SEND_QUEUE_FULL, SEND_FAILED };

bool messages_open(struct messages *messages, pid_t pid, const char *socket_file_path, bool retry,
                   struct reason *reason) {
  struct sockaddr_un *address = &messages->address;
  address->sun_family = AF_UNIX;
  int length = snprintf(address->sun_path, sizeof address->sun_path, "/proc/%d/root%s", pid,
                        socket_file_path);
  if (length >= (int)sizeof address->sun_path) {
    return because(reason,
                   "the socket path /proc/%d/root%s has %d bytes, but a socket address holds %zu: "
                   "configure a directory with a shorter path",
                   pid, socket_file_path, length, sizeof address->sun_path - 1);
  }
  messages->fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (messages->fd < 0) {
    return because(reason, "cannot create a datagram socket: %s", strerror(errno));
  }
  if (retry) {
    messages->unsent = calloc(UNSENT_LIMIT, sizeof *messages->unsent);
    return messages->unsent != NULL || because(reason, "no memory for unsent messages");
  }
  return true;
}

static enum send_result send_datagram(struct messages *messages, const void *bytes, size_t length) {
  ssize_t sent = sendto(messages->fd, bytes, length, MSG_NOSIGNAL,
                        (struct sockaddr *)&messages->address, sizeof messages->address);
  if (sent == (ssize_t)length) {
    return SEND_DONE;
  }
  return errno == EAGAIN || errno == ENOBUFS ? SEND_QUEUE_FULL : SEND_FAILED;
}

bool messages_register(struct messages *messages, uint32_t samples_delay_ms, const char *host_id,
                       struct reason *reason) {
  struct registration_message message = {
      .message_type = REGISTRATION_MESSAGE_TYPE,
      .minor_version = REGISTRATION_MESSAGE_MINOR_VERSION,
      .samples_delay_ms = samples_delay_ms,
      .host_id_length = (uint32_t)strlen(host_id),
  };
  memcpy(message.host_id, host_id, message.host_id_length);
  size_t length = offsetof(struct registration_message, host_id) + message.host_id_length;
  return send_datagram(messages, &message, length) == SEND_DONE ||
         because(reason, "cannot send the registration message to %s: %s",
                 messages->address.sun_path, strerror(errno));
}

/* Returns false if the message may be sent later. */
static bool send_correlation(struct messages *messages, const struct correlation_message *message) {
  switch (send_datagram(messages, message, sizeof *message)) {
    case SEND_DONE:
      messages->counters->sent++;
      output_sent(messages->output, message);
      return true;
    case SEND_QUEUE_FULL:
      return false;
    default:
      messages->counters->send_errors++;
      if (!messages->error_told) {
        say("cannot send to %s: %s (reported once, counted as send_errors)",
            messages->address.sun_path, strerror(errno));
        messages->error_told = true;
      }
      return true;
  }
}

void messages_correlate(struct messages *messages, const struct thread_record *record,
                        const struct stack_id *stack) {
  struct correlation_message message = {
      .message_type = CORRELATION_MESSAGE_TYPE,
      .minor_version = CORRELATION_MESSAGE_MINOR_VERSION,
      .count = 1,
  };
  memcpy(message.trace_id, record->trace_id, sizeof message.trace_id);
  memcpy(message.transaction_id, record->transaction_id, sizeof message.transaction_id);
  memcpy(message.stack_trace_id, stack->bytes, sizeof message.stack_trace_id);
  if (messages->unsent_count == 0 && send_correlation(messages, &message)) {
    return;
  }
  if (messages->unsent == NULL || messages->unsent_count == UNSENT_LIMIT) {
    messages->counters->lost_queue_full++;
    return;
  }
  size_t last = (messages->unsent_first + messages->unsent_count++) % UNSENT_LIMIT;
  messages->unsent[last] = message;
}

void messages_retry(struct messages *messages) {
  while (messages->unsent_count > 0 &&
         send_correlation(messages, &messages->unsent[messages->unsent_first])) {
    messages->unsent_first = (messages->unsent_first + 1) % UNSENT_LIMIT;
    messages->unsent_count--;
  }
}

void messages_close(struct messages *messages) {
  messages->counters->lost_queue_full += messages->unsent_count;
  messages->unsent_count = 0;
  free(messages->unsent);
  messages->unsent = NULL;
  close(messages->fd);
}
