/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

/*
 * Uses up static thread-local storage, as some agents do. With -DEATER, this is a library that
 * needs a little of it. Otherwise it is a library to preload, which loads as many copies as EATERS
 * says, or as many as fit.
 */

#ifdef EATER

_Thread_local char eaten[32] __attribute__((tls_model("initial-exec")));

char *eat(void) { return eaten; }

#else

__attribute__((constructor)) static void eat_all(void) {
  const char *limit = getenv("EATERS");
  int count = 0;
  char path[4096];
  while (limit == NULL || count < atoi(limit)) {
    snprintf(path, sizeof(path), "%s/eater-%d.so", getenv("EATER_DIR"), count);
    if (dlopen(path, RTLD_NOW) == NULL) {
      break;
    }
    count++;
  }
  printf("eaten=%d\n", count);
  fflush(stdout);
}

#endif
