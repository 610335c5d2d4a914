/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * What Java lacks of the operating system: private directories, mappings of the process, and the
 * names of errors. Any thread may call it.
 */
package io.flamespan.correlation.internal.posix;
