/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#include "profile_dictionary.h"

#include <string.h>

#define FRAME_TYPE_JAVA "jvm"
#define FRAME_TYPE_NATIVE "native"
#define ITEM_OVERHEAD 4 /* bytes of tag and length; rarely more */

static uint32_t add(struct profile_dictionary *dictionary, enum dictionary_field table,
                    const struct protobuf_writer *item) {
  uint32_t index =
      item->failed ? INTERNED_FAILED
                   : interned_add(&dictionary->tables[table], item->bytes, item->size);
  dictionary->failed |= index == INTERNED_FAILED;
  return index == INTERNED_FAILED ? 0 : index;
}

uint32_t dictionary_string(struct profile_dictionary *dictionary, const char *text,
                           size_t length) {
  protobuf_clear(&dictionary->message);
  protobuf_append_utf8(&dictionary->message, text, length, DICTIONARY_TEXT_LIMIT);
  return add(dictionary, STRING_TABLE, &dictionary->message);
}

static uint32_t text_string(struct profile_dictionary *dictionary, const char *text) {
  return dictionary_string(dictionary, text, strlen(text));
}

/* Writes an attribute with the value in "part". */
static uint32_t attribute(struct profile_dictionary *dictionary, const char *key) {
  uint32_t key_index = text_string(dictionary, key);
  protobuf_clear(&dictionary->message);
  protobuf_put_number(&dictionary->message, ATTRIBUTE_KEY, key_index);
  protobuf_put_message(&dictionary->message, ATTRIBUTE_VALUE, &dictionary->part);
  return add(dictionary, ATTRIBUTE_TABLE, &dictionary->message);
}

uint32_t dictionary_text_attribute(struct profile_dictionary *dictionary, const char *key,
                                   const char *value) {
  protobuf_clear(&dictionary->message);
  protobuf_append_utf8(&dictionary->message, value, strlen(value), DICTIONARY_TEXT_LIMIT);
  protobuf_clear(&dictionary->part);
  protobuf_put_message(&dictionary->part, ANY_VALUE_STRING, &dictionary->message);
  return attribute(dictionary, key);
}

uint32_t dictionary_number_attribute(struct profile_dictionary *dictionary, const char *key,
                                     uint64_t value) {
  protobuf_clear(&dictionary->part);
  protobuf_put_number(&dictionary->part, ANY_VALUE_INT, value);
  return attribute(dictionary, key);
}

uint32_t dictionary_link(struct profile_dictionary *dictionary,
                         const uint8_t trace_id[TRACE_ID_SIZE],
                         const uint8_t span_id[SPAN_ID_SIZE]) {
  protobuf_clear(&dictionary->message);
  protobuf_put_bytes(&dictionary->message, LINK_TRACE_ID, trace_id, TRACE_ID_SIZE);
  protobuf_put_bytes(&dictionary->message, LINK_SPAN_ID, span_id, SPAN_ID_SIZE);
  return add(dictionary, LINK_TABLE, &dictionary->message);
}

uint32_t dictionary_java_location(struct profile_dictionary *dictionary, const char *function,
                                  size_t length) {
  uint32_t type = dictionary_text_attribute(dictionary, ATTRIBUTE_FRAME_TYPE, FRAME_TYPE_JAVA);
  uint32_t name = dictionary_string(dictionary, function, length);
  protobuf_clear(&dictionary->message);
  protobuf_put_number(&dictionary->message, FUNCTION_NAME, name);
  uint32_t function_index = add(dictionary, FUNCTION_TABLE, &dictionary->message);
  protobuf_clear(&dictionary->part);
  protobuf_put_number(&dictionary->part, LINE_FUNCTION, function_index);
  protobuf_clear(&dictionary->message);
  protobuf_put_message(&dictionary->message, LOCATION_LINES, &dictionary->part);
  protobuf_put_numbers(&dictionary->message, LOCATION_ATTRIBUTES, &type, 1);
  return add(dictionary, LOCATION_TABLE, &dictionary->message);
}

