/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.page.input;

import io.opentelemetry.proto.profiles.v1development.ProfilesData;
import io.opentelemetry.proto.trace.v1.TracesData;

/** Receives the messages of all files in their order. */
public interface Messages {
  void traces(TracesData traces, String where);

  void profiles(ProfilesData profiles, String where);
}
