/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.protocol;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The keys of OpenTelemetry's thread context: how the process context describes them, and how the
 * attributes in the records are numbered.
 *
 * <p>Source: OTEP 4947, "Process context reference data".
 */
public final class OtelAttributeKeys {
  /** The attribute with the id of the local root span: 16 lower-case hexadecimal digits. */
  public static final String LOCAL_ROOT_SPAN_ID = "datadog.local_root_span_id";

  /** The attribute of the process context that says how a reader finds a thread's record. */
  static final AttributeKey<String> SCHEMA_VERSION =
      AttributeKey.stringKey("threadlocal.schema_version");

  /** The attribute of the process context that lists the attribute keys, each at its index. */
  static final AttributeKey<List<String>> ATTRIBUTE_KEY_MAP =
      AttributeKey.stringArrayKey("threadlocal.attribute_key_map");

  /**
   * Returns all attribute keys, each at the index by which records refer to it. The key of the
   * local root span always comes first, because Datadog's reader requires a non-empty map. No key
   * occurs twice, because a reader refuses such a map.
   *
   * @param attributes the keys of further attributes, at most 255
   */
  public static List<String> map(List<String> attributes) {
    Set<String> keys = new LinkedHashSet<>();
    keys.add(LOCAL_ROOT_SPAN_ID);
    keys.addAll(attributes);
    return Collections.unmodifiableList(new ArrayList<>(keys));
  }

  /**
   * Returns the attributes by which the process context describes records of this schema and keys.
   */
  public static Attributes inProcessContext(String schema, List<String> map) {
    return Attributes.of(SCHEMA_VERSION, schema, ATTRIBUTE_KEY_MAP, map);
  }

  private OtelAttributeKeys() {}
}
