/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.doctor.internal.check;

import static io.otelprofiling.doctor.internal.check.Words.check;

import io.otelprofiling.doctor.internal.reader.StatusBlock;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** The checks of the status that the plug-in publishes in its memory. */
final class StatusRules {
  static final Section STATUS =
      new Section(
          "Reported by the plug-in",
          check("inside.state", s -> s.status)
              .when("off", status -> !status.isRunning())
              .when("waiting", is("state", "waiting")),
          check("inside.off", s -> known(s, false)).when("stopped", is("reason", "")),
          running("inside.trouble").when("some", is("trouble", "").negate()),
          check("inside.settings", s -> known(s, true).map(StatusRules::settings)),
          running("inside.sdks").when("refused", isPositive("sdks.refused")),
          running("inside.messages")
              .when("invalid", s -> valid(s) == 0 && s.number("messages.invalid") > 0)
              .when("none", s -> valid(s) == 0)
              .when("unknown", StatusRules::isOftenUnknown),
          running("inside.exporters").when("none", is("processors", "0")),
          running("inside.spans")
              .when("no-sdk", is("tracker", "0"))
              .when("none", is("spans.seen", "0"))
              .when("sampler", is("sampler.replaced", "1"))
              .when("lost", isPositive("spans.lost"))
              .when("early", isPositive("spans.released.early")),
          running("inside.context-storage")
              .when("problem", is("context.storage.problem", "").negate()),
          running("inside.virtual-threads")
              .when("disabled", s -> s.text("virtual.threads").startsWith("disabled")),
          running("inside.contexts")
              .when("another", s -> s.text("process.context").contains("another")));

  private static Check<StatusBlock> running(String id) {
    return check(id, s -> known(s, true));
  }

  private static Predicate<StatusBlock> is(String key, String value) {
    return status -> status.text(key).equals(value);
  }

  private static Predicate<StatusBlock> isPositive(String key) {
    return status -> status.number(key) > 0;
  }

  private static long valid(StatusBlock status) {
    return status.number("messages.registration") + status.number("messages.correlation");
  }

  private static boolean isOftenUnknown(StatusBlock status) {
    long all = status.number("messages.correlation");
    return all > 100 && status.number("messages.unknown") * 10 > all;
  }

  /** Returns the settings that are not the defaults. */
  private static String settings(StatusBlock status) {
    String settings =
        status.entries().entrySet().stream()
            .filter(entry -> entry.getKey().startsWith("setting."))
            .filter(entry -> !entry.getValue().endsWith("(default)"))
            .map(entry -> entry.getKey().substring("setting.".length()) + "=" + entry.getValue())
            .collect(Collectors.joining(", "));
    return settings.isEmpty() ? "all have their defaults" : settings;
  }

  /** Returns the status of a plug-in that runs, or that does not; inside.state says the rest. */
  private static Evidence<StatusBlock> known(Subject subject, boolean isRunning) {
    StatusBlock status = subject.status.value;
    boolean isSo = status != null && status.isRunning() == isRunning;
    return isSo ? subject.status : Evidence.none("");
  }

  private StatusRules() {}
}
