/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#include <jni.h>

#include "tls_descriptor.h"

/*
 * A library of its own: a profiler would take one that has this symbol and those of the other
 * protocol for both at once, and static thread-local storage, of which there is little, would have
 * to hold both.
 *
 * The JVM finds these functions by their names.
 */

/* OTEP 4947, section "Thread-Local Variable": null, or pointing to a complete thread context. */
_Thread_local void *otel_thread_ctx_v1 = NULL;

/* A profiler interrupts this thread, so only the compiler could reorder context and pointer. */
static void point_to(void *context) {
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  *(void *volatile *)&otel_thread_ctx_v1 = context;
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
}

JNIEXPORT jlong JNICALL
Java_io_otelprofiling_correlation_internal_nativelib_ThreadContextLibrary_pointTo0(JNIEnv *env,
                                                                                   jclass type) {
  (void)env, (void)type;
  return (jlong)(intptr_t)point_to;
}

JNIEXPORT jboolean JNICALL
Java_io_otelprofiling_correlation_internal_nativelib_ThreadContextLibrary_isStatic0(JNIEnv *env,
                                                                                    jclass type) {
  (void)env, (void)type;
  return pc_tls_descriptor_is_static() ? JNI_TRUE : JNI_FALSE;
}
