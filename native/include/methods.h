/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#ifndef METHODS_H
#define METHODS_H

#include <jni.h>

/* What frames are about. For one thread at a time. */

/*
 * Returns the descriptor of the declaring class and the name of a method, as in
 * "Ljava/lang/Object;wait", or NULL if its class was unloaded.
 */
jstring pc_method_name(JNIEnv *env, jlong method);

/* Returns pairs of a location and the line that begins there, or NULL if that is not known. */
jintArray pc_method_lines(JNIEnv *env, jlong method);

#endif
