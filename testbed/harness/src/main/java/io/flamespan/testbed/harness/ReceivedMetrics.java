/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.testbed.harness;

import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.metrics.v1.Metric;
import io.opentelemetry.proto.metrics.v1.NumberDataPoint;
import io.opentelemetry.proto.metrics.v1.ResourceMetrics;
import io.opentelemetry.proto.metrics.v1.ScopeMetrics;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The metrics of an application that the receiver got. */
public final class ReceivedMetrics {

  private final List<ResourceMetrics> received;

  /** Creates the view of the receiver's metrics. */
  ReceivedMetrics(List<ResourceMetrics> received) {
    this.received = received;
  }

  /**
   * Returns the last values of a cumulative integer counter by one of its attributes. The key of a
   * series without the attribute is empty.
   */
  public Map<String, Long> counter(String name, String attribute) {
    Map<String, Long> values = new HashMap<>();
    for (ResourceMetrics resource : received) {
      for (ScopeMetrics scope : resource.getScopeMetricsList()) {
        for (Metric metric : scope.getMetricsList()) {
          if (metric.getName().equals(name)) {
            metric
                .getSum()
                .getDataPointsList()
                .forEach(point -> values.put(value(point, attribute), point.getAsInt()));
          }
        }
      }
    }
    return values;
  }

  private static String value(NumberDataPoint point, String attribute) {
    return point.getAttributesList().stream()
        .filter(entry -> entry.getKey().equals(attribute))
        .map(KeyValue::getValue)
        .map(value -> value.getStringValue())
        .findFirst()
        .orElse("");
  }
}
