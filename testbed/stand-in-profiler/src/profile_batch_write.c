/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#include <stdlib.h>
#include <string.h>

#include "profile_batch.h"

#define SCOPE "stand-in-profiler"

/* The names of the public profiler. Samples of waiting threads do not measure CPU time. */
#define SAMPLE_TYPE "samples"
#define SAMPLE_UNIT "count"
#define PERIOD_TYPE_CPU "cpu"
#define PERIOD_TYPE_WALL "wall"
#define PERIOD_UNIT "nanoseconds"

static void put_attribute(struct protobuf_writer *resource, const char *key,
                          const struct protobuf_writer *value) {
  struct protobuf_writer attribute = {0};
  protobuf_put_text(&attribute, KEY_VALUE_KEY, key);
  protobuf_put_message(&attribute, KEY_VALUE_VALUE, value);
  protobuf_put_message(resource, RESOURCE_ATTRIBUTES, &attribute);
  protobuf_free(&attribute);
}

static void put_text_attribute(struct protobuf_writer *resource, const char *key,
                               const char *text) {
  if (text[0] == '\0') {
    return;
  }
  struct protobuf_writer value = {0}, valid = {0};
  protobuf_append_utf8(&valid, text, strlen(text), SIZE_MAX);
  protobuf_put_message(&value, ANY_VALUE_STRING, &valid);
  put_attribute(resource, key, &value);
  protobuf_free(&valid);
  protobuf_free(&value);
}

static void put_number_attribute(struct protobuf_writer *resource, const char *key,
                                 uint64_t number) {
  struct protobuf_writer value = {0};
  protobuf_put_number(&value, ANY_VALUE_INT, number);
  put_attribute(resource, key, &value);
  protobuf_free(&value);
}

static void write_resource(const struct profile_source *source, struct protobuf_writer *resource) {
  const char *slash = strrchr(source->executable, '/');
  put_text_attribute(resource, ATTRIBUTE_SERVICE_NAME, source->service_name);
  put_text_attribute(resource, ATTRIBUTE_HOST_ID, source->host_id);
  put_number_attribute(resource, ATTRIBUTE_PROCESS_PID, (uint64_t)source->pid);
  put_text_attribute(resource, ATTRIBUTE_EXECUTABLE_PATH, source->executable);
  put_text_attribute(resource, ATTRIBUTE_EXECUTABLE_NAME,
                     slash == NULL ? source->executable : slash + 1);
}

static void put_value_type(struct protobuf_writer *profile, enum profile_field field,
                           struct profile_dictionary *dictionary, const char *type,
                           const char *unit) {
  struct protobuf_writer value_type = {0};
  protobuf_put_number(&value_type, VALUE_TYPE_TYPE,
                      dictionary_string(dictionary, type, strlen(type)));
  protobuf_put_number(&value_type, VALUE_TYPE_UNIT,
                      dictionary_string(dictionary, unit, strlen(unit)));
  protobuf_put_message(profile, field, &value_type);
  protobuf_free(&value_type);
}

/* Merges equal samples into one with all their times. */
static void put_samples(struct protobuf_writer *profile, const struct profile_batch *batch) {
  uint32_t identity_count = batch->identities.count;
  size_t *ends = calloc((size_t)identity_count + 1, sizeof *ends);
  uint64_t *times = calloc(batch->event_count + 1, sizeof *times);
  if (ends == NULL || times == NULL) {
    profile->failed = true;
    free(ends);
    free(times);
    return;
  }
  /* ends[i] is first the number of events before those of identity i, then moves to their end. */
  for (size_t i = 0; i < batch->event_count; i++) {
    ends[batch->events[i].identity + 1]++;
  }
  for (uint32_t i = 0; i < identity_count; i++) {
    ends[i + 1] += ends[i];
  }
  for (size_t i = 0; i < batch->event_count; i++) {
    times[ends[batch->events[i].identity]++] = batch->events[i].unix_ns;
  }
  struct protobuf_writer sample = {0};
  for (uint32_t i = 0; i < identity_count; i++) {
    size_t begin = i == 0 ? 0 : ends[i - 1];
    struct interned_item item = interned_get(&batch->identities, i);
    protobuf_clear(&sample);
    protobuf_append(&sample, item.bytes, item.size);
    protobuf_put_fixed64s(&sample, SAMPLE_TIMESTAMPS, times + begin, ends[i] - begin);
    protobuf_put_message(profile, PROFILE_SAMPLES, &sample);
  }
  protobuf_free(&sample);
  free(ends);
  free(times);
}

/* All samples must be within the profile's time, although the clock may have been set meanwhile. */
static void put_time(struct protobuf_writer *profile, const struct profile_batch *batch,
                     uint64_t end_unix_ns) {
  uint64_t begin = batch->begin_unix_ns, end = end_unix_ns;
  for (size_t i = 0; i < batch->event_count; i++) {
    uint64_t time = batch->events[i].unix_ns;
    begin = time < begin ? time : begin;
    end = time >= end ? time + 1 : end;
  }
  protobuf_put_fixed64(profile, PROFILE_TIME_UNIX_NANO, begin);
  protobuf_put_number(profile, PROFILE_DURATION_NANO, end - begin);
}

static void write_profile(struct profile_batch *batch, const struct profile_source *source,
                          uint64_t end_unix_ns, struct protobuf_writer *profile) {
  put_value_type(profile, PROFILE_SAMPLE_TYPE, &batch->dictionary, SAMPLE_TYPE, SAMPLE_UNIT);
  put_samples(profile, batch);
  put_time(profile, batch, end_unix_ns);
  if (source->period_ns != 0) {
    put_value_type(profile, PROFILE_PERIOD_TYPE, &batch->dictionary,
                   source->on_cpu_only ? PERIOD_TYPE_CPU : PERIOD_TYPE_WALL, PERIOD_UNIT);
    protobuf_put_number(profile, PROFILE_PERIOD, source->period_ns);
  }
  protobuf_put_bytes(profile, PROFILE_PROFILE_ID, batch->profile_id, sizeof batch->profile_id);
}

void profile_batch_write(struct profile_batch *batch, const struct profile_source *source,
                         uint64_t end_unix_ns, struct protobuf_writer *request) {
  struct protobuf_writer resource = {0}, scope = {0}, profile = {0}, scopes = {0}, all = {0},
                         dictionary = {0};
  /* No sample refers to an item that could not be added. */
  batch->dictionary.failed = false;
  write_resource(source, &resource);
  protobuf_put_text(&scope, SCOPE_NAME, SCOPE);
  write_profile(batch, source, end_unix_ns, &profile);
  protobuf_put_message(&scopes, SCOPE_PROFILES_SCOPE, &scope);
  protobuf_put_message(&scopes, SCOPE_PROFILES_PROFILES, &profile);
  protobuf_put_message(&all, RESOURCE_PROFILES_RESOURCE, &resource);
  protobuf_put_message(&all, RESOURCE_PROFILES_SCOPES, &scopes);
  dictionary_write(&batch->dictionary, &dictionary);
  protobuf_put_message(request, REQUEST_RESOURCE_PROFILES, &all);
  protobuf_put_message(request, REQUEST_DICTIONARY, &dictionary);
  request->failed |= batch->dictionary.failed;
  struct protobuf_writer *const parts[] = {&resource, &scope, &profile, &scopes, &all, &dictionary};
  for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
    protobuf_free(parts[i]);
  }
}
