/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.examples.flamegraphs.input;

import io.opentelemetry.proto.profiles.v1development.ProfilesData;
import io.opentelemetry.proto.trace.v1.TracesData;

/** Takes the messages of all files, in the order in which they stand there. */
public interface Messages {
  void traces(TracesData traces, IdForm ids, String where);

  void profiles(ProfilesData profiles, IdForm ids, String where);
}
