/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#include "fixture_process_context.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

/* A protobuf message that is being written. Each is shorter than 128 bytes. */
struct message {
  uint8_t bytes[128];
  uint8_t length;
};

static void put(struct message *message, unsigned field, const void *bytes, size_t length) {
  if (message->length + 2 + length > sizeof message->bytes) {
    fprintf(stderr, "fixture: the process context is too long\n");
    exit(EXIT_FAILURE);
  }
  message->bytes[message->length++] = (uint8_t)(field << 3 | 2);
  message->bytes[message->length++] = (uint8_t)length;
  memcpy(message->bytes + message->length, bytes, length);
  message->length = (uint8_t)(message->length + length);
}

static void put_message(struct message *message, unsigned field, const struct message *inner) {
  put(message, field, inner->bytes, inner->length);
}

static struct message string_value(const char *text) {
  struct message value = {0};
  put(&value, 1, text, strlen(text));
  return value;
}

static struct message key_value(const char *key, const struct message *value) {
  struct message pair = {0};
  put(&pair, 1, key, strlen(key));
  put_message(&pair, 2, value);
  return pair;
}

static struct message key_map(bool repeats_key) {
  struct message array = {0}, value = {0};
  struct message keys[] = {string_value("number"), string_value(repeats_key ? "number" : "text")};
  put_message(&array, 1, &keys[0]);
  put_message(&array, 1, &keys[1]);
  put_message(&value, 5, &array);
  return value;
}

static size_t encode(uint8_t *into, const char *schema_version, bool repeats_key) {
  struct message name = string_value("check-context"), resource = {0}, map = key_map(repeats_key);
  struct message parts[3] = {0}, attribute = key_value("service.name", &name);
  put_message(&resource, 1, &attribute);
  put_message(&parts[0], 1, &resource);
  if (schema_version != NULL) {
    struct message version = string_value(schema_version);
    attribute = key_value("threadlocal.schema_version", &version);
    put_message(&parts[1], 2, &attribute);
  }
  attribute = key_value("threadlocal.attribute_key_map", &map);
  put_message(&parts[2], 2, &attribute);
  size_t size = 0;
  for (size_t i = 0; i < 3; i++) {
    memcpy(into + size, parts[i].bytes, parts[i].length);
    size += parts[i].length;
  }
  return size;
}

void fixture_process_context_publish(const char *schema_version, bool repeats_key) {
  static uint8_t payload[512];
  uint32_t head[2] = {2, (uint32_t)encode(payload, schema_version, repeats_key)};
  uint64_t address = (uint64_t)(uintptr_t)payload, published_at = (uint64_t)time(NULL);
  int fd = memfd_create("OTEL_CTX", MFD_CLOEXEC);
  if (fd < 0 || ftruncate(fd, 4096) != 0) {
    perror("memfd_create");
    exit(EXIT_FAILURE);
  }
  uint8_t *header = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0);
  close(fd);
  if (header == MAP_FAILED) {
    perror("mmap");
    exit(EXIT_FAILURE);
  }
  memcpy(header, "OTEL_CTX", 8);
  memcpy(header + 8, head, sizeof head);
  memcpy(header + 24, &address, sizeof address);
  __atomic_store((uint64_t *)(header + 16), &published_at, __ATOMIC_RELEASE);
}
