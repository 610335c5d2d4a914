/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.doctor;

import io.flamespan.correlation.testing.FuzzCorpora;

class FuzzCorpusTest extends FuzzCorpora {}
