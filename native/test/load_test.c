/*
 * Copyright The Flamespan Authors
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
#include "thread_record.h"

/*
 * Loads the libraries that go into the jar, with stubs in place of the JVM's functions, and reads
 * what they show as a profiler does: through the relocations in the files and the thread pointer.
 * The third argument says which kind of TLS descriptors libc is expected to provide: static or
 * dynamic.
 */

#if defined(__x86_64__)
#define TLSDESC R_X86_64_TLSDESC
#else
#define TLSDESC R_AARCH64_TLSDESC
#endif
#define CONTEXT_CLASS "Java_io_flamespan_correlation_internal_nativelib_ThreadContextLibrary_"

/* The parts of the JVM that JNI_OnLoad and two of the methods need. */

static const jbyte storage[] = {1, 0, 4, 0, 0, 0, 's', 'h', 'o', 'p'};
static const JNINativeMethod *methods;
static jint method_count;
static int something; /* its address stands in for any object */

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

static _Thread_local jlong last_capacity;

static jobject JNICALL new_direct_byte_buffer(JNIEnv *env, void *address, jlong capacity) {
  (void)env;
  last_capacity = capacity;
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

/* A library with a thread-local pointer. */
typedef struct {
  const char *symbol;
  void *handle;
  const uint8_t *descriptor; /* of the pointer, two words */
} pc_library;

static pc_library library = {.symbol = "elastic_apm_profiling_correlation_tls_v1"};
static pc_library context_library = {.symbol = "otel_thread_ctx_v1"};

static uintptr_t thread_pointer(void) {
  uintptr_t value;
#if defined(__x86_64__)
  __asm__("mov %%fs:0, %0" : "=r"(value));
#else
  __asm__("mrs %0, tpidr_el0" : "=r"(value));
#endif
  return value;
}

static void *computed_address(const pc_library *of) {
  uintptr_t offset;
  memcpy(&offset, of->descriptor + sizeof(offset), sizeof(offset));
  return (void *)(thread_pointer() + offset);
}

static Elf64_Addr descriptor_offset(const char *path, const char *symbol) {
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
      if (ELF64_R_TYPE(entries[j].r_info) == TLSDESC && strcmp(name, symbol) == 0) {
        return entries[j].r_offset;
      }
    }
  }
  CHECK(!"TLSDESC relocation");
  return 0;
}

static void open_library(pc_library *opened, const char *path) {
  opened->handle = dlopen(path, RTLD_LAZY | RTLD_LOCAL);
  if (opened->handle == NULL) {
    fprintf(stderr, "%s\n", dlerror());
    exit(1);
  }
}

static void find_descriptor(pc_library *opened, const char *path, void *function) {
  Dl_info info;
  CHECK(dladdr(function, &info) != 0);
  opened->descriptor =
      (const uint8_t *)info.dli_fbase + descriptor_offset(path, opened->symbol);
}

/* Compares what a thread shows before and after the library's functions are called. */

static int expected_static;
static pthread_barrier_t loaded;

/* Fills the record of the calling thread, and looks for it where a profiler does. */
static void check_shown(const pc_library *by, uint8_t *memory, size_t size, uint8_t first_byte) {
  void **pointer = dlsym(by->handle, by->symbol);
  CHECK(pointer != NULL && *pointer == memory);
  for (size_t i = 0; i < size; i++) {
    memory[i] = (uint8_t)(first_byte + i);
  }
  if (!expected_static) {
    CHECK(computed_address(by) != pointer);
    return;
  }
  CHECK(computed_address(by) == pointer);
  const uint8_t *seen = *(const uint8_t *volatile *)computed_address(by);
  for (size_t i = 0; i < size; i++) {
    CHECK(seen[i] == (uint8_t)(first_byte + i));
  }
}

static void check_record(uint8_t first_byte) {
  void **pointer = dlsym(library.handle, library.symbol);
  CHECK(pointer != NULL && *pointer == NULL);
  jobject(JNICALL * thread_record)(JNIEnv *, jclass) = method("threadRecord0");
  uint8_t *record = (uint8_t *)thread_record(&env, NULL);
  CHECK(last_capacity == sizeof(pc_thread_record));
  static const uint8_t no_trace[sizeof(pc_thread_record)] = {1, 0, 1};
  CHECK(memcmp(record, no_trace, sizeof(no_trace)) == 0);
  check_shown(&library, record, sizeof(no_trace), first_byte);
}

