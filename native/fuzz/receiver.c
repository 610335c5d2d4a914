/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/*
 * The input is a sequence of steps: datagrams are sent, moved to the ring, and taken in batches of
 * any capacity. Whatever the order, they come out whole, once, and in their order. In one thread,
 * so that an input always does the same.
 */

#include "../src/receiver.c"

#include <fcntl.h>

enum { BATCH = 4 * (PC_DATAGRAM_LENGTH_SIZE + PC_DATAGRAM_MAX), LONGEST = PC_DATAGRAM_MAX + 4096 };

static int ends[2];
static pc_receiver *receiver;
static uint8_t batch[BATCH];
static uint8_t bytes[LONGEST];
static uint32_t sent, received;
static size_t lengths[1 << 16]; /* of the datagrams under way, by number */

static void require(int holds) {
  if (!holds) {
    abort();
  }
}

static uint8_t content(uint32_t number, size_t at) { return (uint8_t)(number * 31 + at * 7); }

static void send_one(size_t length) {
  for (size_t i = 0; i < length; i++) {
    bytes[i] = content(sent, i);
  }
  if (send(ends[1], bytes, length, MSG_DONTWAIT) == (ssize_t)length) {
    lengths[sent++ % (1 << 16)] = length;
  } else {
    require(errno == EAGAIN || errno == ENOBUFS);
  }
}

static void check_batch(size_t filled) {
  size_t at = 0;
  while (at < filled) {
    uint32_t length;
    require(filled - at >= PC_DATAGRAM_LENGTH_SIZE);
    memcpy(&length, batch + at, PC_DATAGRAM_LENGTH_SIZE);
    at += PC_DATAGRAM_LENGTH_SIZE;
    require(received != sent);
    size_t expected = lengths[received % (1 << 16)];
    if (expected > PC_DATAGRAM_MAX) {
      require(length == PC_DATAGRAM_MAX + 1);
    } else {
      require(length == expected && filled - at >= length);
      for (size_t i = 0; i < length; i++) {
        require(batch[at + i] == content(received, i));
      }
      at += length;
    }
    received++;
  }
}

static size_t take(size_t capacity) {
  int64_t filled = pc_receiver_take(receiver, batch, capacity);
  require(filled >= 0 && (size_t)filled <= capacity);
  check_batch((size_t)filled);
  return (size_t)filled;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size < 3) {
    return 0;
  }
  if (receiver == NULL) {
    require(socketpair(AF_UNIX, SOCK_DGRAM, 0, ends) == 0);
    receiver = pc_receiver_create(ends[0], 10);
    require(receiver != NULL);
  }
  /* Anywhere in the ring, also shortly before the positions overflow. */
  size_t start = (size_t)data[0] << 8 | data[1];
  start = data[2] & 1 ? RING_SIZE - start : data[2] & 2 ? (size_t)0 - start : start;
  atomic_store(&receiver->head, start);
  atomic_store(&receiver->tail, start);
  for (size_t i = 3; i < size; i++) {
    size_t argument = i + 1 < size ? data[i + 1] : 0;
    switch (data[i] & 3) {
      case 0:
        send_one(data[i] & 4 ? argument * 272 : argument);
        i++;
        break;
      case 1:
        for (int moves = data[i] >> 2; moves > 0 && has_room(receiver); moves--) {
          int error = move(receiver);
          require(error == 0 || error == -EAGAIN);
        }
        break;
      case 2:
        /* The thread that takes has room for at least one datagram. */
        take(PC_DATAGRAM_LENGTH_SIZE + PC_DATAGRAM_MAX + argument * 700);
        i++;
        break;
      default:
        pc_receiver_wake(receiver);
        require(pc_receiver_await(receiver, (int64_t)(data[i] >> 7)) == 0);
    }
  }
  while (take(sizeof(batch)) > 0) {
  }
  require(received == sent);
  return 0;
}
