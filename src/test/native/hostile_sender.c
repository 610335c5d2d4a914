/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/*
 * Plays a hostile sender and a correct profiler at once. Sends at full rate and never waits for
 * room. A separate decoder determines the expected effect of each datagram that the kernel accepts.
 * Commands on stdin:
 *   open TRACE_ID SPAN_ID   a local root span that gets real and forged messages from now on
 *   gone TRACE_ID SPAN_ID   the span was exported; later messages for it are for an unknown span
 * Answers on stdout:
 *   done SPAN_ID ID:COUNT…  all messages for the span were sent; lists those the kernel accepted
 *   enough                  the kernel accepted the requested number of datagrams; sending continues
 *   totals NAME=NUMBER…     after the end of stdin
 */

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

enum {
  IDS = 24, /* trace id and span id */
  STACK_TRACE_ID = 16,
  CORRELATION = 46,
  LONGEST = 65535,
  LARGEST = 200000,
  SPANS = 256,
  REAL_MESSAGES = 100,
  MOST_MESSAGES = 2000,
  SOCKETS = 8,
  REAL_ONE_IN = 16
};

struct message {
  uint8_t stack_trace_id[STACK_TRACE_ID];
  uint16_t count;
};

struct span {
  uint8_t ids[IDS];
  unsigned real_left;
  unsigned messages;
  struct message taken[MOST_MESSAGES];
};

static struct {
  uint64_t taken, refused, real_taken, real_refused, registrations, known, unknown, invalid, empty;
} totals;

static struct span open_spans[SPANS];
static unsigned open_count;
static uint8_t gone_spans[SPANS][IDS];
static unsigned gone_count;
static int sockets[SOCKETS];
static struct sockaddr_un address = {.sun_family = AF_UNIX};
static uint64_t seed;
static uint8_t datagram[LARGEST];

static _Noreturn void fail(const char *what) {
  fprintf(stderr, "hostile_sender: %s: %s\n", what, strerror(errno));
  exit(EXIT_FAILURE);
}

/* splitmix64 */
static uint64_t next_random(void) {
  uint64_t z = seed += 0x9e3779b97f4a7c15u;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return z ^ z >> 31;
}

static unsigned below(unsigned limit) { return (unsigned)(next_random() % limit); }

static void noise(uint8_t *bytes, size_t length) {
  for (size_t i = 0; i < length; i++) {
    bytes[i] = (uint8_t)next_random();
  }
}

static void put16(size_t at, unsigned value) {
  uint16_t number = (uint16_t)value;
  memcpy(datagram + at, &number, sizeof(number));
}

static void put32(size_t at, uint32_t value) { memcpy(datagram + at, &value, sizeof(value)); }

static uint32_t get(size_t at, size_t length) {
  uint16_t number16;
  uint32_t number32;
  memcpy(&number16, datagram + at, sizeof(number16));
  if (length == sizeof(number16)) {
    return number16;
  }
  memcpy(&number32, datagram + at, sizeof(number32));
  return number32;
}

static size_t header(unsigned type, size_t length) {
  put16(0, type);
  put16(2, 1);
  return length;
}

static const uint8_t *any_ids(void) {
  static uint8_t random_ids[IDS];
  switch (below(4)) {
    case 0:
      if (gone_count > 0) {
        return gone_spans[below(gone_count < SPANS ? gone_count : SPANS)];
      }
      break;
    case 1:
    case 2:
      if (open_count > 0) {
        return open_spans[below(open_count)].ids;
      }
      break;
  }
  noise(random_ids, IDS);
  return random_ids;
}

/* As the protocol defines it. One in 5,000 counts is the maximum, which fills a span. */
static size_t correlation(const uint8_t *ids) {
  memcpy(datagram + 4, ids, IDS);
  noise(datagram + 28, STACK_TRACE_ID);
  put16(44, below(5000) == 0 ? 65535 : below(4));
  return header(1, CORRELATION);
}

/* Ids that look like those of a span. */
static size_t near_miss(void) {
  uint8_t ids[IDS];
  const uint8_t *other;
  memcpy(ids, any_ids(), IDS);
  switch (below(6)) {
    case 0:
      ids[below(IDS)] ^= (uint8_t)(1u << below(8));
      break;
    case 1: /* the trace of one, the span of another */
      other = any_ids();
      memcpy(ids + 16, other + 16, 8);
      break;
    case 2: /* the halves of the trace id the other way round */
      other = memcpy((uint8_t[IDS]){0}, ids, IDS);
      memcpy(ids, other + 8, 8);
      memcpy(ids + 8, other, 8);
      break;
    case 3:
      memset(ids + (below(2) ? 0 : 16), below(2) ? 0 : 0xff, 8);
      break;
    case 4: /* one byte further */
      memmove(ids + 1, ids, IDS - 1);
      break;
    default: /* a part of the trace id in place of the span id */
      memcpy(ids + 16, ids + 8 * below(2), 8);
  }
  return correlation(ids);
}

