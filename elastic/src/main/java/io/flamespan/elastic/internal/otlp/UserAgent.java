/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.elastic.internal.otlp;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.sdk.resources.Resource;
import java.io.IOException;
import java.io.InputStream;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/**
 * The value of the {@code User-Agent} header according to Elastic's transport specification,
 * section "User-Agent", followed by the product of the OTLP exporters: OpenTelemetry's
 * specification allows other products before it.
 */
final class UserAgent {
  static final String HEADER = "User-Agent";

  private static final String PRODUCT = "flamespan";
  private static final String EXPORTER = "OTel-OTLP-Exporter-Java";
  private static final String NOT_SET = "unknown_service:java"; // the SDK's default

  private static final AttributeKey<String> SERVICE_NAME = AttributeKey.stringKey("service.name");
  private static final AttributeKey<String> SERVICE_VERSION =
      AttributeKey.stringKey("service.version");
  private static final AttributeKey<String> SDK_VERSION =
      AttributeKey.stringKey("telemetry.sdk.version");

  private UserAgent() {}

  static String of(Resource resource) {
    StringBuilder value = new StringBuilder(PRODUCT);
    append(value, "/", version());
    String name = resource.getAttribute(SERVICE_NAME);
    if (name != null && !name.isEmpty() && !name.equals(NOT_SET)) {
      String version = resource.getAttribute(SERVICE_VERSION);
      boolean versioned = version != null && !version.isEmpty();
      value.append(" (").append(comment(versioned ? name + " " + version : name)).append(')');
    }
    value.append(' ').append(EXPORTER);
    append(value, "/", resource.getAttribute(SDK_VERSION));
    return value.toString();
  }

  /** Reads the version from a file, because class loaders of extensions hide a jar's manifest. */
  private static @Nullable String version() {
    try (InputStream file = UserAgent.class.getResourceAsStream("version.properties")) {
      Properties properties = new Properties();
      if (file != null) {
        properties.load(file);
      }
      return properties.getProperty("version");
    } catch (IOException e) {
      return null;
    }
  }

  private static void append(StringBuilder value, String separator, @Nullable String version) {
    if (version != null && !version.isEmpty()) {
      value.append(separator).append(version);
    }
  }

  /** Replaces the characters that a comment of this header must not contain (RFC 9110, 5.6.5). */
  private static String comment(String text) {
    StringBuilder comment = new StringBuilder(text.length());
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      boolean allowed = c >= ' ' && c <= '~' && c != '(' && c != ')' && c != '\\';
      comment.append(allowed ? c : '_');
    }
    return comment.toString();
  }
}
