/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/* Tests without a process: ids, thread dumps of several JDKs, expected spans, and escaping. */
#include <endian.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../src/expected_spans.h"
#include "../src/java_stacks.h"
#include "../src/json.h"
#include "../src/stack_id.h"
#include "unit_expect.h"

static void expect_hash(const char *text, const char *expected) {
  struct stack_hash hash;
  stack_hash_begin(&hash);
  stack_hash_add(&hash, text, strlen(text));
  struct stack_id id = stack_hash_end(&hash);
  char hex_text[2 * sizeof id.bytes + 1];
  for (size_t i = 0; i < sizeof id.bytes; i++) {
    snprintf(hex_text + 2 * i, 3, "%02x", id.bytes[i]);
  }
  expect("FNV-1a-128", hex_text, expected);
}

/* The example in the protocol's documentation. */
static void test_id_text(void) {
  struct stack_id id = {{0x60, 0xb4, 0x20, 0xbb, 0x38, 0x51, 0xd9, 0xd4, 0x7a, 0xcb, 0x93, 0x3d,
                         0xbe, 0x70, 0x39, 0x9b}};
  char text[STACK_ID_TEXT_SIZE];
  stack_id_text(&id, text);
  expect("base64", text, "YLQguzhR2dR6y5M9vnA5mw");
}

static char dump_text[] =
    "0\n2026-01-01 00:00:00\nFull thread dump OpenJDK 64-Bit Server VM:\n\n"
    "\"main\" #1 prio=5 os_prio=0 cpu=43.52ms tid=0x00007f3a1c017f60 nid=0x1f waiting on "
    "condition  [0x00007f3a23bfe000]\n"
    "   java.lang.Thread.State: TIMED_WAITING (sleeping)\n"
    "\tat java.lang.Thread.sleep(java.base@17.0.15/Native Method)\n"
    "\t- locked <0x000000069ec175b8> (a java.lang.Object)\n"
    "\tat a.B.main(B.java:23)\n"
    "\n"
    "\"bad \" nid=31 \" #21 [40] daemon prio=5 os_prio=0 tid=0x00007f nid=40 runnable  [0x7f]\n"
    "   java.lang.Thread.State: RUNNABLE\n"
    "   Carrying virtual thread #22\n"
    "\tat c.D.<init>(Unknown Source)\n"
    "\n"
    "\"no nid\" #23 [41] prio=5 os_prio=0 tid=0x00007f runnable  [0x7f]\n"
    "\tat e.F$$Lambda/0x0000000021040440.run(F.java:1)\n"
    "\n"
    "\"VM Thread\" os_prio=0 cpu=0.79ms tid=0x00007f3a1c0f44c0 nid=42 runnable  \n"
    "\n"
    "\"last\" #24 prio=5 nid=0x2b runnable\n"
    "\tat g.H.i(H.java:2)\n";

static void expect_stack(pid_t tid, const char *expected) {
  struct thread_dump dump = {.text = dump_text, .length = sizeof dump_text - 1};
  struct java_stack stack;
  char what[32], frames[256] = "";
  snprintf(what, sizeof what, "stack of thread %d", tid);
  bool found = java_stack_find(&dump, tid, &stack);
  for (size_t i = 0; found && i < stack.count; i++) {
    size_t length = strlen(frames);
    snprintf(frames + length, sizeof frames - length, "%s%.*s", i == 0 ? "" : " ",
             (int)stack.frames[i].length, stack.frames[i].name);
  }
  expect(what, frames, expected);
}

static void test_json(void) {
  char *text = NULL;
  size_t length;
  FILE *out = open_memstream(&text, &length);
  json_text(out, "a\"b\\c\td\xc3\xa9\xff");
  fclose(out);
  expect("JSON", text, "\"a\\\"b\\\\c\\u0009d\xc3\xa9\xef\xbf\xbd\"");
  free(text);
}

static void write_slots(const char *path, const uint64_t *slots, size_t count) {
  FILE *file = fopen(path, "w");
  if (file == NULL || fwrite(slots, sizeof *slots, count, file) != count || fclose(file) != 0) {
    perror(path);
    exit(EXIT_FAILURE);
  }
}

/* Replaces the end of the path; returns the descriptor of the new file. */
static int temporary_file(char *path) {
  int fd = mkstemp(path);
  if (fd < 0) {
    perror(path);
    exit(EXIT_FAILURE);
  }
  return fd;
}

