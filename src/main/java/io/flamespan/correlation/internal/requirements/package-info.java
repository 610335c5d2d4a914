/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/** What every entry asks before it adds anything to an SDK. Any thread may ask. */
package io.flamespan.correlation.internal.requirements;
