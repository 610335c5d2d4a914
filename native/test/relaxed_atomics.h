/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/*
 * Included before a source, takes the order from its atomic loads and stores. ThreadSanitizer has to
 * report that: otherwise it would not see an order that is missing.
 */
#include <stdatomic.h>

#undef atomic_load
#undef atomic_store
#define atomic_load(from) atomic_load_explicit(from, memory_order_relaxed)
#define atomic_store(to, value) atomic_store_explicit(to, value, memory_order_relaxed)
