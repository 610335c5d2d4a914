/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/*
 * Removes the ordering from the atomic loads and stores of the source that includes it.
 * ThreadSanitizer must report that; otherwise it would not detect missing ordering either.
 */
#include <stdatomic.h>

#undef atomic_load
#undef atomic_store
#define atomic_load(from) atomic_load_explicit(from, memory_order_relaxed)
#define atomic_store(to, value) atomic_store_explicit(to, value, memory_order_relaxed)
