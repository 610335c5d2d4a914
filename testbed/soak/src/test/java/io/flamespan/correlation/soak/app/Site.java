/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.soak.app;

import java.util.Map;

/** The services that the server provides to each deployment. */
public record Site(
    Ledger ledger, Downstream downstream, StableTimes times, Map<String, String> settings) {}
