/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/* Tests of thread contexts without a process: process contexts, attributes, and agreement. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../src/agreement.h"
#include "../src/context_attributes.h"
#include "../src/context_keys.h"

#define RANDOM_PAYLOADS 200000

static int failures;

static void expect(const char *what, const char *actual, const char *expected) {
  bool equal = strcmp(actual, expected) == 0;
  printf("%s  %s: %s\n", equal ? "ok    " : "FAILED", what, actual);
  failures += !equal;
}

/* Encoded attributes: schema version "tls_v1", key map "a", "b", and the beginnings of others. */
#define VERSION_KEY "\x0a\x1athreadlocal.schema_version\x12"
#define VERSION "\x12\x26" VERSION_KEY "\x08\x0a\x06tls_v1"
#define MAP_KEY "\x0a\x1dthreadlocal.attribute_key_map\x12"
#define MAP "\x12\x2d" MAP_KEY "\x0c\x2a\x0a\x0a\x03\x0a\x01" "a\x0a\x03\x0a\x01" "b"

static void expect_keys(const char *what, const char *payload, size_t size, const char *expected) {
  struct context_keys keys;
  struct reason reason = {""};
  char found[1200] = "";
  /* A copy of exactly that size, so that a sanitizer detects reads behind it. */
  uint8_t *copy = malloc(size + 1);
  memcpy(copy + 1, payload, size);
  if (context_keys_decode(copy + 1, size, &keys, &reason)) {
    snprintf(found, sizeof found, "%s %s", keys.service_name, keys.schema_version);
    for (size_t i = 0; i < keys.key_count; i++) {
      size_t length = strlen(found);
      snprintf(found + length, sizeof found - length, " %.*s", (int)keys.keys[i].length,
               keys.keys[i].at);
    }
  } else {
    snprintf(found, sizeof found, "%s", reason.text);
  }
  free(copy);
  expect(what, found, expected);
}

#define EXPECT_KEYS(what, payload, expected) \
  expect_keys(what, payload, sizeof(payload) - 1, expected)

static void test_keys(void) {
  EXPECT_KEYS("all keys", "\x0a\x18\x0a\x16\x0a\x0cservice.name\x12\x06\x0a\x04shop" VERSION MAP,
              "shop tls_v1 a b");
  EXPECT_KEYS("keys in another order, unknown fields", "\x18\x05\x25" "1234" MAP VERSION,
              " tls_v1 a b");
  EXPECT_KEYS("no version", MAP, "the process context has no threadlocal.schema_version");
  EXPECT_KEYS("another version", "\x12\x25" VERSION_KEY "\x07\x0a\x05other" MAP,
              "threadlocal.schema_version is \"other\", must be tlsdesc_v1_dev, tlsdesc_v1 or tls_v1");
  EXPECT_KEYS("a number as version", "\x12\x20" VERSION_KEY "\x02\x18\x01" MAP,
              "threadlocal.schema_version is not a string");
  EXPECT_KEYS("no map", VERSION, "the process context has no threadlocal.attribute_key_map");
  EXPECT_KEYS("an empty map", VERSION "\x12\x23" MAP_KEY "\x02\x2a\x00",
              "the process context has an empty threadlocal.attribute_key_map");
  EXPECT_KEYS("text as map", VERSION "\x12\x24" MAP_KEY "\x03\x0a\x01" "a",
              "threadlocal.attribute_key_map is not an array");
  EXPECT_KEYS("the same key twice",
              VERSION "\x12\x2d" MAP_KEY "\x0c\x2a\x0a\x0a\x03\x0a\x01" "a\x0a\x03\x0a\x01" "a",
              "threadlocal.attribute_key_map has the same key at the indexes 0 and 1");
  EXPECT_KEYS("an empty key", VERSION "\x12\x27" MAP_KEY "\x06\x2a\x04\x0a\x02\x0a\x00",
              "threadlocal.attribute_key_map has no string, or an empty one, at index 0");
  EXPECT_KEYS("a number as key", VERSION "\x12\x27" MAP_KEY "\x06\x2a\x04\x0a\x02\x18\x01",
              "threadlocal.attribute_key_map has no string, or an empty one, at index 0");
  EXPECT_KEYS("a field that is too long", VERSION MAP "\x12\x7f",
              "the process context is not a protobuf message");
  EXPECT_KEYS("a number without end", "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff",
              "the process context is not a protobuf message");
}

