/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#ifndef DEFERRED_SIGNAL_H
#define DEFERRED_SIGNAL_H

/*
 * Lets the handlers of all other signals end before this signal is delivered. A profiler that
 * interrupts another handler finds no callers: no walk leads from there to the code that both have
 * interrupted. Changes only their masks, because a handler of ours would run in each sample.
 * Handlers that are installed later need another call. Returns 0 or an errno.
 */
int pc_defer_to_handlers(int signal);

#endif
