/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * Leads from each span to its local root span, through the trace state, and from ids to local root
 * spans. Any thread may call it.
 */
package io.flamespan.correlation.internal.localroot;
