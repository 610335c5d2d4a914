/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <jni.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "check.h"
#include "profiling_correlation.h"

/*
 * Loads the library that is put into the jar, with own functions in place of the JVM's, and reads
 * what it shows as a profiler does: by the file's relocations and the thread pointer. The second
 * argument says whether libc is expected to make that possible: static or dynamic.
 */

#if defined(__x86_64__)
#define TLSDESC R_X86_64_TLSDESC
#else
#define TLSDESC R_AARCH64_TLSDESC
#endif
#define TLS_SYMBOL "elastic_apm_profiling_correlation_tls_v1"

/* The JVM, as far as JNI_OnLoad and two of the methods need one. */

static const jbyte storage[] = {1, 0, 4, 0, 0, 0, 's', 'h', 'o', 'p'};
static const JNINativeMethod *methods;
static jint method_count;
static int something; /* whose address is any object's */

static jclass JNICALL find_class(JNIEnv *env, const char *name) {
  (void)env;
  return strstr(name, "NativeBridge") != NULL ? (jclass)&something : NULL;
}

static jfieldID JNICALL get_static_field_id(JNIEnv *env, jclass type, const char *name,
                                            const char *signature) {
  (void)env, (void)type;
  CHECK(strcmp(name, "initialProcessStorage") == 0 && strcmp(signature, "[B") == 0);
  return (jfieldID)&something;
}

static jobject JNICALL get_static_object_field(JNIEnv *env, jclass type, jfieldID field) {
  (void)env, (void)type, (void)field;
  return (jobject)&something;
}

static jsize JNICALL get_array_length(JNIEnv *env, jarray array) {
  (void)env, (void)array;
  return sizeof(storage);
}

static void JNICALL get_byte_array_region(JNIEnv *env, jbyteArray array, jsize start, jsize length,
                                          jbyte *to) {
  (void)env, (void)array;
  memcpy(to, storage + start, (size_t)length);
}

static jboolean JNICALL exception_check(JNIEnv *env) {
  (void)env;
  return JNI_FALSE;
}

static jint JNICALL register_natives(JNIEnv *env, jclass type, const JNINativeMethod *registered,
                                     jint count) {
  (void)env, (void)type;
  methods = registered;
  method_count = count;
  return 0;
}

static jobject JNICALL new_direct_byte_buffer(JNIEnv *env, void *address, jlong capacity) {
  (void)env;
  CHECK(capacity == sizeof(pc_thread_record));
  return address;
}

static const struct JNINativeInterface_ jni = {
    .FindClass = find_class,
    .GetStaticFieldID = get_static_field_id,
    .GetStaticObjectField = get_static_object_field,
    .GetArrayLength = get_array_length,
    .GetByteArrayRegion = get_byte_array_region,
    .ExceptionCheck = exception_check,
    .RegisterNatives = register_natives,
    .NewDirectByteBuffer = new_direct_byte_buffer,
};
static JNIEnv env = &jni;

static jint JNICALL get_env(JavaVM *vm, void **result, jint version) {
  (void)vm, (void)version;
  *result = &env;
  return JNI_OK;
}

static const struct JNIInvokeInterface_ invocation = {.GetEnv = get_env};
static JavaVM vm = &invocation;

static void *method(const char *name) {
  for (jint i = 0; i < method_count; i++) {
    if (strcmp(methods[i].name, name) == 0) {
      return methods[i].fnPtr;
    }
  }
  CHECK(!"method");
  return NULL;
}

/* The profiler. */

static const uint8_t *descriptor; /* of the thread-local pointer, two words */

static uintptr_t thread_pointer(void) {
  uintptr_t value;
#if defined(__x86_64__)
  __asm__("mov %%fs:0, %0" : "=r"(value));
#else
  __asm__("mrs %0, tpidr_el0" : "=r"(value));
#endif
  return value;
}

static void *computed_address(void) {
  uintptr_t offset;
  memcpy(&offset, descriptor + sizeof(offset), sizeof(offset));
  return (void *)(thread_pointer() + offset);
}

