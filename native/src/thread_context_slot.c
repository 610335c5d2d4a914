/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#include <jni.h>
#include <stdint.h>

#include "tls_descriptor.h"

/*
 * This is a separate library: a profiler would take one with this symbol and those of the other
 * protocol for both at once, and static thread-local storage, which is scarce, would have to hold
 * both.
 *
 * The JVM finds these functions by their names.
 */

/* OTEP 4947, section "Thread-Local Variable": null, or a pointer to a complete thread context. */
_Thread_local void *otel_thread_ctx_v1 = NULL;

static void **slot(void) { return &otel_thread_ctx_v1; }

JNIEXPORT jlong JNICALL
Java_io_flamespan_correlation_internal_nativelib_ThreadContextLibrary_slot0(JNIEnv *env,
                                                                                jclass type) {
  (void)env, (void)type;
  return (jlong)(intptr_t)slot;
}

JNIEXPORT jboolean JNICALL
Java_io_flamespan_correlation_internal_nativelib_ThreadContextLibrary_isStatic0(JNIEnv *env,
                                                                                    jclass type) {
  (void)env, (void)type;
  return pc_tls_descriptor_is_static() ? JNI_TRUE : JNI_FALSE;
}
