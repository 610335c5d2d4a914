/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#include "show_context.h"

#include <inttypes.h>
#include <stdio.h>

#include "context_attributes.h"
#include "json.h"

static void show_variable(const struct tls_variable *variable) {
  if (variable->dynamic) {
    printf("\"tls\": \"dynamic\", \"libc\": \"%s\", \"module\": %" PRIu64,
           variable->libc == LIBC_MUSL ? "musl" : "glibc", variable->module);
  } else {
    printf("\"tls\": \"static\"");
  }
  printf(", \"offset\": %" PRId64, variable->offset);
}

static void show_keys(const struct context_keys *keys) {
  fputs("\"schema_version\": ", stdout);
  json_text(stdout, keys->schema_version);
  fputs(", \"key_map\": [", stdout);
  for (size_t i = 0; i < keys->key_count; i++) {
    fputs(i == 0 ? "" : ", ", stdout);
    json_string(stdout, keys->keys[i].at, keys->keys[i].length);
  }
  fputs("], \"service_name\": ", stdout);
  json_text(stdout, keys->service_name);
}

void show_contexts(const struct context_attachment *contexts) {
  fputs("  \"otel\": {", stdout);
  if (contexts->attached) {
    fputs("\"library\": ", stdout);
    json_text(stdout, contexts->library.path);
    fputs(", ", stdout);
    show_variable(&contexts->variable);
    fputs(", ", stdout);
    show_keys(&contexts->keys);
  } else {
    fputs("\"error\": ", stdout);
    json_text(stdout, contexts->reason.text);
  }
  fputs("},\n", stdout);
}

static const char *name_of(enum record_state state) {
  switch (state) {
    case RECORD_NO_POINTER: return "no pointer";
    case RECORD_INVALID: return "invalid";
    case RECORD_NO_TRACE: return "no trace";
    case RECORD_TRACED: return "traced";
    case RECORD_MALFORMED: return "malformed";
    case RECORD_NOT_READ: return "not read";
    default: return "unreadable";
  }
}

static void show_attributes(const struct context_sample *sample, const struct context_keys *keys) {
  struct context_attributes attributes;
  const char *separator = "";
  context_attributes_decode(sample, keys->key_count, &attributes);
  fputs(", \"attributes\": {", stdout);
  for (size_t i = 0; i < keys->key_count; i++) {
    if (attributes.values[i].at != NULL) {
      fputs(separator, stdout);
      json_string(stdout, keys->keys[i].at, keys->keys[i].length);
      fputs(": ", stdout);
      json_string(stdout, attributes.values[i].at, attributes.values[i].length);
      separator = ", ";
    }
  }
  fputs("}", stdout);
  if (attributes.unknown_keys + attributes.not_utf8 > 0) {
    printf(", \"unknown_keys\": %" PRIu64 ", \"not_utf8\": %" PRIu64, attributes.unknown_keys,
           attributes.not_utf8);
  }
  if (attributes.cut_by_writer || attributes.cut_by_limit) {
    printf(", \"cut_by\": \"%s\"", attributes.cut_by_limit ? "limit" : "writer");
  }
}

static void show_record(const struct context_sample *sample, const struct context_keys *keys) {
  const struct thread_context *record = &sample->record;
  fputs(", \"record\": \"", stdout);
  hex(stdout, record, sizeof *record);
  hex(stdout, sample->attributes, sample->attributes_size);
  printf("\", \"valid\": %u", record->valid);
  /* In any other state, a reader must ignore these fields. */
  if (sample->state == RECORD_TRACED) {
    fputs(", \"trace_id\": \"", stdout);
    hex(stdout, record->trace_id, sizeof record->trace_id);
    fputs("\", \"span_id\": \"", stdout);
    hex(stdout, record->span_id, sizeof record->span_id);
    printf("\", \"trace_flags\": %u", record->trace_flags);
  }
  if (sample->state == RECORD_TRACED || sample->state == RECORD_NO_TRACE) {
    show_attributes(sample, keys);
  }
}

void show_context(const struct context_sample *sample, const struct context_keys *keys) {
  printf(", \"otel\": {\"state\": \"%s\"", name_of(sample->state));
  if (sample->pointer != 0) {
    printf(", \"pointer\": \"0x%" PRIx64 "\"", sample->pointer);
  }
  if (context_has_record(sample)) {
    show_record(sample, keys);
  }
  putchar('}');
}
