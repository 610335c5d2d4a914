/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#ifndef INTERRUPTED_CONTEXT_H
#define INTERRUPTED_CONTEXT_H

/*
 * The kernel delivers all pending signals of a thread at once, the highest number on top. So the
 * handler of a profiler often interrupts the first instruction of another handler, from which no
 * walk leads to the code that both have interrupted.
 */

/*
 * Makes the handler of a signal, which takes three arguments, see what was interrupted first. Must
 * be called again if somebody installs a handler of this signal anew. Returns 0 or an errno.
 */
int pc_see_through_handlers(int signal);

#endif