static void check_context(uint8_t first_byte) {
  void **pointer = dlsym(context_library.handle, context_library.symbol);
  CHECK(pointer != NULL && *pointer == NULL);
  jboolean with_attributes = first_byte % 2 == 0;
  jlong(JNICALL * thread_records)(JNIEnv *, jclass, jboolean) = method("threadRecords0");
  jlong address = thread_records(&env, NULL, with_attributes);
  jint(JNICALL * context_size)(JNIEnv *, jclass, jlong) = method("threadContextSize0");
  CHECK(context_size(&env, NULL, address) == (with_attributes ? 288 : 32));
  uint8_t *record = (uint8_t *)(intptr_t)address, *first = record + 37;
  uint8_t *second = first + context_size(&env, NULL, address);
  CHECK(first[24] == 0 && second[24] == 0);
  jobject(JNICALL * around)(JNIEnv *, jclass, jlong) = method("recordsAround0");
  uint8_t *memory = (uint8_t *)around(&env, NULL, address);
  CHECK((uintptr_t)memory % 8 == 0 && memory < record);
  CHECK(record + 37 + 2 * (second - first) <= memory + last_capacity);
  check_shown(&library, record, 37, first_byte);
  check_shown(&context_library, first, (size_t)(second - first), first_byte);

  jobject(JNICALL * own_pointer)(JNIEnv *, jclass) = method("threadContextPointer0");
  CHECK(pointer == (void **)own_pointer(&env, NULL) && last_capacity == sizeof(*pointer));
  *pointer = second;
  check_shown(&context_library, second, (size_t)(second - first), (uint8_t)(first_byte + 1));
}

static void *show_and_read(void *first_byte) {
  check_record((uint8_t)(uintptr_t)first_byte);
  check_context((uint8_t)(uintptr_t)first_byte);
  return NULL;
}

static void *show_and_read_when_loaded(void *first_byte) {
  pthread_barrier_wait(&loaded);
  return show_and_read(first_byte);
}

static void load(const char *path) {
  open_library(&library, path);
  void **shown = dlsym(library.handle, "elastic_apm_profiling_correlation_process_storage_v1");
  CHECK(shown != NULL && *shown == NULL);
  jint(JNICALL * on_load)(JavaVM *, void *) = dlsym(library.handle, "JNI_OnLoad");
  CHECK(on_load != NULL && on_load(&vm, NULL) == JNI_VERSION_1_8);
  CHECK(*shown != NULL && memcmp(*shown, storage, sizeof(storage)) == 0);
  find_descriptor(&library, path, (void *)on_load);
  jboolean(JNICALL * is_static)(JNIEnv *, jclass) = method("tlsDescriptorIsStatic0");
  CHECK(is_static(&env, NULL) == expected_static);
}

static void load_context(const char *path) {
  jboolean(JNICALL * is_defined)(JNIEnv *, jclass) = method("definesThreadContext0");
  jboolean(JNICALL * is_used)(JNIEnv *, jclass) = method("hasThreadContext0");
  void (JNICALL * use)(JNIEnv *, jclass, jlong) = method("useThreadContext0");
  int is_preloaded = dlopen(path, RTLD_LAZY | RTLD_NOLOAD) != NULL;
  CHECK(is_defined(&env, NULL) == is_preloaded && !is_used(&env, NULL));
  open_library(&context_library, path);
  CHECK(is_defined(&env, NULL));
  jlong(JNICALL * slot)(JNIEnv *, jclass) =
      dlsym(context_library.handle, CONTEXT_CLASS "slot0");
  jboolean(JNICALL * is_static)(JNIEnv *, jclass) =
      dlsym(context_library.handle, CONTEXT_CLASS "isStatic0");
  CHECK(slot != NULL && is_static != NULL);
  use(&env, NULL, slot(&env, NULL));
  CHECK(is_used(&env, NULL));
  find_descriptor(&context_library, path, (void *)slot);
  CHECK(is_static(&env, NULL) == expected_static);
}

int main(int count, char **arguments) {
  CHECK(count == 4);
  expected_static = strcmp(arguments[3], "static") == 0;
  pthread_t earlier, later;
  CHECK(pthread_barrier_init(&loaded, NULL, 2) == 0);
  CHECK(pthread_create(&earlier, NULL, show_and_read_when_loaded, (void *)1) == 0);
  load(arguments[1]);
  load_context(arguments[2]);
  pthread_barrier_wait(&loaded);
  CHECK(pthread_create(&later, NULL, show_and_read, (void *)2) == 0);
  show_and_read((void *)3);
  CHECK(pthread_join(earlier, NULL) == 0 && pthread_join(later, NULL) == 0);
  printf("load_test: 1 passed, TLS descriptors %s\n", arguments[3]);
  return 0;
}
