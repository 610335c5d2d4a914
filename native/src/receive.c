/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#include "receive.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "scheduling.h"

enum {
  /* To fall asleep and be woken by the next datagram takes longer than a burst leaves between two. */
  FOLLOWS_CLOSELY_NS = 50 * 1000,
  /* On a busy machine the sender of a burst is interrupted for a while now and then. */
  FOLLOWS_IN_BURST_NS = 400 * 1000,
  BURST = 4,
};

static int64_t now_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

int64_t pc_receive(int socket, uint8_t *batch, size_t capacity) {
  size_t filled = 0;
  int count = 0;
  int64_t last = 0;
  while (capacity - filled >= PC_DATAGRAM_LENGTH_SIZE + PC_DATAGRAM_MAX) {
    uint8_t *datagram = batch + filled + PC_DATAGRAM_LENGTH_SIZE;
    /* With MSG_TRUNC the length is that of the datagram and not that of what fits. */
    ssize_t length = recv(socket, datagram, PC_DATAGRAM_MAX, MSG_DONTWAIT | MSG_TRUNC);
    if (length < 0) {
      if (errno == EINTR) {
        continue;
      }
      if (errno != EAGAIN && errno != EWOULDBLOCK) {
        return filled > 0 ? (int64_t)filled : -errno;
      }
      int64_t patience = count >= BURST ? FOLLOWS_IN_BURST_NS : FOLLOWS_CLOSELY_NS;
      if (count == 0 || now_ns() - last > patience) {
        return (int64_t)filled;
      }
      continue;
    }
    int cut = length > PC_DATAGRAM_MAX;
    uint32_t stored = cut ? PC_DATAGRAM_MAX + 1 : (uint32_t)length;
    memcpy(batch + filled, &stored, sizeof(stored));
    filled += PC_DATAGRAM_LENGTH_SIZE + (cut ? 0 : (size_t)length);
    count++;
    last = now_ns();
  }
  return (int64_t)filled;
}

static int sleep_until_ready(int socket, int wake_event, int64_t wait_ns) {
  struct pollfd files[] = {
      {.fd = socket, .events = POLLIN},
      {.fd = wake_event, .events = POLLIN},
  };
  struct timespec wait = {.tv_sec = wait_ns / 1000000000, .tv_nsec = wait_ns % 1000000000};
  if (ppoll(files, 2, wait_ns < 0 ? NULL : &wait, NULL) < 0 && errno != EINTR) {
    return -errno;
  }
  if (files[1].revents != 0) {
    uint64_t ignored;
    if (read(wake_event, &ignored, sizeof(ignored)) < 0 && errno != EAGAIN && errno != EINTR) {
      return -errno;
    }
  }
  return 0;
}

int64_t pc_await(int socket, int wake_event, int64_t wait_ns, uint8_t *batch, size_t capacity) {
  int urgent = pc_begin_urgent();
  int64_t result = sleep_until_ready(socket, wake_event, wait_ns);
  if (result == 0) {
    result = pc_receive(socket, batch, capacity);
  }
  if (urgent) {
    pc_end_urgent();
  }
  return result;
}

int pc_wake_event_create(void) {
  int event = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  return event < 0 ? -errno : event;
}

int pc_wake_event_set(int wake_event) {
  uint64_t one = 1;
  /* EAGAIN: it is set already, four billion times. */
  return write(wake_event, &one, sizeof(one)) < 0 && errno != EAGAIN ? -errno : 0;
}