static size_t registration(void) {
  static const uint32_t delays[] = {0, 0, 1, 10, 100, 1000, 60001, 0x7fffffff, 0xffffffff};
  static const uint32_t lengths[] = {0, 1, 255, 65536, 0x7fffffff, 0x80000000, 0xffffffff};
  size_t length = below(4) ? below(40) : below(3000);
  noise(datagram + 12, length);
  for (size_t i = 12; below(2) && i < 12 + length; i++) {
    datagram[i] = (uint8_t)('a' + datagram[i] % 26);
  }
  put32(4, delays[below(sizeof(delays) / sizeof(delays[0]))]);
  put32(8, below(4) ? (uint32_t)length : lengths[below(sizeof(lengths) / sizeof(lengths[0]))]);
  return header(2, 12 + length);
}

static size_t valid(void) {
  unsigned kind = below(16);
  return kind < 5 ? registration() : correlation(any_ids());
}

static size_t mutated(void) {
  size_t length = valid();
  for (unsigned changes = below(4); changes > 0; changes--) {
    datagram[below((unsigned)length)] ^= (uint8_t)(1u << below(8));
  }
  size_t further = below(200);
  switch (below(3)) {
    case 0:
      return below((unsigned)length + 1);
    case 1:
      noise(datagram + length, further);
      return length + further;
    default:
      return length;
  }
}

static size_t oversized(void) {
  static const size_t lengths[] = {LONGEST, LONGEST + 1, LONGEST + 2, 100000, LARGEST};
  size_t length = correlation(any_ids());
  size_t chosen = lengths[below(sizeof(lengths) / sizeof(lengths[0]))];
  return chosen < length ? length : chosen;
}

static size_t hostile(void) {
  unsigned types[] = {0, 1, 2, 3, below(65536)};
  size_t length = below(100);
  switch (below(7)) {
    case 0:
      noise(datagram, length);
      return length;
    case 1:
      noise(datagram, 4 + length);
      put16(0, types[below(5)]);
      return 4 + length;
    case 2:
      return near_miss();
    case 3:
      return valid();
    case 4:
      return below(100) == 0 ? oversized() : 0;
    default:
      return mutated();
  }
}

static void open_socket(unsigned number) {
  if (sockets[number] > 0) {
    close(sockets[number]);
  }
  sockets[number] = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (sockets[number] < 0 ||
      connect(sockets[number], (struct sockaddr *)&address, sizeof(address)) != 0) {
    fail(address.sun_path);
  }
}

/* Sends the datagram, occasionally with a file descriptor that nobody asked for. */
static int kernel_takes(size_t length) {
  unsigned number = below(SOCKETS);
  if (below(10000) == 0) {
    open_socket(number);
  }
  union {
    struct cmsghdr header;
    char room[CMSG_SPACE(sizeof(int))];
  } control = {.header = {.cmsg_level = SOL_SOCKET,
                          .cmsg_type = SCM_RIGHTS,
                          .cmsg_len = CMSG_LEN(sizeof(int))}};
  memcpy(CMSG_DATA(&control.header), &sockets[number], sizeof(int));
  struct iovec bytes = {.iov_base = datagram, .iov_len = length};
  struct msghdr message = {.msg_iov = &bytes, .msg_iovlen = 1};
  if (below(200) == 0) {
    message.msg_control = &control;
    message.msg_controllen = sizeof(control.room);
  }
  if (sendmsg(sockets[number], &message, MSG_DONTWAIT) == (ssize_t)length) {
    totals.taken++;
    return 1;
  }
  if (errno != EAGAIN && errno != ENOBUFS && errno != ETOOMANYREFS) {
    fail("sendmsg");
  }
  totals.refused++;
  return 0;
}

/* Returns whether these bytes are UTF-8, as RFC 3629 defines it: no surrogates, nothing too long. */
static int is_utf8(const uint8_t *bytes, size_t length) {
  static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
  for (size_t i = 0; i < length;) {
    uint8_t first = bytes[i];
    unsigned size = first < 0x80 ? 1 : first >> 5 == 6 ? 2 : first >> 4 == 14 ? 3 : first >> 3 == 30 ? 4 : 0;
    if (size == 0 || size > length - i) {
      return 0;
    }
    uint32_t point = size == 1 ? first : first & (0x7fu >> size);
    for (unsigned j = 1; j < size; j++) {
      if (bytes[i + j] >> 6 != 2) {
        return 0;
      }
      point = point << 6 | (bytes[i + j] & 0x3f);
    }
    if (point < least[size] || point > 0x10ffff || (point >= 0xd800 && point < 0xe000)) {
      return 0;
    }
    i += size;
  }
  return 1;
}

