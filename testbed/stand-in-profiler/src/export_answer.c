/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#include "export_answer.h"

#include <inttypes.h>

#include "otlp_profiles.h"
#include "protobuf.h"

static const char *advice(int status) {
  switch (status) {
    case 404: return ": does the receiver accept profiles at this path? A collector needs the "
                     "feature gate service.profilesSupport, and a pipeline of profiles";
    case 413: return ": raise the receiver's request size limit above 10 MiB";
    case 415: return ": the receiver must accept " OTLP_CONTENT_TYPE;
    default: return "";
  }
}

/* Reads an ExportProfilesServiceResponse. A body that is not one, or malformed, rejects nothing. */
static uint64_t rejected(const struct http_answer *answer, struct reason *reason) {
  struct protobuf response = {.at = answer->body, .left = answer->body_size};
  struct protobuf_field part, detail;
  uint64_t profiles = 0;
  struct protobuf message = {0};
  while (protobuf_next(&response, &part)) {
    if (part.number != RESPONSE_PARTIAL_SUCCESS || !part.has_bytes) {
      continue;
    }
    while (protobuf_next(&part.bytes, &detail)) {
      if (detail.number == PARTIAL_REJECTED_PROFILES && !detail.has_bytes) {
        profiles = detail.value;
      } else if (detail.number == PARTIAL_ERROR_MESSAGE && detail.has_bytes) {
        message = detail.bytes;
      }
    }
  }
  because(reason, "the receiver rejected %" PRIu64 " profiles: %.*s", profiles, (int)message.left,
          message.left == 0 ? "" : (const char *)message.at);
  return profiles;
}

enum export_result export_answer_judge(const struct http_answer *answer,
                                       uint64_t *rejected_profiles, struct reason *reason) {
  int status = answer->status;
  if (status / 100 == 2) {
    *rejected_profiles = rejected(answer, reason);
    return *rejected_profiles == 0 ? EXPORT_DONE : EXPORT_REFUSED;
  }
  because(reason, "the answer is \"%d %s\"%s", status, answer->reason, advice(status));
  /* The four status codes that OTLP declares retryable. */
  return status == 429 || status == 502 || status == 503 || status == 504 ? EXPORT_AGAIN
                                                                          : EXPORT_REFUSED;
}
