/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#include <dlfcn.h>
#include <stdio.h>

#include "check.h"
#include "loaded_symbol.h"

/* The arguments are pairs of a library and the name of its thread-local symbol. */
int main(int count, char **arguments) {
  CHECK(count > 1 && count % 2 == 1);
  char function[64];
  for (int i = 1; i < count; i += 2) {
    const char *name = arguments[i + 1];
    CHECK(!pc_thread_local_symbol_is_defined(name));
    void *library = dlopen(arguments[i], RTLD_NOW | RTLD_LOCAL);
    CHECK(library != NULL && dlsym(library, name) != NULL);
    CHECK(dlsym(library, "not_thread_local") != NULL);
    CHECK(pc_thread_local_symbol_is_defined(name));
    CHECK(pc_loaded_function(name) == NULL);
    snprintf(function, sizeof(function), "function_%s", name);
    CHECK(pc_loaded_function(function) == dlsym(library, function));
    CHECK(!pc_thread_local_symbol_is_defined(function));
    CHECK(pc_loaded_function_beside(function, dlsym(library, "not_thread_local")) ==
          dlsym(library, function));
    CHECK(pc_loaded_function_beside(function, arguments) == NULL);
  }
  CHECK(pc_loaded_function("not_thread_local") == NULL);
  CHECK(pc_loaded_function("pc_bridge_attach") == NULL);
  CHECK(!pc_thread_local_symbol_is_defined("not_thread_local"));
  CHECK(!pc_thread_local_symbol_is_defined("otel_thread_ctx_v1"));
  CHECK(!pc_thread_local_symbol_is_defined(""));
  puts("symbol_test: 1 passed");
  return 0;
}