/* Half of the payloads are valid ones with a few changed bytes, which reach more code. */
static void test_random_payloads(void) {
  static const char sound[] = VERSION MAP;
  struct context_keys keys;
  struct reason reason;
  int accepted = 0, wrong = 0;
  srand(4719);
  for (int i = 0; i < RANDOM_PAYLOADS; i++) {
    size_t size = i % 2 == 0 ? (size_t)rand() % 300 : sizeof sound - 1;
    uint8_t *payload = malloc(size + 1);
    for (size_t at = 0; at < size; at++) {
      bool changed = i % 2 == 0 || rand() % 32 == 0;
      payload[at] = changed ? (uint8_t)rand() : (uint8_t)sound[at];
    }
    if (context_keys_decode(payload, size, &keys, &reason)) {
      accepted++;
      wrong += keys.key_count == 0 || keys.key_count > KEY_MAP_LIMIT;
      for (size_t k = 0; k < keys.key_count; k++) {
        const uint8_t *key = (const uint8_t *)keys.keys[k].at;
        wrong += key < payload || key + keys.keys[k].length > payload + size;
      }
    }
    free(payload);
  }
  expect("random payloads, some are accepted", accepted > 0 ? "yes" : "no", "yes");
  expect("random payloads, keys outside", wrong > 0 ? "yes" : "no", "no");
}

static void expect_attributes(const char *what, const char *bytes, size_t size, size_t claimed,
                              const char *expected) {
  struct context_sample sample = {.attributes_size = size};
  struct context_attributes attributes;
  char found[128];
  memcpy(sample.attributes, bytes, size);
  sample.record.attributes_size = (uint16_t)claimed;
  context_attributes_decode(&sample, 2, &attributes);
  snprintf(found, sizeof found, "%.*s %.*s unknown %d not UTF-8 %d cut %d %d",
           (int)attributes.values[0].length, attributes.values[0].at,
           (int)attributes.values[1].length, attributes.values[1].at, (int)attributes.unknown_keys,
           (int)attributes.not_utf8, attributes.cut_by_writer, attributes.cut_by_limit);
  expect(what, found, expected);
}

static void test_attributes(void) {
  char many[ATTRIBUTES_SIZE_LIMIT] = "\1\3one\0\xfb";
  expect_attributes("no attributes", "", 0, 0, "  unknown 0 not UTF-8 0 cut 0 0");
  expect_attributes("two", "\1\3one\0\2me", 9, 9, "me one unknown 0 not UTF-8 0 cut 0 0");
  expect_attributes("the last one wins", "\0\1a\0\1b", 6, 6, "b  unknown 0 not UTF-8 0 cut 0 0");
  expect_attributes("dropped ones", "\2\1a\1\1\xff\0\1b", 9, 9, "b  unknown 1 not UTF-8 1 cut 0 0");
  expect_attributes("a cut value", "\0\1b\1\5abcd", 9, 9, "b  unknown 0 not UTF-8 0 cut 1 0");
  expect_attributes("a cut head", "\0\1b\1", 4, 4, "b  unknown 0 not UTF-8 0 cut 1 0");
  expect_attributes("too many", many, sizeof many, 258, " one unknown 0 not UTF-8 0 cut 0 1");
}

static void expect_agreement(enum record_state elastic, enum record_state otel, uint8_t span,
                             uint8_t flags, const char *expected) {
  struct thread_sample sample = {.state = elastic, .context.state = otel};
  char what[64];
  sample.context.record.span_id[7] = span;
  sample.context.record.trace_flags = flags;
  snprintf(what, sizeof what, "agreement of states %d and %d", elastic, otel);
  expect(what, agreement_name(agreement_of(&sample)), expected);
}

int main(void) {
  test_keys();
  test_random_payloads();
  test_attributes();
  expect_agreement(RECORD_TRACED, RECORD_TRACED, 0, 0, "agree");
  expect_agreement(RECORD_TRACED, RECORD_TRACED, 1, 1, "disagree");
  expect_agreement(RECORD_NO_TRACE, RECORD_NO_TRACE, 0, 0, "both_none");
  expect_agreement(RECORD_NO_POINTER, RECORD_INVALID, 1, 0, "both_none");
  expect_agreement(RECORD_TRACED, RECORD_INVALID, 0, 0, "only_elastic");
  expect_agreement(RECORD_NO_TRACE, RECORD_TRACED, 0, 0x03, "only_otel_sampled");
  expect_agreement(RECORD_NO_TRACE, RECORD_TRACED, 0, 0x02, "only_otel_unsampled");
  expect_agreement(RECORD_TRACED, RECORD_MALFORMED, 0, 0, "not_compared");
  expect_agreement(RECORD_UNREADABLE, RECORD_TRACED, 0, 0, "not_compared");
  expect_agreement(RECORD_TRACED, RECORD_NOT_READ, 0, 0, "not_compared");
  return failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
