/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#include "context_keys.h"

#include <stdio.h>
#include <string.h>

#include "protobuf.h"
#include "utf8.h"

/* Field numbers. */
enum { CONTEXT_RESOURCE = 1, CONTEXT_ATTRIBUTES = 2 };
enum { RESOURCE_ATTRIBUTES = 1 };
enum { KEY_VALUE_KEY = 1, KEY_VALUE_VALUE = 2 };
enum { ANY_VALUE_STRING = 1, ANY_VALUE_ARRAY = 5 };
enum { ARRAY_VALUES = 1 };

struct any_value {
  uint32_t kind; /* the number of the field that is set; 0: none, or without bytes */
  struct protobuf bytes;
};

struct key_value {
  struct protobuf key;
  struct any_value value;
};

static bool equals(const struct protobuf *bytes, const char *text) {
  return bytes->left == strlen(text) && memcmp(bytes->at, text, bytes->left) == 0;
}

static void copy_text(const struct protobuf *bytes, char *into, size_t size) {
  size_t length = bytes->left < size ? bytes->left : size - 1;
  memcpy(into, bytes->at, length);
  into[length] = '\0';
}

/* As in every protobuf message, the last of several fields with one number wins. */
static bool decode_value(struct protobuf message, struct any_value *value) {
  struct protobuf_field field;
  *value = (struct any_value){0};
  while (protobuf_next(&message, &field)) {
    value->kind = field.has_bytes ? field.number : 0;
    value->bytes = field.bytes;
  }
  return !message.malformed;
}

static bool decode_key_value(struct protobuf message, struct key_value *entry) {
  struct protobuf_field field;
  bool sound = true;
  *entry = (struct key_value){.key = {.at = (const uint8_t *)""}};
  while (sound && protobuf_next(&message, &field)) {
    if (field.has_bytes && field.number == KEY_VALUE_KEY) {
      entry->key = field.bytes;
    } else if (field.has_bytes && field.number == KEY_VALUE_VALUE) {
      sound = decode_value(field.bytes, &entry->value);
    }
  }
  return sound && !message.malformed;
}

static bool add_key(struct context_keys *keys, const struct any_value *value,
                    struct reason *reason) {
  size_t index = keys->key_count;
  if (index == KEY_MAP_LIMIT) {
    return because(reason, KEY_MAP_KEY " has more than %d keys", KEY_MAP_LIMIT);
  }
  if (value->kind != ANY_VALUE_STRING || value->bytes.left == 0 || !is_utf8(value->bytes.at, value->bytes.left)) {
    return because(reason, KEY_MAP_KEY " has no string, or an empty one, at index %zu", index);
  }
  for (size_t i = 0; i < index; i++) {
    if (keys->keys[i].length == value->bytes.left &&
        memcmp(keys->keys[i].at, value->bytes.at, value->bytes.left) == 0) {
      return because(reason, KEY_MAP_KEY " has the same key at the indexes %zu and %zu", i, index);
    }
  }
  keys->keys[keys->key_count++] =
      (struct text){.at = (const char *)value->bytes.at, .length = value->bytes.left};
  return true;
}

static bool decode_key_map(const struct any_value *map, struct context_keys *keys,
                           struct reason *reason) {
  struct protobuf message = map->bytes;
  struct protobuf_field field;
  struct any_value value;
  if (map->kind != ANY_VALUE_ARRAY) {
    return because(reason, KEY_MAP_KEY " is not an array");
  }
  keys->has_key_map = true;
  keys->key_count = 0;
  while (protobuf_next(&message, &field)) {
    if (!field.has_bytes || field.number != ARRAY_VALUES) {
      continue;
    }
    if (!decode_value(field.bytes, &value)) {
      return because(reason, KEY_MAP_KEY " is malformed");
    }
    if (!add_key(keys, &value, reason)) {
      return false;
    }
  }
  return !message.malformed || because(reason, KEY_MAP_KEY " is malformed");
}

static bool decode_attribute(struct protobuf message, struct context_keys *keys,
                             struct reason *reason) {
  struct key_value entry;
  if (!decode_key_value(message, &entry)) {
    return because(reason, "an attribute of the process context is malformed");
  }
  if (equals(&entry.key, SCHEMA_VERSION_KEY)) {
    if (entry.value.kind != ANY_VALUE_STRING) {
      return because(reason, SCHEMA_VERSION_KEY " is not a string");
    }
    copy_text(&entry.value.bytes, keys->schema_version, sizeof keys->schema_version);
  }
  return !equals(&entry.key, KEY_MAP_KEY) || decode_key_map(&entry.value, keys, reason);
}

static bool decode_resource(struct protobuf message, struct context_keys *keys,
                            struct reason *reason) {
  struct protobuf_field field;
  struct key_value entry;
  while (protobuf_next(&message, &field)) {
    if (!field.has_bytes || field.number != RESOURCE_ATTRIBUTES) {
      continue;
    }
    if (!decode_key_value(field.bytes, &entry)) {
      return because(reason, "an attribute of the resource in the process context is malformed");
    }
    if (equals(&entry.key, "service.name") && entry.value.kind == ANY_VALUE_STRING) {
      copy_text(&entry.value.bytes, keys->service_name, sizeof keys->service_name);
    }
  }
  return !message.malformed || because(reason, "the resource in the process context is malformed");
}

static bool check_keys(const struct context_keys *keys, struct reason *reason) {
  if (keys->schema_version[0] == '\0') {
    return because(reason, "the process context has no " SCHEMA_VERSION_KEY);
  }
  if (strcmp(keys->schema_version, "tlsdesc_v1_dev") != 0 &&
      strcmp(keys->schema_version, "tlsdesc_v1") != 0 &&
      strcmp(keys->schema_version, "tls_v1") != 0) {
    return because(reason,
                   SCHEMA_VERSION_KEY " is \"%s\", must be tlsdesc_v1_dev, tlsdesc_v1 or tls_v1",
                   keys->schema_version);
  }
  /* The strictest reader decides: one of the known readers does not need the map, others do. */
  return keys->key_count > 0 ||
         because(reason, "the process context has %s " KEY_MAP_KEY,
                 keys->has_key_map ? "an empty" : "no");
}

bool context_keys_decode(const uint8_t *payload, size_t size, struct context_keys *keys,
                         struct reason *reason) {
  struct protobuf message = {.at = payload, .left = size};
  struct protobuf_field field;
  bool sound = true;
  *keys = (struct context_keys){0};
  while (sound && protobuf_next(&message, &field)) {
    if (field.has_bytes && field.number == CONTEXT_RESOURCE) {
      sound = decode_resource(field.bytes, keys, reason);
    } else if (field.has_bytes && field.number == CONTEXT_ATTRIBUTES) {
      sound = decode_attribute(field.bytes, keys, reason);
    }
  }
  if (message.malformed) {
    return because(reason, "the process context is not a protobuf message");
  }
  return sound && check_keys(keys, reason);
}
