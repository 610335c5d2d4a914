/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#include "receiver.h"

#include <errno.h>
#include <fcntl.h>
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

/* Room for about 20,000 correlation messages: two seconds on the largest hosts. */
enum { RING_SIZE = PC_RING_SIZE, SMALLEST_PAGE = 4096 };

/* Only a process that receives datagrams takes more memory than for this many bytes of them. */
enum { FIRST_BURST = 1 << 16 };

/*
 * An urgent pump lets the taking thread sleep until a burst is over: if woken, it would run on a
 * CPU that the next datagram needs. Spans wait a hundred times as long.
 */
enum { QUIET_MS = 1, MAX_BURST_MS = 10 };

/*
 * How long datagrams may wait after the latest wake-up, and how long for a thread that has promised
 * to take them. If the kernel's queue is long enough, it holds them meanwhile, so the pump also
 * sleeps.
 */
enum { PAUSE_MS = 20, PATIENCE_MS = 250, LONG_QUEUE = 128 };

struct pc_receiver {
  int socket;
  int ready; /* wakes the taking thread */
  int stop;  /* ends the pump */
  pc_scheduling scheduling; /* used only by the pump */
  atomic_int pauses; /* 0 if bursts are too large for the kernel's queue, or the queue is short */
  size_t large_burst;
  atomic_llong promised_until_ms;
  atomic_int moving;
  atomic_int taker_sleeps;
  /* Positions that only grow: the pump writes the tail, the taking thread writes the head. */
  atomic_size_t head;
  atomic_size_t tail;
  uint8_t datagram[PC_DATAGRAM_MAX];
  uint8_t ring[RING_SIZE];
};

static void set_event(int event) {
  uint64_t one = 1;
  /* Fails only if it is already set. */
  ssize_t ignored = write(event, &one, sizeof(one));
  (void)ignored;
}

static void clear_event(int event) {
  uint64_t value;
  ssize_t ignored = read(event, &value, sizeof(value));
  (void)ignored;
}

/*
 * The kernel takes up to half a millisecond to provide a page that it must request from a
 * hypervisor, and a burst of datagrams does not wait. Called while nothing behind the tail has ever
 * been used.
 */
static void touch_ring(pc_receiver *receiver, size_t end) {
  volatile uint8_t *ring = receiver->ring;
  for (size_t at = atomic_load(&receiver->tail); at < end; at += SMALLEST_PAGE) {
    ring[at] = 0;
  }
}

int pc_receiver_queue_length(void) {
  char digits[16] = "";
  int file = open("/proc/sys/net/unix/max_dgram_qlen", O_RDONLY | O_CLOEXEC);
  if (file >= 0) {
    ssize_t ignored = read(file, digits, sizeof(digits) - 1);
    (void)ignored;
    close(file);
  }
  return atoi(digits);
}

