/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * How a span looks with its stack trace ids, and how span processors are wrapped, once each, even
 * before it is known which plug-in will serve them. Any thread may call it.
 */
package io.flamespan.correlation.internal.wrapping;