static void expect_slots(const char *what, struct expected_spans *spans, const char *expected) {
  char found[128] = "";
  expected_spans_refresh(spans);
  for (pid_t tid = 0; tid < 4; tid++) {
    const volatile uint64_t *slot = expected_spans_slot(spans, tid);
    size_t length = strlen(found);
    if (slot == NULL) {
      snprintf(found + length, sizeof found - length, " none");
    } else {
      snprintf(found + length, sizeof found - length, " %" PRIu64, *slot);
    }
  }
  expect(what, found, expected);
}

static void test_slots(void) {
  static const uint64_t slots[] = {10, 11, 12};
  char path[] = "/tmp/unit_test.XXXXXX";
  close(temporary_file(path));
  unlink(path);
  struct expected_spans spans = {.path = path, .pid = getpid()};
  expect_slots("slots without a file", &spans, " none none none none");
  write_slots(path, slots, 0);
  expect_slots("slots of an empty file", &spans, " none none none none");
  write_slots(path, slots, 2);
  expect_slots("slots of a short file", &spans, " none 11 none none");
  write_slots(path, slots, 3);
  expect_slots("slots of a file that has grown", &spans, " none 11 12 none");
  unlink(path);
  expect_slots("slots of a deleted file", &spans, " none 11 12 none");
  expected_spans_close(&spans);
}

static void expect_comparison(enum record_state state, uint64_t expected_span, uint8_t shown,
                              const char *expected) {
  uint8_t span_id[8];
  memset(span_id, shown, sizeof span_id);
  struct expected_counters counters = {0};
  char what[64], counted[80];
  expected_spans_compare(1, "test", expected_span, state, span_id, &counters);
  snprintf(what, sizeof what, "comparison of %" PRIx64 ", state %d", expected_span, state);
  snprintf(counted, sizeof counted, "%d shown %d none %d missing %d other %d", (int)counters.all,
           (int)counters.shown, (int)counters.none, (int)counters.missing, (int)counters.other);
  expect(what, counted, expected);
}

static void test_comparisons(void) {
  expect_comparison(RECORD_TRACED, 0, 7, "0 shown 0 none 0 missing 0 other 0");
  expect_comparison(RECORD_TRACED, 0x0707070707070707, 7, "1 shown 1 none 0 missing 0 other 0");
  expect_comparison(RECORD_TRACED, 0x0707070707070708, 7, "1 shown 0 none 0 missing 0 other 1");
  expect_comparison(RECORD_UNREADABLE, 0x0707070707070707, 7, "1 shown 0 none 0 missing 1 other 0");
  expect_comparison(RECORD_NO_POINTER, 0x0707070707070707, 7, "1 shown 0 none 0 missing 1 other 0");
  expect_comparison(RECORD_INVALID, 0x0707070707070707, 7, "1 shown 0 none 0 missing 1 other 0");
  expect_comparison(RECORD_NO_TRACE, 0x0707070707070707, 7, "1 shown 0 none 0 missing 1 other 0");
  expect_comparison(RECORD_NO_TRACE, EXPECTED_NO_TRACE, 7, "1 shown 0 none 1 missing 0 other 0");
  expect_comparison(RECORD_NO_POINTER, EXPECTED_NO_TRACE, 7, "1 shown 0 none 1 missing 0 other 0");
  expect_comparison(RECORD_TRACED, EXPECTED_NO_TRACE, 7, "1 shown 0 none 0 missing 0 other 1");
}

static void test_report(void) {
  char path[] = "/tmp/stand-in-report-XXXXXX";
  uint64_t slots[] = {0, 11, 12}, read_back[3] = {0};
  int fd = temporary_file(path);
  write_slots(path, slots, 3);
  struct expected_spans spans = {.path = path, .pid = getpid()};
  expected_spans_report(&spans, 41); /* not mapped yet */
  expected_spans_refresh(&spans);
  expected_spans_report(&spans, 42);
  expected_spans_close(&spans);
  ssize_t size = pread(fd, read_back, sizeof read_back, 0);
  close(fd);
  unlink(path);
  char what[64];
  snprintf(what, sizeof what, "%d %d %d %d", (int)size, (int)be64toh(read_back[0]),
           (int)read_back[1], (int)read_back[2]);
  expect("reported count before the slots", what, "24 42 11 12");
}

int main(void) {
  expect_hash("", "6c62272e07bb014262b821756295c58d");
  expect_hash("a", "d228cb696f1a8caf78912b704e4a8964");
  test_id_text();
  expect_stack(31, "java.lang.Thread.sleep a.B.main");
  expect_stack(40, "c.D.<init>");
  expect_stack(41, "e.F$$Lambda/0x0000000021040440.run");
  expect_stack(42, "");
  expect_stack(43, "g.H.i");
  expect_stack(44, "");
  test_json();
  test_slots();
  test_comparisons();
  test_report();
  return failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
