/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.status;

import io.flamespan.correlation.internal.config.Settings;
import io.flamespan.correlation.internal.log.Trouble;
import java.lang.management.ManagementFactory;
import java.util.Map;
import java.util.function.Supplier;
import java.util.logging.Level;
import javax.management.InstanceAlreadyExistsException;
import javax.management.InstanceNotFoundException;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.jspecify.annotations.Nullable;

/**
 * Registers the MBean with the platform's server. Does not create the server unless the setting
 * demands it: that takes 50 to 100 ms, and some application servers must set properties before the
 * server exists. Used by one thread of the plug-in at a time, because merely looking for a server
 * loads classes.
 */
public final class BeanRegistration {
  private final boolean demanded;
  private final Supplier<Map<String, Object>> status;
  private @Nullable MBeanServer server;
  private @Nullable ObjectName name;
  private boolean failed;

  /**
   * Prepares the registration.
   *
   * @param demanded whether to create the server
   */
  public BeanRegistration(boolean demanded, Supplier<Map<String, Object>> status) {
    this.demanded = demanded;
    this.status = status;
  }

  /**
   * Registers the bean unless it is registered already. Does nothing without a server, unless one
   * is to be created.
   */
  public void registerIfPossible() {
    if (name != null || failed) {
      return;
    }
    try {
      MBeanServer platform =
          demanded
              ? ManagementFactory.getPlatformMBeanServer()
              : StatusBean.existingPlatformServer();
      if (platform != null) {
        register(platform);
      }
    } catch (JMException | RuntimeException | LinkageError e) {
      failed = true;
      Trouble.log(
          BeanRegistration.class,
          demanded ? Level.WARNING : Level.FINE,
          "The status of Flamespan is not available as an MBean: {0}. Set {1} to"
              + " false to avoid this line.",
          e,
          Settings.MBEAN_ENABLED);
    }
  }

  private void register(MBeanServer platform) throws JMException {
    StatusBean bean = new StatusBean(status);
    try {
      name = platform.registerMBean(bean, new ObjectName(StatusBean.NAME)).getObjectName();
    } catch (InstanceAlreadyExistsException e) {
      String loader = Origin.digits(Origin.class.getClassLoader()); // each has a bean of its own
      ObjectName other = new ObjectName(StatusBean.NAME + ",loader=" + loader);
      name = platform.registerMBean(bean, other).getObjectName();
    }
    server = platform;
  }

  /** Removes the bean. */
  public void unregister() {
    MBeanServer registeredWith = server;
    ObjectName registered = name;
    if (registeredWith == null || registered == null) {
      return;
    }
    name = null;
    try {
      registeredWith.unregisterMBean(registered);
    } catch (InstanceNotFoundException e) {
      // Something else has removed it.
    } catch (JMException | RuntimeException e) {
      Trouble.log(BeanRegistration.class, Level.FINE, "The MBean of Flamespan was not removed", e);
    }
  }
}
