/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/*
 * Tests of the export without a process. With a file as argument, writes an export of Java stacks
 * into it, for a decoder that shares no code with this one.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../src/build_id.h"
#include "../src/interned.h"
#include "../src/profile_batch.h"
#include "../src/protobuf.h"
#include "unit_expect.h"

#define BEGIN_NS 1700000000000000000u

static void expect_bytes(const char *what, struct protobuf_writer *message, const char *expected) {
  char text[512] = "";
  for (size_t i = 0; i < message->size && 2 * i + 3 <= sizeof text; i++) {
    snprintf(text + 2 * i, 3, "%02x", message->bytes[i]);
  }
  expect(what, text, expected);
  protobuf_clear(message);
}

/* The first numbers are the examples of the protobuf documentation. */
static void test_writer(void) {
  struct protobuf_writer message = {0}, part = {0};
  protobuf_put_number(&message, 1, 150);
  expect_bytes("a number", &message, "089601");
  protobuf_put_text(&message, 2, "testing");
  expect_bytes("a text", &message, "120774657374696e67");
  protobuf_put_numbers(&message, 6, (const uint32_t[]){3, 270, 86942}, 3);
  expect_bytes("packed numbers", &message, "3206038e029ea705");
  protobuf_put_number(&message, 1, UINT64_MAX);
  expect_bytes("the largest number", &message, "08ffffffffffffffffff01");
  protobuf_put_number(&message, 1, 0);
  protobuf_put_fixed64(&message, 2, 0);
  protobuf_put_numbers(&message, 3, NULL, 0);
  protobuf_put_fixed64s(&message, 4, NULL, 0);
  expect_bytes("omitted fields", &message, "");
  protobuf_put_text(&message, 16, "");
  expect_bytes("an empty text", &message, "820100");
  protobuf_put_fixed64(&message, 3, 0x0102030405060708);
  expect_bytes("a fixed number", &message, "190807060504030201");
  protobuf_put_fixed64s(&message, 5, (const uint64_t[]){1, 2}, 2);
  expect_bytes("packed fixed numbers", &message, "2a1001000000000000000200000000000000");
  protobuf_put_message(&message, 1, &part);
  expect_bytes("an empty message", &message, "0a00");
  protobuf_append_utf8(&message, "a\xc3\xa9\xff\xc3", 5, SIZE_MAX);
  expect_bytes("text that is not UTF-8", &message, "61c3a9efbfbdefbfbd");
  protobuf_append_utf8(&message, "ab\xc3\xa9", 4, 3);
  expect_bytes("a text that is cut", &message, "6162");
  protobuf_free(&message);
  protobuf_free(&part);
}

static void test_interned(void) {
  struct interned items = {0};
  uint32_t mistakes = interned_add(&items, "", 0) != 0;
  for (int round = 0; round < 2; round++) {
    for (uint32_t i = 1; i <= 10000; i++) {
      mistakes += interned_add(&items, &i, sizeof i) != i;
    }
  }
  for (uint32_t i = 1; i <= 10000; i++) {
    struct interned_item item = interned_get(&items, i);
    mistakes += item.size != sizeof i || memcmp(item.bytes, &i, sizeof i) != 0;
  }
  expect_number("wrong indices of 10,001 items", mistakes, 0);
  expect_number("items", items.count, 10001);
  expect_number("bytes of items", interned_size(&items), 40000);
  interned_free(&items);
}

/* Truncates and changes the beginning of this program, which has the headers and the build id. */
static void test_random_programs(void) {
  unsigned char program[4096], changed[sizeof program];
  char text[BUILD_ID_TEXT_SIZE];
  FILE *file = fopen("/proc/self/exe", "r");
  int fd = memfd_create("program", MFD_CLOEXEC);
  if (file == NULL || fread(program, sizeof program, 1, file) != 1 || fd < 0) {
    perror("/proc/self/exe");
    exit(EXIT_FAILURE);
  }
  fclose(file);
  uint64_t too_long = 0, found = 0;
  for (int i = 0; i < 50000; i++) {
    size_t size = i == 0 ? sizeof program : (size_t)lrand48() % sizeof program;
    memcpy(changed, program, size);
    for (int changes = 0; i > 0 && size > 0 && changes < 8; changes++) {
      changed[(size_t)lrand48() % size % 1024] = (unsigned char)lrand48();
    }
    if (ftruncate(fd, 0) != 0 || pwrite(fd, changed, size, 0) != (ssize_t)size) {
      perror("memfd");
      exit(EXIT_FAILURE);
    }
    found += build_id_read(fd, text);
    too_long += strnlen(text, sizeof text) == sizeof text;
    if (i == 0) {
      expect_number("the build id of this program is found", found, 1);
    }
  }
  expect_number("build ids without end in 50,000 random programs", too_long, 0);
  close(fd);
}

