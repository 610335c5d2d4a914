/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/*
 * A profiler's side of the socket at a given pace: sends correlation messages for one local root
 * span, never waits for room in the kernel's queue, and counts what was refused. A process of its
 * own, because a thread of the receiving one would share its CPUs' caches, locks and pauses.
 */

#include <errno.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#define NS_PER_SECOND 1000000000ull
/* A sleep may end that late; the rest is waited for on the clock. */
#define SLEEP_MARGIN_NS 200000ull
/* As many different stacks as a busy process has. */
#define STACK_TRACES 1000

static const char usage[] =
    "usage: datagram_sender SOCKET TRACE_ID SPAN_ID BURSTS_PER_SECOND DATAGRAMS SPACING_US SECONDS\n"
    "Sends DATAGRAMS correlation messages, SPACING_US apart, BURSTS_PER_SECOND times a second for\n"
    "SECONDS, without waiting for room. Ids are hexadecimal. Prints: accepted N refused N\n";

struct correlation_message {
  uint16_t message_type;
  uint16_t minor_version;
  uint8_t trace_id[16];
  uint8_t local_root_span_id[8];
  uint8_t stack_trace_id[16];
  uint16_t count;
} __attribute__((packed));

_Static_assert(sizeof(struct correlation_message) == 46, "layout");

static _Noreturn void fail(const char *what) {
  fprintf(stderr, "datagram_sender: %s: %s\n", what, strerror(errno));
  exit(EXIT_FAILURE);
}

static _Noreturn void wrong_options(void) {
  fputs(usage, stderr);
  exit(2);
}

static void parse_id(const char *hex, uint8_t *id, size_t length) {
  if (strlen(hex) != 2 * length || strspn(hex, "0123456789abcdef") != 2 * length) {
    wrong_options();
  }
  for (size_t i = 0; i < length; i++) {
    const char digits[] = {hex[2 * i], hex[2 * i + 1], '\0'};
    id[i] = (uint8_t)strtoul(digits, NULL, 16);
  }
}

static uint64_t parse_number(const char *text, uint64_t least) {
  char *end;
  errno = 0;
  uint64_t number = strtoull(text, &end, 10);
  if (errno != 0 || end == text || *end != '\0' || text[0] == '-' || number < least ||
      number > NS_PER_SECOND) {
    wrong_options();
  }
  return number;
}

static uint64_t now_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * NS_PER_SECOND + (uint64_t)now.tv_nsec;
}

static void wait_until(uint64_t moment) {
  if (now_ns() + SLEEP_MARGIN_NS < moment) {
    uint64_t sleep_end = moment - SLEEP_MARGIN_NS;
    struct timespec end = {.tv_sec = (time_t)(sleep_end / NS_PER_SECOND),
                           .tv_nsec = (long)(sleep_end % NS_PER_SECOND)};
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &end, NULL);
  }
  while (now_ns() < moment) {
  }
}

/* Where we are late, because the CPU was taken: from here on, instead of catching up in a burst. */
static uint64_t next_moment(uint64_t moment, uint64_t step) {
  uint64_t now = now_ns();
  return moment + step > now ? moment + step : now;
}

static int connect_to(const char *path) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  if (strlen(path) >= sizeof(address.sun_path)) {
    wrong_options();
  }
  strcpy(address.sun_path, path);
  int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (fd < 0 || connect(fd, (struct sockaddr *)&address, sizeof(address)) != 0) {
    fail(path);
  }
  return fd;
}

/* Returns 1 if the kernel took the message, 0 if the queue is full. */
static int send_message(int fd, struct correlation_message *message, uint64_t number) {
  uint64_t stack_trace = 1 + number % STACK_TRACES;
  memcpy(message->stack_trace_id, &stack_trace, sizeof(stack_trace));
  if (send(fd, message, sizeof(*message), MSG_DONTWAIT) == (ssize_t)sizeof(*message)) {
    return 1;
  }
  if (errno != EAGAIN && errno != ENOBUFS) {
    fail("send");
  }
  return 0;
}

int main(int argc, char **argv) {
  if (argc != 8) {
    wrong_options();
  }
  struct correlation_message message = {.message_type = 1, .minor_version = 1, .count = 1};
  parse_id(argv[2], message.trace_id, sizeof(message.trace_id));
  parse_id(argv[3], message.local_root_span_id, sizeof(message.local_root_span_id));
  uint64_t period = NS_PER_SECOND / parse_number(argv[4], 1);
  uint64_t datagrams = parse_number(argv[5], 1);
  uint64_t spacing = parse_number(argv[6], 0) * 1000;
  uint64_t duration = parse_number(argv[7], 1) * NS_PER_SECOND;
  int fd = connect_to(argv[1]);

  uint64_t attempted = 0, accepted = 0;
  uint64_t burst = now_ns(), end = burst + duration;
  while (burst < end) {
    uint64_t moment = burst;
    for (uint64_t i = 0; i < datagrams; i++) {
      wait_until(moment);
      accepted += (uint64_t)send_message(fd, &message, attempted++);
      moment = next_moment(moment, spacing);
    }
    burst = next_moment(burst, period);
  }
  printf("accepted %" PRIu64 " refused %" PRIu64 "\n", accepted, attempted - accepted);
  close(fd);
  return EXIT_SUCCESS;
}
