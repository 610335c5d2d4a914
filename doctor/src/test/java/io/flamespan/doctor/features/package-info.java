/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/** Reports of the doctor about real processes, each with one known fault or none. */
package io.flamespan.doctor.features;
