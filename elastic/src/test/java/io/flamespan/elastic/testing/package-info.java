/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/** What tests use in several packages. */
package io.flamespan.elastic.testing;
