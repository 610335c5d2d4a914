/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#include "profile_batch.h"

#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#define SAMPLE_OVERHEAD ((size_t)8) /* bytes of tags and lengths */

void profile_batch_begin(struct profile_batch *batch, uint64_t unix_ns) {
  profile_batch_free(batch);
  *batch = (struct profile_batch){.begin_unix_ns = unix_ns};
  dictionary_init(&batch->dictionary);
  /* If the system has no random bytes yet, the id stays all zeros, which means no id. */
  if (getrandom(batch->profile_id, sizeof batch->profile_id, GRND_NONBLOCK) !=
      (ssize_t)sizeof batch->profile_id) {
    memset(batch->profile_id, 0, sizeof batch->profile_id);
  }
}

size_t profile_batch_size(const struct profile_batch *batch) {
  return dictionary_size(&batch->dictionary) + interned_size(&batch->identities) +
         batch->identities.count * SAMPLE_OVERHEAD + batch->event_count * sizeof(uint64_t);
}

static bool reserve_event(struct profile_batch *batch) {
  if (batch->event_count < batch->event_capacity) {
    return true;
  }
  size_t capacity = batch->event_capacity == 0 ? 256 : 2 * batch->event_capacity;
  struct profile_event *events = realloc(batch->events, capacity * sizeof *events);
  if (events == NULL) {
    return false;
  }
  batch->events = events;
  batch->event_capacity = capacity;
  return true;
}

static uint32_t identity(struct profile_batch *batch, const struct profile_sample *sample) {
  struct profile_dictionary *dictionary = &batch->dictionary;
  uint32_t attributes[] = {
      dictionary_text_attribute(dictionary, ATTRIBUTE_THREAD_NAME, sample->thread_name),
      dictionary_number_attribute(dictionary, ATTRIBUTE_THREAD_ID, (uint64_t)sample->tid)};
  struct protobuf_writer *message = &dictionary->message;
  protobuf_clear(message);
  protobuf_put_number(message, SAMPLE_STACK, sample->stack);
  protobuf_put_numbers(message, SAMPLE_ATTRIBUTES, attributes,
                       sizeof attributes / sizeof attributes[0]);
  protobuf_put_number(message, SAMPLE_LINK, sample->link);
  return message->failed ? INTERNED_FAILED
                         : interned_add(&batch->identities, message->bytes, message->size);
}

bool profile_batch_add(struct profile_batch *batch, const struct profile_sample *sample) {
  if (profile_batch_size(batch) >= PROFILE_BATCH_SIZE_LIMIT || !reserve_event(batch)) {
    return false;
  }
  uint32_t index = identity(batch, sample);
  /* After a failure, a stack or a link may be incomplete. */
  if (index == INTERNED_FAILED || batch->dictionary.failed) {
    return false;
  }
  batch->events[batch->event_count++] =
      (struct profile_event){.identity = index, .unix_ns = sample->unix_ns};
  return true;
}

void profile_batch_free(struct profile_batch *batch) {
  dictionary_free(&batch->dictionary);
  interned_free(&batch->identities);
  free(batch->events);
  batch->events = NULL;
  batch->event_count = batch->event_capacity = 0;
}