static uint32_t java_stack(struct profile_dictionary *dictionary, const char *const *names,
                           size_t count) {
  uint32_t locations[8];
  for (size_t i = 0; i < count; i++) {
    locations[i] = dictionary_java_location(dictionary, names[i], strlen(names[i]));
  }
  return dictionary_stack(dictionary, locations, count);
}

/* Three samples: two are equal, and one was taken before the clock was set. */
static void write_export(const char *path) {
  static const char *const names[] = {"java.util.TimSort.sort", "shop.B\xc3\xa9.run\xff",
                                      "java.lang.Thread.run"};
  static const uint8_t trace_id[TRACE_ID_SIZE] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14,
                                                  15, 16};
  static const uint8_t span_id[SPAN_ID_SIZE] = {0x21, 0x22, 0x23, 0x24, 0x25, 0x26, 0x27, 0x28};
  struct profile_source source = {.service_name = "sh\xc3\xb6p",
                                  .host_id = "host-42",
                                  .executable = "/opt/jdk/bin/java",
                                  .pid = 4711,
                                  .period_ns = 50000000,
                                  .on_cpu_only = true};
  struct profile_batch batch = {0};
  profile_batch_begin(&batch, BEGIN_NS);
  struct profile_sample sample = {.tid = 4712, .thread_name = "http-1", .unix_ns = BEGIN_NS + 10};
  sample.link = dictionary_link(&batch.dictionary, trace_id, span_id);
  sample.stack = java_stack(&batch.dictionary, names, 3);
  bool added = profile_batch_add(&batch, &sample);
  sample.unix_ns += 10;
  added &= profile_batch_add(&batch, &sample);
  sample = (struct profile_sample){.tid = 4713, .thread_name = "cut \xc3", .unix_ns = BEGIN_NS - 5};
  sample.stack = java_stack(&batch.dictionary, names + 2, 1);
  added &= profile_batch_add(&batch, &sample);
  expect_number("samples added", added ? batch.event_count : 0, 3);
  expect_number("different samples", batch.identities.count, 2);
  struct protobuf_writer request = {0};
  profile_batch_write(&batch, &source, BEGIN_NS + 100, &request);
  FILE *file = fopen(path, "w");
  if (file == NULL || request.failed || fwrite(request.bytes, request.size, 1, file) != 1 ||
      fclose(file) != 0) {
    perror(path);
    exit(EXIT_FAILURE);
  }
  protobuf_free(&request);
  profile_batch_free(&batch);
}

/* Each sample has a different stack, as in a process that never does the same twice. */
static void test_full_batch(void) {
  struct profile_source source = {.service_name = "", .host_id = "", .executable = "", .pid = 1};
  struct profile_batch batch = {0};
  struct protobuf_writer request = {0};
  profile_batch_begin(&batch, BEGIN_NS);
  struct profile_sample sample = {.tid = 1, .thread_name = "t", .unix_ns = BEGIN_NS};
  uint64_t added = 0;
  do {
    char name[64];
    snprintf(name, sizeof name, "method%" PRIu64, added++);
    const char *names[] = {name};
    sample.stack = java_stack(&batch.dictionary, names, 1);
  } while (profile_batch_add(&batch, &sample) && added < 10000000);
  expect_number("samples in a full batch", batch.event_count, added - 1);
  profile_batch_write(&batch, &source, BEGIN_NS + 1, &request);
  expect_number("a full batch is not larger than its limit",
                request.size <= PROFILE_BATCH_SIZE_LIMIT && !request.failed, 1);
  expect_number("and not much smaller", request.size > PROFILE_BATCH_SIZE_LIMIT / 4 * 3, 1);
  protobuf_free(&request);
  profile_batch_begin(&batch, BEGIN_NS);
  sample.stack = 0;
  expect_number("a batch can be reused", profile_batch_add(&batch, &sample), 1);
  profile_batch_free(&batch);
}

int main(int argc, char **argv) {
  test_writer();
  test_interned();
  test_random_programs();
  test_full_batch();
  if (argc > 1) {
    write_export(argv[1]);
  }
  return failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
