/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/*
 * Reads the lines that the option --records wrote. Prints the number of lines, of torn records, and
 * of malformed lines: verify_records [elastic|otel|both] < FILE
 */
#include <stdio.h>
#include <stdlib.h>

#include "related_ids.h"

#define RECORD_LIMIT 512

struct record {
  unsigned char bytes[RECORD_LIMIT];
  size_t size; /* 0: "-" */
};

enum verdict { SOUND, TORN, MALFORMED };

static bool read_record(struct record *record) {
  char text[2 * RECORD_LIMIT + 1];
  unsigned byte;
  record->size = 0;
  if (scanf("%1024s", text) != 1) {
    return false;
  }
  if (strcmp(text, "-") == 0) {
    return true;
  }
  while (sscanf(text + 2 * record->size, "%2x", &byte) == 1) {
    record->bytes[record->size++] = (unsigned char)byte;
  }
  return strlen(text) == 2 * record->size;
}

static enum verdict elastic_verdict(const struct record *record) {
  if (record->size != 37 || record->bytes[4] != 1) {
    return MALFORMED;
  }
  return are_related(record->bytes + 5) ? SOUND : TORN;
}

static bool shows_elastic(const struct record *record) {
  return record->size > 3 && record->bytes[2] != 0 && record->bytes[3] == 1;
}

/* The attribute "number" occurs twice. The first value is wrong; the last 16 bytes are right. */
static enum verdict otel_verdict(const struct record *record) {
  struct related_ids expected;
  char number[17];
  uint16_t size = 0;
  memcpy(&size, record->bytes + 26, sizeof size);
  if (record->size != 28 + 11 + 18 || size != 11 + 18 || record->bytes[25] != 1) {
    return MALFORMED;
  }
  uint64_t trace_id;
  memcpy(&trace_id, record->bytes, sizeof trace_id);
  expected = related_ids(trace_id);
  snprintf(number, sizeof number, "%016llx", (unsigned long long)trace_id);
  bool sound = memcmp(record->bytes, &expected, 24) == 0 &&
               memcmp(record->bytes + record->size - 16, number, 16) == 0;
  return sound ? SOUND : TORN;
}

static bool shows_otel(const struct record *record) {
  static const unsigned char none[16];
  return record->size >= 28 && record->bytes[24] == 1 && memcmp(record->bytes, none, 16) != 0;
}

int main(int argc, char **argv) {
  const char *protocol = argc > 1 ? argv[1] : "elastic";
  bool elastic = strcmp(protocol, "otel") != 0, otel = strcmp(protocol, "elastic") != 0;
  long tid, lines = 0, torn = 0, malformed = 0;
  while (scanf("%ld", &tid) == 1) {
    struct record of_elastic = {0}, of_otel = {0};
    enum verdict verdict = SOUND;
    bool complete = (!elastic || read_record(&of_elastic)) && (!otel || read_record(&of_otel));
    bool shown = shows_elastic(&of_elastic) || shows_otel(&of_otel);
    if (shows_elastic(&of_elastic)) {
      verdict = elastic_verdict(&of_elastic);
    }
    if (shows_otel(&of_otel) && verdict == SOUND) {
      verdict = otel_verdict(&of_otel);
    }
    lines++;
    malformed += !complete || !shown || tid <= 0 || verdict == MALFORMED;
    torn += verdict == TORN;
  }
  printf("lines=%ld\ntorn=%ld\nmalformed=%ld\n", lines, torn, malformed);
  return EXIT_SUCCESS;
}
