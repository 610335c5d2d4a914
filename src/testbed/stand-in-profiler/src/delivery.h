/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#ifndef DELIVERY_H
#define DELIVERY_H

/*
 * Runs the thread that delivers the batches of an exporter. It encodes, connects and waits apart
 * from the thread that samples, so that neither a slow nor a silent receiver delays a sample.
 */
void *delivery_run(void *exporter);

#endif
