/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#include "thread_context.h"

#include <string.h>

static pc_thread_context_slot *used_slot;

void pc_thread_context_use(pc_thread_context_slot *slot) {
  __atomic_store_n(&used_slot, slot, __ATOMIC_RELEASE);
}

int pc_thread_context_is_used(void) {
  return __atomic_load_n(&used_slot, __ATOMIC_ACQUIRE) != NULL;
}

void **pc_thread_context_pointer(void) {
  pc_thread_context_slot *slot = __atomic_load_n(&used_slot, __ATOMIC_ACQUIRE);
  return slot == NULL ? NULL : slot();
}

/* A profiler interrupts this thread, so only the compiler could reorder context and pointer. */
void pc_thread_context_point_to(pc_thread_context *context) {
  void **pointer = pc_thread_context_pointer();
  if (pointer != NULL) {
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    *(void *volatile *)pointer = context;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
  }
}

void pc_thread_context_hide(pc_thread_context *context) {
  *(volatile uint8_t *)&context->valid = 0;
}

void pc_thread_context_reset(pc_thread_context *context) {
  pc_thread_context_hide(context);
  /* A profiler interrupts this thread, so only the compiler could reorder the stores. */
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  memset(context, 0, sizeof(*context));
}
