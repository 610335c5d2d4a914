/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#ifndef PROFILE_DICTIONARY_H
#define PROFILE_DICTIONARY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "interned.h"
#include "otlp_profiles.h"
#include "protobuf_writer.h"

#define DICTIONARY_TEXT_LIMIT 1024

/* The tables that samples refer to by index. Each is a set of encoded messages. */
struct profile_dictionary {
  struct interned tables[DICTIONARY_FIELDS_END];
  struct protobuf_writer message; /* the message being written, and a part of it */
  struct protobuf_writer part;
  bool failed; /* an item got index 0 because memory was exhausted; stays set */
};

struct code_range {
  uint64_t start;
  uint64_t end;
  uint64_t file_offset;
  const char *path;
  const char *build_id; /* in hex, or empty */
};

/* Fills the first place of each table, as OTLP requires. */
void dictionary_init(struct profile_dictionary *dictionary);

/* Bytes that are not UTF-8 become U+FFFD. Text that is too long is cut. */
uint32_t dictionary_string(struct profile_dictionary *dictionary, const char *text, size_t length);

uint32_t dictionary_text_attribute(struct profile_dictionary *dictionary, const char *key,
                                   const char *value);

/* For numbers that are never zero, such as thread ids. */
uint32_t dictionary_number_attribute(struct profile_dictionary *dictionary, const char *key,
                                     uint64_t value);
uint32_t dictionary_link(struct profile_dictionary *dictionary,
                         const uint8_t trace_id[TRACE_ID_SIZE],
                         const uint8_t span_id[SPAN_ID_SIZE]);
uint32_t dictionary_java_location(struct profile_dictionary *dictionary, const char *function,
                                  size_t length);

/* Without a range, only the address is known. */
uint32_t dictionary_native_location(struct profile_dictionary *dictionary,
                                    const struct code_range *range, uint64_t address);

/* The first location is the leaf. */
uint32_t dictionary_stack(struct profile_dictionary *dictionary, const uint32_t *locations,
                          size_t count);

/* Returns the approximate size of the encoded dictionary. */
size_t dictionary_size(const struct profile_dictionary *dictionary);

void dictionary_write(const struct profile_dictionary *dictionary, struct protobuf_writer *out);

void dictionary_free(struct profile_dictionary *dictionary);

#endif
