/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#include "fixture_context.h"

#include <dlfcn.h>
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fixture_process_context.h"
#include "related_ids.h"

/* Offsets in the record: trace id, span id, valid, flags, size of attributes, attributes. */
enum { SPAN_ID = 16, VALID = 24, FLAGS = 25, SIZE = 26, ATTRIBUTES = 28, RECORD_SIZE = 28 + 512 };

static void (*publish_context)(void *);
static const char *fault = "";
static long publish_after_ms;

static const char *setting(const char *name, const char *otherwise) {
  const char *value = getenv(name);
  return value == NULL ? otherwise : value;
}

static bool has_fault(const char *name, uint64_t number) {
  return strcmp(fault, name) == 0 && number % 4 == 1;
}

static void publish_process_context(void) {
  const char *schema = setting("CONTEXT_SCHEMA", "tlsdesc_v1_dev");
  bool repeated = strcmp(schema, "repeated") == 0;
  if (strcmp(schema, "absent") != 0) {
    fixture_process_context_publish(
        strcmp(schema, "none") == 0 ? NULL : repeated ? "tls_v1" : schema, repeated);
  }
}

static void *publish_later(void *unused) {
  (void)unused;
  usleep((useconds_t)publish_after_ms * 1000);
  publish_process_context();
  return NULL;
}

static void load_library(const char *path) {
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) {
    fprintf(stderr, "%s\n", dlerror());
    exit(EXIT_FAILURE);
  }
  *(void **)&publish_context = dlsym(library, "fixture_publish_context");
}

void fixture_context_start(void) {
  const char *path = getenv("CONTEXT_LIBRARY");
  if (path == NULL) {
    return;
  }
  char paths[2 * PATH_MAX], *rest = paths;
  snprintf(paths, sizeof paths, "%s", path);
  while ((path = strsep(&rest, ":")) != NULL) {
    load_library(path);
  }
  fault = setting("CONTEXT_FAULT", "");
  publish_after_ms = atol(setting("CONTEXT_AFTER_MS", "0"));
  pthread_t thread;
  if (publish_after_ms == 0) {
    publish_process_context();
  } else if (pthread_create(&thread, NULL, publish_later, NULL) == 0) {
    pthread_detach(thread);
  }
}

uint8_t *fixture_context_begin(void) {
  if (publish_context == NULL) {
    return NULL;
  }
  uint8_t *record = calloc(1, RECORD_SIZE);
  publish_context(record);
  return record;
}

void fixture_context_hide(uint8_t *record) {
  if (record != NULL) {
    *(volatile uint8_t *)(record + VALID) = 0;
    atomic_signal_fence(memory_order_seq_cst);
  }
}

static uint16_t put_attribute(uint8_t *record, uint16_t at, uint8_t key, const void *value,
                              size_t length) {
  record[ATTRIBUTES + at] = key;
  record[ATTRIBUTES + at + 1] = (uint8_t)length;
  memcpy(record + ATTRIBUTES + at + 2, value, length);
  return (uint16_t)(at + 2 + length);
}

/* An unknown key, text that is not UTF-8, and then a cut entry or more bytes than are accepted. */
static uint16_t put_faults(uint8_t *record, uint16_t at, bool many) {
  char filler[200];
  memset(filler, 'x', sizeof filler);
  at = put_attribute(record, at, 77, "unknown", 7);
  at = put_attribute(record, at, 1, "caf\351", 4);
  if (many) {
    at = put_attribute(record, at, 1, filler, sizeof filler);
    return put_attribute(record, at, 1, filler, sizeof filler);
  }
  return (uint16_t)(put_attribute(record, at, 1, "cut", 3) - 1);
}

/* The first attribute is the number as text. It is written twice, and the last one counts. */
static void write_attributes(uint8_t *record, uint64_t number) {
  char text[16];
  for (size_t i = 0; i < sizeof text; i++) {
    text[i] = "0123456789abcdef"[number >> (60 - 4 * i) & 0xf];
  }
  uint16_t size = put_attribute(record, 0, 0, "no number", 9);
  size = put_attribute(record, size, 0, text, sizeof text);
  if (has_fault("attributes", number)) {
    size = put_faults(record, size, number % 8 == 1);
  }
  memcpy(record + SIZE, &size, sizeof size);
}

void fixture_context_show(uint8_t *record, uint64_t number, bool traced) {
  if (record == NULL || has_fault("missing", number)) {
    return;
  }
  struct related_ids ids = related_ids(number);
  bool sampled = traced || strcmp(fault, "sampled") == 0;
  memset(record, 0, SPAN_ID + sizeof ids.span_id);
  if (sampled || strcmp(fault, "unsampled") == 0) {
    memcpy(record, &ids, SPAN_ID + sizeof ids.span_id);
    record[SPAN_ID] ^= has_fault("disagree", number);
  }
  if (has_fault("half", number)) {
    memset(record, 0, SPAN_ID);
  }
  record[FLAGS] = sampled;
  write_attributes(record, number);
  atomic_signal_fence(memory_order_seq_cst);
  *(volatile uint8_t *)(record + VALID) = 1;
  if (strcmp(fault, "odd") == 0) {
    publish_context(record + number % 2);
  }
}

void fixture_context_end(uint8_t *record) {
  if (record != NULL) {
    publish_context(NULL);
    free(record);
  }
}
