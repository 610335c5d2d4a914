/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#ifndef OLDEST_GLIBC_H
#define OLDEST_GLIBC_H

#include <pthread.h>

/*
 * glibc 2.34 gave these functions a newer version when it moved them from libpthread to libc. The
 * older version exists in both.
 */
#if defined(__x86_64__)
#define PC_OLDEST_GLIBC "GLIBC_2.2.5"
#else
#define PC_OLDEST_GLIBC "GLIBC_2.17"
#endif
#ifdef __GLIBC__
__asm__(".symver pthread_key_create, pthread_key_create@" PC_OLDEST_GLIBC);
__asm__(".symver pthread_getspecific, pthread_getspecific@" PC_OLDEST_GLIBC);
__asm__(".symver pthread_setspecific, pthread_setspecific@" PC_OLDEST_GLIBC);
__asm__(".symver pthread_once, pthread_once@" PC_OLDEST_GLIBC);
#endif

#endif
