/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/*
 * Reads lines "TID RECORD-IN-HEX" and prints how many there are, how many of them are torn, and how
 * many have another form: verify_records < FILE
 */
#include <stdio.h>
#include <stdlib.h>

#include "related_ids.h"

int main(void) {
  char text[128];
  long tid, lines = 0, torn = 0, malformed = 0;
  while (scanf("%ld %127s", &tid, text) == 2) {
    unsigned char record[37];
    size_t length = 0;
    unsigned byte;
    while (length < sizeof record && sscanf(text + 2 * length, "%2x", &byte) == 1) {
      record[length++] = (unsigned char)byte;
    }
    lines++;
    if (strlen(text) != 74 || length != sizeof record || tid <= 0 || record[2] == 0 ||
        record[3] != 1 || record[4] != 1) {
      malformed++;
    } else if (!are_related(record + 5)) {
      torn++;
    }
  }
  printf("lines=%ld\ntorn=%ld\nmalformed=%ld\n", lines, torn, malformed);
  return EXIT_SUCCESS;
}
