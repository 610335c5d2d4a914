/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#include "receiver.h"

#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "scheduling.h"

/* Room for some 20,000 correlation messages: two seconds of the largest hosts. */
enum { RING_SIZE = 1 << 20, SMALLEST_PAGE = 4096 };

/*
 * An urgent pump lets the thread that takes sleep until a burst is over, because awake it would run
 * on a CPU that the next datagram needs. Spans wait a hundred times as long.
 */
enum { QUIET_MS = 1, MAX_BURST_MS = 10 };

struct pc_receiver {
  int socket;
  int ready; /* wakes the thread that takes */
  int stop;  /* ends the pump */
  pc_scheduling scheduling; /* used by the pump only */
  atomic_int moving;
  atomic_int taker_sleeps;
  /* Positions that only grow: the pump writes the tail, the thread that takes writes the head. */
  atomic_size_t head;
  atomic_size_t tail;
  uint8_t datagram[PC_DATAGRAM_MAX];
  uint8_t ring[RING_SIZE];
};

static void set_event(int event) {
  uint64_t one = 1;
  /* Fails only if it is set already. */
  ssize_t ignored = write(event, &one, sizeof(one));
  (void)ignored;
}

static void clear_event(int event) {
  uint64_t value;
  ssize_t ignored = read(event, &value, sizeof(value));
  (void)ignored;
}

/*
 * The kernel takes up to half a millisecond for a page if it has to ask a hypervisor for it, and a
 * burst of datagrams does not wait.
 */
static void touch_all_pages(pc_receiver *receiver) {
  volatile uint8_t *bytes = (volatile uint8_t *)receiver;
  for (size_t at = 0; at < sizeof(*receiver); at += SMALLEST_PAGE) {
    bytes[at] = 0;
  }
}

pc_receiver *pc_receiver_create(int socket) {
  pc_receiver *receiver = calloc(1, sizeof(*receiver));
  if (receiver == NULL) {
    return NULL;
  }
  touch_all_pages(receiver);
  receiver->socket = socket;
  receiver->ready = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  receiver->stop = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  if (receiver->ready < 0 || receiver->stop < 0) {
    int error = errno;
    pc_receiver_free(receiver);
    errno = error;
    return NULL;
  }
  return receiver;
}

void pc_receiver_free(pc_receiver *receiver) {
  if (receiver->ready >= 0) {
    close(receiver->ready);
  }
  if (receiver->stop >= 0) {
    close(receiver->stop);
  }
  free(receiver);
}

/* Returns the length as it is stored, or -errno. */
static int64_t receive(int socket, uint8_t *datagram) {
  ssize_t length;
  do {
    /* With MSG_TRUNC, the length is that of the datagram, not of the part that fits. */
    length = recv(socket, datagram, PC_DATAGRAM_MAX, MSG_DONTWAIT | MSG_TRUNC);
  } while (length < 0 && errno == EINTR);
  if (length < 0) {
    return errno == EWOULDBLOCK ? -EAGAIN : -errno;
  }
  return length > PC_DATAGRAM_MAX ? PC_DATAGRAM_MAX + 1 : length;
}

static size_t stored_bytes(uint32_t length) { return length > PC_DATAGRAM_MAX ? 0 : length; }

static void ring_write(pc_receiver *receiver, size_t position, const void *from, size_t length) {
  size_t start = position % RING_SIZE;
  size_t first = length < RING_SIZE - start ? length : RING_SIZE - start;
  memcpy(receiver->ring + start, from, first);
  memcpy(receiver->ring, (const uint8_t *)from + first, length - first);
}

static void ring_read(const pc_receiver *receiver, size_t position, void *to, size_t length) {
  size_t start = position % RING_SIZE;
  size_t first = length < RING_SIZE - start ? length : RING_SIZE - start;
  memcpy(to, receiver->ring + start, first);
  memcpy((uint8_t *)to + first, receiver->ring, length - first);
}

static int has_room(pc_receiver *receiver) {
  size_t used = atomic_load(&receiver->tail) - atomic_load(&receiver->head);
  return RING_SIZE - used >= PC_DATAGRAM_LENGTH_SIZE + PC_DATAGRAM_MAX;
}

static void put(pc_receiver *receiver, uint32_t length) {
  size_t tail = atomic_load(&receiver->tail);
  size_t bytes = stored_bytes(length);
  ring_write(receiver, tail, &length, PC_DATAGRAM_LENGTH_SIZE);
  ring_write(receiver, tail + PC_DATAGRAM_LENGTH_SIZE, receiver->datagram, bytes);
  atomic_store(&receiver->tail, tail + PC_DATAGRAM_LENGTH_SIZE + bytes);
}

static void announce(pc_receiver *receiver) {
  if (atomic_exchange(&receiver->taker_sleeps, 0)) {
    set_event(receiver->ready);
  }
}

/* Moves one datagram. Returns 0, or -errno. */
static int move(pc_receiver *receiver) {
  atomic_store(&receiver->moving, 1);
  int64_t length = receive(receiver->socket, receiver->datagram);
  if (length >= 0) {
    put(receiver, (uint32_t)length);
  }
  atomic_store(&receiver->moving, 0);
  return length < 0 ? (int)length : 0;
}

