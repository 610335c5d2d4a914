/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/** What profilers find in this process: the socket, the libraries, and what those say of it. */
package io.flamespan.correlation.internal.publication;