pc_receiver *pc_receiver_create(int socket, int queue_length) {
  pc_receiver *receiver = calloc(1, sizeof(*receiver));
  if (receiver == NULL) {
    return NULL;
  }
  touch_ring(receiver, FIRST_BURST);
  receiver->socket = socket;
  atomic_store(&receiver->pauses, queue_length >= LONG_QUEUE);
  receiver->large_burst = (size_t)queue_length / 4;
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

/* Returns the length as stored, or -errno. */
static int64_t receive(int socket, uint8_t *datagram) {
  ssize_t length;
  do {
    /* With MSG_TRUNC, this is the length of the datagram, not of the part that fits. */
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

static int is_empty(pc_receiver *receiver) {
  return atomic_load(&receiver->head) == atomic_load(&receiver->tail);
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

/* A burst that fills much of the kernel's queue during a pause might overflow it next time. */
static void found_in_socket(pc_receiver *receiver, size_t datagrams) {
  if (datagrams > receiver->large_burst) {
    atomic_store(&receiver->pauses, 0);
  }
}

/*
 * Moves datagrams while there are any and there is room, for a limited time. Returns 0 or -errno.
 */
static int move_burst(pc_receiver *receiver) {
  int64_t began_ms = now_ms();
  size_t count = 0;
  int error = 0;
  while (error == 0 && has_room(receiver) && now_ms() - began_ms < MAX_BURST_MS) {
    error = move(receiver);
    count += error == 0;
  }
  found_in_socket(receiver, count);
  return error == -EAGAIN ? 0 : error;
}

enum { MORE, QUIET, STOP };

/* Waits for the stop and, on request, a datagram. Returns MORE, QUIET (timeout), STOP or -errno. */
static int wait_for_more(pc_receiver *receiver, int datagram, int64_t timeout_ms) {
  struct pollfd files[] = {
      {.fd = receiver->stop, .events = POLLIN},
      {.fd = receiver->socket, .events = POLLIN},
  };
  int ready = poll(files, datagram ? 2 : 1, (int)timeout_ms);
  if (ready < 0) {
    return errno == EINTR ? MORE : -errno;
  }
  return files[0].revents != 0 ? STOP : ready == 0 ? QUIET : MORE;
}

/* Datagrams in the ring about which the taking thread does not know. */
typedef struct {
  size_t from; /* the tail at the last announcement */
  int64_t since_ms; /* 0 if there are none */
  int64_t announced_ms;
} pc_unannounced;

static void look(pc_receiver *receiver, pc_unannounced *unannounced) {
  if (is_empty(receiver) || atomic_load(&receiver->tail) == unannounced->from) {
    unannounced->since_ms = 0;
  } else if (unannounced->since_ms == 0) {
    unannounced->since_ms = now_ms();
  }
}

static void announce(pc_receiver *receiver, pc_unannounced *unannounced) {
  unannounced->from = atomic_load(&receiver->tail);
  unannounced->announced_ms = now_ms();
  if (!is_empty(receiver) && atomic_exchange(&receiver->taker_sleeps, 0)) {
    set_event(receiver->ready);
  }
}

/* Returns how much longer the thread that awaits datagrams may sleep. */
static int64_t may_wait_ms(pc_receiver *receiver, const pc_unannounced *unannounced, int urgent) {
  int64_t now = now_ms();
  if (!has_room(receiver)) {
    return 0;
  }
  if (now < atomic_load(&receiver->promised_until_ms)) {
    return unannounced->since_ms + PATIENCE_MS - now;
  }
  if (atomic_load(&receiver->pauses)) {
    return unannounced->announced_ms + PAUSE_MS - now;
  }
  return urgent && now - unannounced->since_ms < MAX_BURST_MS ? QUIET_MS : 0;
}

/* Moves datagrams until the stop. Returns STOP or -errno. */
static int move_all(pc_receiver *receiver, int urgent) {
  pc_unannounced unannounced = {.from = atomic_load(&receiver->tail)};
  int touched = 0;
  for (;;) {
    int next = move_burst(receiver);
    look(receiver, &unannounced);
    int64_t wait_ms = unannounced.since_ms == 0 ? 0 : may_wait_ms(receiver, &unannounced, urgent);
    if (next < 0) {
      /* reported below */
    } else if (wait_ms > 0) {
      next = wait_for_more(receiver, !atomic_load(&receiver->pauses), wait_ms);
    } else if (unannounced.since_ms != 0) {
      next = QUIET;
    } else {
      /* Without room, datagrams wait in the socket, as they would without this thread. */
      int room = has_room(receiver);
      int touches = room && !touched && atomic_load(&receiver->tail) != 0;
      next = wait_for_more(receiver, room, touches ? PAUSE_MS : room ? -1 : 1);
      if (touches && next == QUIET) {
        touch_ring(receiver, RING_SIZE);
        touched = 1;
      }
    }
    if (next != MORE && unannounced.since_ms != 0) {
      announce(receiver, &unannounced);
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
  size_t count = 0;
  while (capacity - filled >= PC_DATAGRAM_LENGTH_SIZE + PC_DATAGRAM_MAX) {
    int64_t length = receive(receiver->socket, batch + filled + PC_DATAGRAM_LENGTH_SIZE);
    if (length < 0) {
      found_in_socket(receiver, count);
      return filled > 0 || length == -EAGAIN ? (int64_t)filled : length;
    }
    count++;
    uint32_t stored = (uint32_t)length;
    memcpy(batch + filled, &stored, PC_DATAGRAM_LENGTH_SIZE);
    filled += PC_DATAGRAM_LENGTH_SIZE + stored_bytes(stored);
  }
  found_in_socket(receiver, count);
  return (int64_t)filled;
}

/*
 * The pump may move datagrams of the same burst meanwhile, so the order of a burst may change. No
 * message depends on another one of the same burst.
 */
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
    /* A datagram may be in transit from the socket to the ring. */
    if (!atomic_load(&receiver->moving) && is_empty(receiver)) {
      return 0;
    }
    sched_yield();
  }
}

int pc_receiver_await(pc_receiver *receiver, int64_t wait_ns) {
  int result = 0;
  atomic_store(&receiver->taker_sleeps, 1);
  if (is_empty(receiver)) {
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

void pc_receiver_promise(pc_receiver *receiver, int64_t within_ms) {
  atomic_store(&receiver->promised_until_ms, now_ms() + within_ms);
}

void pc_receiver_wake(pc_receiver *receiver) { set_event(receiver->ready); }

void pc_receiver_stop(pc_receiver *receiver) { set_event(receiver->stop); }
