/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#ifndef DELIVERY_H
#define DELIVERY_H

/*
 * Runs the thread that delivers the batches of an exporter. It encodes, connects and waits in place
 * of the sampling thread, so that a slow or silent receiver does not delay samples.
 */
void *delivery_run(void *exporter);

#endif
