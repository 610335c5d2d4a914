/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#ifndef OTLP_PROFILES_H
#define OTLP_PROFILES_H

/*
 * Field numbers and attribute names of opentelemetry-proto 1.11.0, package
 * opentelemetry.proto.profiles.v1development. The package may change incompatibly without a new
 * name.
 */

#define OTLP_PROFILES_PATH "/v1development/profiles"
#define OTLP_CONTENT_TYPE "application/x-protobuf"
/* Collectors from v0.163.0 on reject messages of another version. */
#define OTLP_HEADERS \
  "Content-Type: " OTLP_CONTENT_TYPE "\r\n" \
  "otlp-profiles-development-version: 1\r\n"

#define TRACE_ID_SIZE 16
#define SPAN_ID_SIZE 8
#define PROFILE_ID_SIZE 16

enum export_request_field { REQUEST_RESOURCE_PROFILES = 1, REQUEST_DICTIONARY = 2 };
enum export_response_field { RESPONSE_PARTIAL_SUCCESS = 1 };
enum partial_success_field { PARTIAL_REJECTED_PROFILES = 1, PARTIAL_ERROR_MESSAGE = 2 };

/* The tables of the dictionary. In each of them, the item with index 0 means "none". */
enum dictionary_field {
  MAPPING_TABLE = 1,
  LOCATION_TABLE = 2,
  FUNCTION_TABLE = 3,
  LINK_TABLE = 4,
  STRING_TABLE = 5,
  ATTRIBUTE_TABLE = 6,
  STACK_TABLE = 7,
  DICTIONARY_FIELDS_END
};

enum resource_profiles_field { RESOURCE_PROFILES_RESOURCE = 1, RESOURCE_PROFILES_SCOPES = 2 };
enum scope_profiles_field { SCOPE_PROFILES_SCOPE = 1, SCOPE_PROFILES_PROFILES = 2 };

enum profile_field {
  PROFILE_SAMPLE_TYPE = 1,
  PROFILE_SAMPLES = 2,
  PROFILE_TIME_UNIX_NANO = 3,
  PROFILE_DURATION_NANO = 4,
  PROFILE_PERIOD_TYPE = 5,
  PROFILE_PERIOD = 6,
  PROFILE_PROFILE_ID = 7
};

enum value_type_field { VALUE_TYPE_TYPE = 1, VALUE_TYPE_UNIT = 2 };

enum sample_field {
  SAMPLE_STACK = 1,
  SAMPLE_ATTRIBUTES = 2,
  SAMPLE_LINK = 3,
  SAMPLE_TIMESTAMPS = 5
};

enum mapping_field {
  MAPPING_MEMORY_START = 1,
  MAPPING_MEMORY_LIMIT = 2,
  MAPPING_FILE_OFFSET = 3,
  MAPPING_FILENAME = 4,
  MAPPING_ATTRIBUTES = 5
};

enum stack_field { STACK_LOCATIONS = 1 };

enum location_field {
  LOCATION_MAPPING = 1,
  LOCATION_ADDRESS = 2,
  LOCATION_LINES = 3,
  LOCATION_ATTRIBUTES = 4
};

enum line_field { LINE_FUNCTION = 1 };
enum function_field { FUNCTION_NAME = 1 };
enum link_field { LINK_TRACE_ID = 1, LINK_SPAN_ID = 2 };
enum key_value_and_unit_field { ATTRIBUTE_KEY = 1, ATTRIBUTE_VALUE = 2 };

/* Package opentelemetry.proto.common.v1 and opentelemetry.proto.resource.v1. */
enum resource_field { RESOURCE_ATTRIBUTES = 1 };
enum scope_field { SCOPE_NAME = 1 };
enum key_value_field { KEY_VALUE_KEY = 1, KEY_VALUE_VALUE = 2 };
enum any_value_field { ANY_VALUE_STRING = 1, ANY_VALUE_INT = 3 };

#define ATTRIBUTE_SERVICE_NAME "service.name"
#define ATTRIBUTE_HOST_ID "host.id"
#define ATTRIBUTE_PROCESS_PID "process.pid"
#define ATTRIBUTE_EXECUTABLE_NAME "process.executable.name"
#define ATTRIBUTE_EXECUTABLE_PATH "process.executable.path"
#define ATTRIBUTE_BUILD_ID "process.executable.build_id.gnu"
#define ATTRIBUTE_FRAME_TYPE "profile.frame.type"
#define ATTRIBUTE_THREAD_ID "thread.id"
#define ATTRIBUTE_THREAD_NAME "thread.name"

#endif
