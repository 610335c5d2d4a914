/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#include "show.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "agreement.h"
#include "json.h"
#include "show_context.h"

static void show_text(const char *name, const char *value, bool present) {
  printf("  \"%s\": ", name);
  if (present) {
    json_text(stdout, value);
  } else {
    fputs("null", stdout);
  }
  fputs(",\n", stdout);
}

static void show_id(const char *name, const void *bytes, size_t length) {
  printf(", \"%s\": \"", name);
  hex(stdout, bytes, length);
  putchar('"');
}

static void show_record(const struct thread_sample *sample) {
  const struct thread_record *record = &sample->record;
  fputs(", \"record\": \"", stdout);
  hex(stdout, record, sizeof *record);
  printf("\", \"minor_version\": %u, \"valid\": %s, \"trace_present\": %s",
         record->layout_minor_version, record->valid != 0 ? "true" : "false",
         record->trace_present != 0 ? "true" : "false");
  /* In any other state, a reader must ignore these fields. */
  if (sample->state == RECORD_TRACED) {
    printf(", \"trace_flags\": %u", record->trace_flags);
    show_id("trace_id", record->trace_id, sizeof record->trace_id);
    show_id("span_id", record->span_id, sizeof record->span_id);
    show_id("transaction_id", record->transaction_id, sizeof record->transaction_id);
  }
}

static void show_elastic(const struct thread_sample *sample) {
  if (sample->state == RECORD_UNREADABLE) {
    fputs(", \"error\": \"could not be stopped and read\"", stdout);
  } else if (sample->state == RECORD_NO_POINTER) {
    fputs(", \"pointer\": null, \"record\": null", stdout);
  } else {
    printf(", \"pointer\": \"0x%" PRIx64 "\"", sample->pointer);
    show_record(sample);
  }
}

static void show_thread(const struct shown *shown, const struct thread *thread) {
  struct thread_sample sample;
  printf("    {\"tid\": %d, \"name\": ", thread->tid);
  json_text(stdout, thread->name);
  if (!thread_reader_sample(shown->reader, thread->tid, NULL, &sample)) {
    fputs(", \"error\": \"could not be stopped and read\"}", stdout);
    return;
  }
  if (shown->attachment != NULL) {
    show_elastic(&sample);
  }
  if (shown->contexts != NULL) {
    show_context(&sample.context, &shown->contexts->keys);
  }
  if (shown->attachment != NULL && shown->contexts != NULL) {
    printf(", \"verdict\": \"%s\"", agreement_name(agreement_of(&sample)));
  }
  putchar('}');
}

static void show_storage(const struct attachment *attachment, bool has_storage) {
  show_text("library", attachment->library.path, true);
  show_text("service_name", attachment->storage.service_name, has_storage);
  show_text("service_environment", attachment->storage.service_environment, has_storage);
  show_text("socket_path", attachment->storage.socket_file_path, has_storage);
}

void show(const struct shown *shown, const struct thread_choice *choice) {
  struct thread_list threads = {0};
  threads_list(shown->reader->pid, choice, &threads);
  printf("{\n  \"pid\": %d,\n", shown->reader->pid);
  if (shown->attachment != NULL) {
    show_storage(shown->attachment, shown->has_storage);
  }
  if (shown->contexts != NULL) {
    show_contexts(shown->contexts);
  }
  fputs("  \"threads\": [", stdout);
  for (size_t i = 0; i < threads.count; i++) {
    fputs(i == 0 ? "\n" : ",\n", stdout);
    show_thread(shown, &threads.items[i]);
  }
  fputs("\n  ]\n}\n", stdout);
  free(threads.items);
}
