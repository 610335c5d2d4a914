/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/* The symbol that symbol_test looks up, in a library with one kind of hash table. */
_Thread_local void *DEFINED_NAME;
int not_thread_local;

#define FUNCTION_OF(name) function_##name
#define FUNCTION(name) FUNCTION_OF(name)

int FUNCTION(DEFINED_NAME)(void) {
  return not_thread_local;
}
