/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#ifndef SCHEDULING_H
#define SCHEDULING_H

/*
 * Asks for short time slices for the calling thread, which needs no right. From Linux 6.12 on, a
 * thread that wakes up then need not wait for the end of another one's slice, some milliseconds on
 * a busy CPU. Older kernels ignore it. Returns 0, or -1 if the kernel refused.
 */
int pc_prefer_short_slices(void);

/*
 * Has the calling thread run before all threads of normal priority, where the process has the right
 * to (CAP_SYS_NICE or RLIMIT_RTPRIO), until pc_end_urgent. To be used for the moment that it takes
 * to empty a queue, with no Java code inside. Returns 1 if it is urgent now, else 0.
 */
int pc_begin_urgent(void);
void pc_end_urgent(void);

#endif