static Elf64_Addr descriptor_offset(const char *path) {
  int file = open(path, O_RDONLY);
  struct stat status;
  CHECK(file >= 0 && fstat(file, &status) == 0);
  const uint8_t *elf = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, file, 0);
  CHECK(elf != MAP_FAILED);
  const Elf64_Ehdr *header = (const Elf64_Ehdr *)elf;
  const Elf64_Shdr *sections = (const Elf64_Shdr *)(elf + header->e_shoff);
  for (int i = 0; i < header->e_shnum; i++) {
    const Elf64_Shdr *section = &sections[i];
    if (section->sh_type != SHT_RELA || section->sh_link == 0) {
      continue;
    }
    const Elf64_Shdr *table = &sections[section->sh_link];
    const Elf64_Sym *symbols = (const Elf64_Sym *)(elf + table->sh_offset);
    const char *names = (const char *)elf + sections[table->sh_link].sh_offset;
    const Elf64_Rela *entries = (const Elf64_Rela *)(elf + section->sh_offset);
    for (size_t j = 0; j < section->sh_size / sizeof(Elf64_Rela); j++) {
      const char *name = names + symbols[ELF64_R_SYM(entries[j].r_info)].st_name;
      if (ELF64_R_TYPE(entries[j].r_info) == TLSDESC && strcmp(name, TLS_SYMBOL) == 0) {
        return entries[j].r_offset;
      }
    }
  }
  CHECK(!"TLSDESC relocation");
  return 0;
}

/* What a thread shows, before and after the library's function made it show something. */

static void *library;
static int expected_static;
static pthread_barrier_t loaded;

static void *show_and_read(void *first_byte) {
  void **pointer = dlsym(library, TLS_SYMBOL);
  CHECK(pointer != NULL && *pointer == NULL);
  jobject(JNICALL * thread_record)(JNIEnv *, jclass) = method("threadRecord0");
  uint8_t *record = (uint8_t *)thread_record(&env, NULL);
  CHECK(*pointer == record);
  static const uint8_t no_trace[sizeof(pc_thread_record)] = {1, 0, 1};
  CHECK(memcmp(record, no_trace, sizeof(no_trace)) == 0);
  uint8_t expected[sizeof(pc_thread_record)];
  for (size_t i = 0; i < sizeof(expected); i++) {
    record[i] = expected[i] = (uint8_t)((uintptr_t)first_byte + i);
  }
  if (expected_static) {
    CHECK(computed_address() == pointer);
    const uint8_t *seen = *(const uint8_t *volatile *)computed_address();
    CHECK(memcmp(seen, expected, sizeof(expected)) == 0);
  } else {
    CHECK(computed_address() != pointer);
  }
  jboolean(JNICALL * is_static)(JNIEnv *, jclass) = method("tlsDescriptorIsStatic0");
  CHECK(is_static(&env, NULL) == expected_static);
  return NULL;
}

static void *show_and_read_when_loaded(void *first_byte) {
  pthread_barrier_wait(&loaded);
  return show_and_read(first_byte);
}

static void load(const char *path) {
  library = dlopen(path, RTLD_LAZY);
  if (library == NULL) {
    fprintf(stderr, "%s\n", dlerror());
    exit(1);
  }
  void **shown = dlsym(library, "elastic_apm_profiling_correlation_process_storage_v1");
  CHECK(shown != NULL && *shown == NULL);
  jint(JNICALL * on_load)(JavaVM *, void *) = dlsym(library, "JNI_OnLoad");
  CHECK(on_load != NULL && on_load(&vm, NULL) == JNI_VERSION_1_8);
  CHECK(*shown != NULL && memcmp(*shown, storage, sizeof(storage)) == 0);
  Dl_info info;
  CHECK(dladdr(on_load, &info) != 0);
  descriptor = (const uint8_t *)info.dli_fbase + descriptor_offset(path);
}

int main(int count, char **arguments) {
  CHECK(count == 3);
  expected_static = strcmp(arguments[2], "static") == 0;
  pthread_t earlier, later;
  CHECK(pthread_barrier_init(&loaded, NULL, 2) == 0);
  CHECK(pthread_create(&earlier, NULL, show_and_read_when_loaded, (void *)1) == 0);
  load(arguments[1]);
  pthread_barrier_wait(&loaded);
  CHECK(pthread_create(&later, NULL, show_and_read, (void *)2) == 0);
  show_and_read((void *)3);
  CHECK(pthread_join(earlier, NULL) == 0 && pthread_join(later, NULL) == 0);
  printf("load_test: 1 passed, TLS descriptor %s\n", arguments[2]);
  return 0;
}
