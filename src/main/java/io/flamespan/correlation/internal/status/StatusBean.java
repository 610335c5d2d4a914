/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.status;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import javax.management.Attribute;
import javax.management.AttributeList;
import javax.management.AttributeNotFoundException;
import javax.management.DynamicMBean;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanInfo;
import javax.management.MBeanServer;
import javax.management.MBeanServerFactory;
import javax.management.MalformedObjectNameException;
import javax.management.ObjectName;
import org.jspecify.annotations.Nullable;

/**
 * Exposes the status through JMX, with one attribute per entry. Numbers are numbers, and all
 * attributes are read-only. Called by threads of JMX.
 */
public final class StatusBean implements DynamicMBean {
  static final String NAME = "io.flamespan.correlation:type=Status";

  // The platform's server has this bean. Other servers of the process need not have it.
  private static final String BEAN_OF_PLATFORM = "java.lang:type=Runtime";

  private final Supplier<Map<String, Object>> status;

  StatusBean(Supplier<Map<String, Object>> status) {
    this.status = status;
  }

  /** Returns the server that tools inspect, or null if nothing has asked for it yet. */
  static @Nullable MBeanServer existingPlatformServer() throws MalformedObjectNameException {
    for (MBeanServer server : MBeanServerFactory.findMBeanServer(null)) {
      if (server.isRegistered(new ObjectName(BEAN_OF_PLATFORM))) {
        return server;
      }
    }
    return null;
  }

  /** Returns the entries as attributes. Later calls may return more. */
  @Override
  public MBeanInfo getMBeanInfo() {
    List<MBeanAttributeInfo> attributes = new ArrayList<>();
    status
        .get()
        .forEach(
            (key, value) ->
                attributes.add(
                    new MBeanAttributeInfo(
                        key, value.getClass().getName(), key, true, false, false)));
    return new MBeanInfo(
        StatusBean.class.getName(),
        "The status of the correlation of traces with profiles in this process",
        attributes.toArray(new MBeanAttributeInfo[0]),
        null,
        null,
        null);
  }

  @Override
  public Object getAttribute(String name) throws AttributeNotFoundException {
    Object value = status.get().get(name);
    if (value == null) {
      throw new AttributeNotFoundException(name);
    }
    return value;
  }

  @Override
  public AttributeList getAttributes(String[] names) {
    Map<String, Object> entries = status.get();
    AttributeList attributes = new AttributeList();
    for (String name : names) {
      Object value = entries.get(name);
      if (value != null) {
        attributes.add(new Attribute(name, value));
      }
    }
    return attributes;
  }

  @Override
  public void setAttribute(Attribute attribute) throws AttributeNotFoundException {
    throw new AttributeNotFoundException(attribute.getName() + " is read-only");
  }

  @Override
  public AttributeList setAttributes(AttributeList attributes) {
    return new AttributeList();
  }

  @Override
  public Object invoke(String operation, Object[] parameters, String[] signature) {
    throw new UnsupportedOperationException(operation);
  }
}
