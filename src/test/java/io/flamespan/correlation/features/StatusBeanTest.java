/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.features;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.flamespan.correlation.apps.JmxLaterApp;
import io.flamespan.correlation.apps.PingApp;
import io.flamespan.correlation.testing.ChildJvm;
import io.flamespan.correlation.testing.CorrelatedSdk;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import javax.management.Attribute;
import javax.management.AttributeNotFoundException;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import javax.management.StandardMBean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Promise: the status is visible in JMX where JMX is in use, and the plug-in does not start JMX.
 */
class StatusBeanTest {
  private static final String SETTING = CorrelatedSdk.PREFIX + "mbean.enabled";

  private final MBeanServer server = ManagementFactory.getPlatformMBeanServer();

  private Set<ObjectName> names() throws Exception {
    return server.queryNames(new ObjectName("io.flamespan.correlation:*"), null);
  }

  private static ObjectName name() throws Exception {
    return new ObjectName("io.flamespan.correlation:type=Status");
  }

  @Test
  void bean_whileThePluginRuns_showsTheEntries() throws Exception {
    try (CorrelatedSdk app = CorrelatedSdk.start()) {
      app.flush(); // the worker has registered the bean by then

      assertThat(server.getAttribute(name(), "state")).isEqualTo("active");
      assertThat(server.getAttribute(name(), "service")).isEqualTo("checkout");
      assertThat(server.getAttribute(name(), "samples.delay.ms")).isEqualTo(1000L);
      assertThat(server.getAttributes(name(), new String[] {"mode", "none"}).asList())
          .containsExactly(new Attribute("mode", "true"));
      assertThatThrownBy(() -> server.getAttribute(name(), "none"))
          .isInstanceOf(AttributeNotFoundException.class);
      assertThat(server.getMBeanInfo(name()).getAttributes())
          .allMatch(MBeanAttributeInfo::isReadable)
          .noneMatch(MBeanAttributeInfo::isWritable);
      for (MBeanAttributeInfo attribute : server.getMBeanInfo(name()).getAttributes()) {
        assertThat(server.getAttribute(name(), attribute.getName()))
            .isInstanceOf(Class.forName(attribute.getType()));
      }
    }
    assertThat(names()).isEmpty();
  }

  @Test
  void bean_switchedOff_doesNotExist() throws Exception {
    try (CorrelatedSdk app = CorrelatedSdk.start(SETTING, "false")) {
      app.flush();
      assertThat(names()).isEmpty();
    }
  }

  @Test
  void bean_whoseNameIsTaken_hasTheLoaderInItsName() throws Exception {
    server.registerMBean(new StandardMBean(Map.of(), Map.class, false), name());
    try (CorrelatedSdk app = CorrelatedSdk.start()) {
      app.flush();
      assertThat(names()).hasSize(2).anyMatch(n -> n.getKeyProperty("loader") != null);
    } finally {
      server.unregisterMBean(name());
    }
    assertThat(names()).isEmpty();
  }

  private static ChildJvm app(Path directory) {
    return ChildJvm.exporting("logging").property("java.io.tmpdir", directory.toString());
  }

  @Test
  void start_inAFreshJvm_doesNotStartJmx(@TempDir Path directory) {
    ChildJvm.Result result = app(directory).jvmArgument("-verbose:class").run(PingApp.class);

    assertThat(result.output()).contains("internal.status.BeanRegistration");
    assertThat(Arrays.stream(result.output().split("\n")))
        .noneMatch(line -> line.contains("MBeanServer ") || line.contains(" sun.management."))
        .noneMatch(line -> line.contains(" java.lang.management.ManagementFactory "));
  }

  @Test
  void start_whenTheSettingAsksForIt_startsJmx(@TempDir Path directory) {
    ChildJvm.Result result =
        app(directory).property(SETTING, "true").run(JmxLaterApp.class, "existing");

    assertThat(result.output()).contains("beans: 1");
  }

  @Test
  void change_afterJmxHasStarted_registersTheBean(@TempDir Path directory) {
    ChildJvm.Result result = app(directory).run(JmxLaterApp.class, "later").succeeded();
    assertThat(result.output()).contains("beans: 0", "beans: 1");
  }
}
