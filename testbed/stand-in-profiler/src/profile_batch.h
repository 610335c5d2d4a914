/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#ifndef PROFILE_BATCH_H
#define PROFILE_BATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "profile_dictionary.h"
#include "protobuf_writer.h"

/* Well below the 20 MiB that a collector accepts by default. */
#define PROFILE_BATCH_SIZE_LIMIT (8u << 20)

/* The process that all profiles of a run describe. */
struct profile_source {
  const char *service_name; /* empty: unknown */
  const char *host_id;      /* empty: unknown */
  const char *executable;   /* path; empty: unknown */
  pid_t pid;
  uint64_t period_ns; /* 0: samples are taken as fast as possible */
  bool on_cpu_only;
};

/* The time of a sample. Samples that differ only in their times share an identity. */
struct profile_event {
  uint32_t identity;
  uint64_t unix_ns;
};

/* The content of one export: samples of a few seconds, and everything they refer to. */
struct profile_batch {
  struct profile_dictionary dictionary;
  struct interned identities; /* encoded: stack, attributes, link */
  struct profile_event *events;
  size_t event_count;
  size_t event_capacity;
  uint64_t begin_unix_ns;
  uint8_t profile_id[PROFILE_ID_SIZE]; /* the same for all attempts to deliver the batch */
};

struct profile_sample {
  uint32_t stack; /* indices into the dictionary of the batch */
  uint32_t link;  /* 0: no trace was shown */
  pid_t tid;
  const char *thread_name;
  uint64_t unix_ns;
};

/* Removes all samples and frees their memory. The batch must be zeroed before the first call. */
void profile_batch_begin(struct profile_batch *batch, uint64_t unix_ns);

/* Adds a sample. Returns false if the batch is full or memory is exhausted. */
bool profile_batch_add(struct profile_batch *batch, const struct profile_sample *sample);

/* Returns the approximate size of the encoded batch. */
size_t profile_batch_size(const struct profile_batch *batch);

/* Writes an ExportProfilesServiceRequest. Sets "failed" in the message if memory is exhausted. */
void profile_batch_write(struct profile_batch *batch, const struct profile_source *source,
                         uint64_t end_unix_ns, struct protobuf_writer *request);

void profile_batch_free(struct profile_batch *batch);

#endif
