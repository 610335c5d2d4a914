/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/** Log lines of the other packages. Not for applications. */
package io.flamespan.elastic.internal.log;
