/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#include "methods.h"

#include <jvmti.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static jvmtiEnv *jvmti;

/* An environment of its own: the one that follows mounts must not depend on this capability. */
static jvmtiEnv *environment(JNIEnv *env) {
  JavaVM *vm;
  if (jvmti == NULL && (*env)->GetJavaVM(env, &vm) == JNI_OK &&
      (*vm)->GetEnv(vm, (void **)&jvmti, JVMTI_VERSION_1_2) == JNI_OK) {
    jvmtiCapabilities capabilities;
    memset(&capabilities, 0, sizeof(capabilities));
    capabilities.can_get_line_numbers = 1;
    (void)(*jvmti)->AddCapabilities(jvmti, &capabilities);
  }
  return jvmti;
}

static void release(void *memory) {
  if (memory != NULL) {
    (*jvmti)->Deallocate(jvmti, memory);
  }
}

static jstring joined(JNIEnv *env, const char *class, const char *name) {
  size_t length = strlen(class);
  char *both = malloc(length + strlen(name) + 1);
  if (both == NULL) {
    return NULL;
  }
  memcpy(both, class, length);
  strcpy(both + length, name);
  jstring result = (*env)->NewStringUTF(env, both);
  free(both);
  return result;
}

jstring pc_method_name(JNIEnv *env, jlong method) {
  jmethodID id = (jmethodID)(intptr_t)method;
  jclass declaring;
  char *class = NULL;
  char *name = NULL;
  jstring result = NULL;
  if (environment(env) != NULL &&
      (*jvmti)->GetMethodDeclaringClass(jvmti, id, &declaring) == JVMTI_ERROR_NONE &&
      (*jvmti)->GetClassSignature(jvmti, declaring, &class, NULL) == JVMTI_ERROR_NONE &&
      (*jvmti)->GetMethodName(jvmti, id, &name, NULL, NULL) == JVMTI_ERROR_NONE) {
    result = joined(env, class, name);
  }
  release(class);
  release(name);
  return result;
}

jintArray pc_method_lines(JNIEnv *env, jlong method) {
  jint count;
  jvmtiLineNumberEntry *table;
  if (environment(env) == NULL ||
      (*jvmti)->GetLineNumberTable(jvmti, (jmethodID)(intptr_t)method, &count, &table) !=
          JVMTI_ERROR_NONE) {
    return NULL;
  }
  jintArray lines = (*env)->NewIntArray(env, 2 * count);
  for (jint i = 0; lines != NULL && i < count; i++) {
    jint pair[] = {(jint)table[i].start_location, table[i].line_number};
    (*env)->SetIntArrayRegion(env, lines, 2 * i, 2, pair);
  }
  release(table);
  return lines;
}