static uint32_t mapping(struct profile_dictionary *dictionary, const struct code_range *range) {
  bool has_build_id = range->build_id[0] != '\0';
  uint32_t filename = text_string(dictionary, range->path);
  uint32_t build_id =
      has_build_id ? dictionary_text_attribute(dictionary, ATTRIBUTE_BUILD_ID, range->build_id)
                   : 0;
  protobuf_clear(&dictionary->message);
  protobuf_put_number(&dictionary->message, MAPPING_MEMORY_START, range->start);
  protobuf_put_number(&dictionary->message, MAPPING_MEMORY_LIMIT, range->end);
  protobuf_put_number(&dictionary->message, MAPPING_FILE_OFFSET, range->file_offset);
  protobuf_put_number(&dictionary->message, MAPPING_FILENAME, filename);
  protobuf_put_numbers(&dictionary->message, MAPPING_ATTRIBUTES, &build_id, has_build_id);
  return add(dictionary, MAPPING_TABLE, &dictionary->message);
}

uint32_t dictionary_native_location(struct profile_dictionary *dictionary,
                                    const struct code_range *range, uint64_t address) {
  uint32_t type = 0, mapping_index = 0;
  if (range != NULL) {
    type = dictionary_text_attribute(dictionary, ATTRIBUTE_FRAME_TYPE, FRAME_TYPE_NATIVE);
    mapping_index = mapping(dictionary, range);
  }
  protobuf_clear(&dictionary->message);
  protobuf_put_number(&dictionary->message, LOCATION_MAPPING, mapping_index);
  protobuf_put_number(&dictionary->message, LOCATION_ADDRESS, address);
  protobuf_put_numbers(&dictionary->message, LOCATION_ATTRIBUTES, &type, range != NULL);
  return add(dictionary, LOCATION_TABLE, &dictionary->message);
}

uint32_t dictionary_stack(struct profile_dictionary *dictionary, const uint32_t *locations,
                          size_t count) {
  protobuf_clear(&dictionary->message);
  protobuf_put_numbers(&dictionary->message, STACK_LOCATIONS, locations, count);
  return add(dictionary, STACK_TABLE, &dictionary->message);
}

void dictionary_init(struct profile_dictionary *dictionary) {
  /* OTLP recommends ids of full length in the first link, for readers that reject shorter ones. */
  static const uint8_t no_trace_id[TRACE_ID_SIZE], no_span_id[SPAN_ID_SIZE];
  *dictionary = (struct profile_dictionary){0};
  for (enum dictionary_field table = MAPPING_TABLE; table < DICTIONARY_FIELDS_END; table++) {
    if (table == LINK_TABLE) {
      dictionary_link(dictionary, no_trace_id, no_span_id);
    } else {
      protobuf_clear(&dictionary->message);
      add(dictionary, table, &dictionary->message);
    }
  }
}

size_t dictionary_size(const struct profile_dictionary *dictionary) {
  size_t size = 0;
  for (enum dictionary_field table = MAPPING_TABLE; table < DICTIONARY_FIELDS_END; table++) {
    const struct interned *items = &dictionary->tables[table];
    size += interned_size(items) + (size_t)items->count * ITEM_OVERHEAD;
  }
  return size;
}

void dictionary_write(const struct profile_dictionary *dictionary, struct protobuf_writer *out) {
  for (enum dictionary_field table = MAPPING_TABLE; table < DICTIONARY_FIELDS_END; table++) {
    const struct interned *items = &dictionary->tables[table];
    for (uint32_t i = 0; i < items->count; i++) {
      struct interned_item item = interned_get(items, i);
      protobuf_put_bytes(out, table, item.bytes, item.size);
    }
  }
}

void dictionary_free(struct profile_dictionary *dictionary) {
  for (enum dictionary_field table = MAPPING_TABLE; table < DICTIONARY_FIELDS_END; table++) {
    interned_free(&dictionary->tables[table]);
  }
  protobuf_free(&dictionary->message);
  protobuf_free(&dictionary->part);
}