static int64_t now_ms(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
  return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

enum { MORE, QUIET, STOP };

/* Waits for the stop and, with room, a datagram. Returns MORE, QUIET (timeout), STOP or -errno. */
static int wait_for_more(pc_receiver *receiver, int room, int timeout_ms) {
  struct pollfd files[] = {
      {.fd = receiver->stop, .events = POLLIN},
      {.fd = receiver->socket, .events = POLLIN},
  };
  int ready = poll(files, room ? 2 : 1, timeout_ms);
  if (ready < 0) {
    return errno == EINTR ? MORE : -errno;
  }
  return files[0].revents != 0 ? STOP : ready == 0 ? QUIET : MORE;
}

/* Moves datagrams until it is time to stop. Returns STOP or -errno. */
static int move_all(pc_receiver *receiver, int urgent) {
  int64_t burst_began_ms = 0; /* 0: all datagrams are announced */
  for (;;) {
    int next = MORE;
    int room = has_room(receiver);
    int error = room ? move(receiver) : 0;
    if (room && error == 0 && burst_began_ms == 0) {
      burst_began_ms = now_ms();
    } else if (error == -EAGAIN) {
      next = wait_for_more(receiver, 1, burst_began_ms == 0 ? -1 : QUIET_MS);
    } else if (!room) {
      /* Datagrams wait in the socket, as they would without this thread. */
      next = wait_for_more(receiver, 0, 1);
    } else if (error < 0) {
      next = error;
    }
    if (burst_began_ms != 0 &&
        (!urgent || next != MORE || !room || now_ms() - burst_began_ms >= MAX_BURST_MS)) {
      announce(receiver);
      burst_began_ms = 0;
    }
    if (next == STOP || next < 0) {
      return next;
    }
  }
}

int pc_receiver_pump(pc_receiver *receiver) {
  pc_prefer_short_slices(&receiver->scheduling);
  int urgent = pc_begin_urgent(&receiver->scheduling);
  int result = move_all(receiver, urgent);
  if (urgent) {
    pc_end_urgent(&receiver->scheduling);
  }
  return result < 0 ? result : 0;
}

static size_t take_from_ring(pc_receiver *receiver, uint8_t *batch, size_t capacity) {
  size_t head = atomic_load(&receiver->head);
  size_t tail = atomic_load(&receiver->tail);
  size_t filled = 0;
  while (head + filled != tail) {
    uint32_t length;
    ring_read(receiver, head + filled, &length, PC_DATAGRAM_LENGTH_SIZE);
    size_t bytes = PC_DATAGRAM_LENGTH_SIZE + stored_bytes(length);
    if (bytes > capacity - filled) {
      break;
    }
    ring_read(receiver, head + filled, batch + filled, bytes);
    filled += bytes;
  }
  atomic_store(&receiver->head, head + filled);
  return filled;
}

static int64_t take_from_socket(pc_receiver *receiver, uint8_t *batch, size_t capacity) {
  size_t filled = 0;
  while (capacity - filled >= PC_DATAGRAM_LENGTH_SIZE + PC_DATAGRAM_MAX) {
    int64_t length = receive(receiver->socket, batch + filled + PC_DATAGRAM_LENGTH_SIZE);
    if (length < 0) {
      return filled > 0 || length == -EAGAIN ? (int64_t)filled : length;
    }
    uint32_t stored = (uint32_t)length;
    memcpy(batch + filled, &stored, PC_DATAGRAM_LENGTH_SIZE);
    filled += PC_DATAGRAM_LENGTH_SIZE + stored_bytes(stored);
  }
  return (int64_t)filled;
}

int64_t pc_receiver_take(pc_receiver *receiver, uint8_t *batch, size_t capacity) {
  for (;;) {
    size_t filled = take_from_ring(receiver, batch, capacity);
    if (filled > 0) {
      return (int64_t)filled;
    }
    int64_t received = take_from_socket(receiver, batch, capacity);
    if (received != 0) {
      return received;
    }
    /* A datagram may be on its way from the socket to the ring. */
    if (!atomic_load(&receiver->moving) &&
        atomic_load(&receiver->head) == atomic_load(&receiver->tail)) {
      return 0;
    }
    sched_yield();
  }
}

int pc_receiver_await(pc_receiver *receiver, int64_t wait_ns) {
  int result = 0;
  atomic_store(&receiver->taker_sleeps, 1);
  if (atomic_load(&receiver->head) == atomic_load(&receiver->tail)) {
    struct pollfd ready = {.fd = receiver->ready, .events = POLLIN};
    struct timespec wait = {.tv_sec = wait_ns / 1000000000, .tv_nsec = wait_ns % 1000000000};
    if (ppoll(&ready, 1, wait_ns < 0 ? NULL : &wait, NULL) < 0 && errno != EINTR) {
      result = -errno;
    }
  }
  atomic_store(&receiver->taker_sleeps, 0);
  clear_event(receiver->ready);
  return result;
}

void pc_receiver_wake(pc_receiver *receiver) { set_event(receiver->ready); }

void pc_receiver_stop(pc_receiver *receiver) { set_event(receiver->stop); }