/* Decides, from the protocol's text alone, what the datagram must do. */
static void account(size_t length) {
  unsigned type = length < 4 || length > LONGEST ? 0 : get(0, 2);
  if (type == 1 && length >= CORRELATION) {
    for (unsigned i = 0; i < open_count; i++) {
      struct span *span = &open_spans[i];
      if (memcmp(span->ids, datagram + 4, IDS) == 0) {
        if (span->messages == MOST_MESSAGES) {
          fprintf(stderr, "hostile_sender: too many messages for one span\n");
          exit(EXIT_FAILURE);
        }
        struct message *taken = &span->taken[span->messages++];
        memcpy(taken->stack_trace_id, datagram + 28, STACK_TRACE_ID);
        taken->count = (uint16_t)get(44, 2);
        totals.known++;
        return;
      }
    }
    totals.unknown++;
  } else if (type == 2 && length >= 12 && get(8, 4) <= length - 12 &&
             is_utf8(datagram + 12, get(8, 4))) {
    totals.registrations++;
  } else if (length == 0) {
    totals.empty++;
  } else {
    totals.invalid++;
  }
}

static void answer_done(struct span *span) {
  printf("done ");
  for (unsigned i = 16; i < IDS; i++) {
    printf("%02x", span->ids[i]);
  }
  for (unsigned i = 0; i < span->messages; i++) {
    putchar(' ');
    for (unsigned j = 0; j < STACK_TRACE_ID; j++) {
      printf("%02x", span->taken[i].stack_trace_id[j]);
    }
    printf(":%u", span->taken[i].count);
  }
  putchar('\n');
  fflush(stdout);
  *span = open_spans[--open_count];
}

static void send_real(void) {
  struct span *span = &open_spans[below(open_count)];
  size_t length = correlation(span->ids);
  /* Ids that are repeated, and that other spans also have. */
  uint64_t stack_trace = below(50);
  memcpy(datagram + 28, &stack_trace, sizeof(stack_trace));
  memset(datagram + 36, 0, 8);
  put16(44, 1);
  if (kernel_takes(length)) {
    totals.real_taken++;
    account(length);
  } else {
    totals.real_refused++;
  }
  if (--span->real_left == 0) {
    answer_done(span);
  }
}

static void parse_ids(const char *text, uint8_t *ids) {
  char digits[3] = "";
  for (unsigned i = 0; i < IDS; i++) {
    text += i == 16; /* the blank */
    memcpy(digits, text, 2);
    ids[i] = (uint8_t)strtoul(digits, NULL, 16);
    text += 2;
  }
}

static void command(const char *line) {
  if (strlen(line) != strlen("open ") + 2 * IDS + 1) {
    fail(line);
  }
  if (strncmp(line, "gone ", 5) == 0) {
    parse_ids(line + 5, gone_spans[gone_count++ % SPANS]);
  } else if (open_count == SPANS) {
    fail("too many open spans");
  } else {
    struct span *span = &open_spans[open_count++];
    span->real_left = REAL_MESSAGES;
    span->messages = 0;
    parse_ids(line + 5, span->ids);
  }
}

/* Reads the available input. Returns 0 at the end of stdin. */
static int read_commands(void) {
  static char lines[4096];
  static size_t filled;
  ssize_t length = read(STDIN_FILENO, lines + filled, sizeof(lines) - 1 - filled);
  if (length < 0) {
    return errno == EAGAIN ? 1 : (fail("stdin"), 0);
  }
  filled += (size_t)length;
  lines[filled] = '\0';
  char *line = lines;
  for (char *end; (end = strchr(line, '\n')) != NULL; line = end + 1) {
    *end = '\0';
    command(line);
  }
  filled -= (size_t)(line - lines);
  memmove(lines, line, filled);
  return length > 0;
}

int main(int argc, char **argv) {
  if (argc != 4 || strlen(argv[1]) >= sizeof(address.sun_path)) {
    fputs("usage: hostile_sender SOCKET DATAGRAMS SEED\n", stderr);
    return 2;
  }
  strcpy(address.sun_path, argv[1]);
  uint64_t wanted = strtoull(argv[2], NULL, 10);
  seed = strtoull(argv[3], NULL, 10);
  for (unsigned i = 0; i < SOCKETS; i++) {
    open_socket(i);
  }
  if (fcntl(STDIN_FILENO, F_SETFL, O_NONBLOCK) != 0) {
    fail("stdin");
  }
  int enough = 0;
  for (uint64_t i = 0; i % REAL_ONE_IN != 0 || read_commands(); i++) {
    if (i % REAL_ONE_IN == 0 && open_count > 0) {
      send_real();
    } else {
      size_t length = hostile();
      if (kernel_takes(length)) {
        account(length);
      }
    }
    if (!enough && totals.taken >= wanted) {
      enough = 1;
      puts("enough");
      fflush(stdout);
    }
  }
  printf("totals taken=%" PRIu64 " refused=%" PRIu64 " real_taken=%" PRIu64 " real_refused=%" PRIu64
         " registrations=%" PRIu64 " known=%" PRIu64 " unknown=%" PRIu64 " invalid=%" PRIu64
         " empty=%" PRIu64 "\n",
         totals.taken, totals.refused, totals.real_taken, totals.real_refused, totals.registrations,
         totals.known, totals.unknown, totals.invalid, totals.empty);
  return EXIT_SUCCESS;
}
