/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.junit.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.platform.engine.ConfigurationParameters;
import org.junit.platform.engine.OutputDirectoryCreator;
import org.junit.platform.engine.TestDescriptor;
import org.junit.platform.engine.TestSource;
import org.junit.platform.engine.UniqueId;
import org.junit.platform.engine.support.descriptor.AbstractTestDescriptor;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;

/** Promise: names are those of reports, and the same in each run. */
class TestNameTest {
  private static final TestSource SHOP = ClassSource.from("com.example.ShopTest");
  private static final TestSource BUYS = MethodSource.from("com.example.ShopTest", "buys");

  private static final class Node extends AbstractTestDescriptor {
    private final Type type;

    Node(TestDescriptor parent, String display, @Nullable TestSource source, Type type) {
      super(parent.getUniqueId().append("node", display), display, source);
      this.type = type;
      parent.addChild(this);
    }

    Node() {
      super(UniqueId.forEngine("engine"), "engine", null);
      this.type = Type.CONTAINER;
    }

    @Override
    public Type getType() {
      return type;
    }
  }

  private final Node engine = new Node();
  private final Node shop = container(engine, "ShopTest", SHOP);

  private static Node container(TestDescriptor parent, String display, TestSource source) {
    return new Node(parent, display, source, TestDescriptor.Type.CONTAINER);
  }

  private String nameOf(TestDescriptor parent, String display, @Nullable TestSource source) {
    Node test = new Node(parent, display, source, TestDescriptor.Type.TEST);
    TestPlan plan =
        TestPlan.from(
            true,
            List.of(engine),
            none(ConfigurationParameters.class),
            none(OutputDirectoryCreator.class));
    return TestName.of(plan, TestIdentifier.from(test)).full;
  }

  private static <T> T none(Class<T> type) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> null));
  }

  @Test
  void name_ofATestOrAnInvocation_isThatOfItsMethod() {
    Node template = container(shop, "buys(String)", BUYS);

    assertThat(nameOf(shop, "sells()", MethodSource.from("com.example.ShopTest", "sells")))
        .isEqualTo("com.example.ShopTest.sells");
    assertThat(nameOf(template, "[1] apples", BUYS))
        .isEqualTo("com.example.ShopTest.buys[1] apples");
    assertThat(nameOf(template, "apples", BUYS)).isEqualTo("com.example.ShopTest.buys apples");
  }

  @Test
  void repetitions_areOneName() {
    Node template = container(shop, "buys()", BUYS);

    assertThat(nameOf(template, "repetition 1 of 5000", BUYS))
        .isEqualTo(nameOf(template, "repetition 2 of 5000", BUYS))
        .isEqualTo(nameOf(template, "buys() :: repetition 3 of 5000", BUYS))
        .isEqualTo("com.example.ShopTest.buys");
  }

  @Test
  void argument_withoutANameOfItsOwn_hasNoHash() {
    Node template = container(shop, "buys(Order)", BUYS);

    assertThat(nameOf(template, "[1] com.example.Order@5e91993f", BUYS))
        .isEqualTo("com.example.ShopTest.buys[1] com.example.Order@#");
    assertThat(nameOf(template, "[2] me@example.com", BUYS)).endsWith("[2] me@example.com");
  }

  @Test
  void invocations_ofAParameterizedClass_areToldApart() {
    Node first = container(shop, "[1] apples", SHOP);
    Node second = container(shop, "[2] pears", SHOP);

    assertThat(nameOf(first, "buys()", BUYS)).isEqualTo("com.example.ShopTest[1] apples.buys");
    assertThat(nameOf(second, "buys()", BUYS)).isEqualTo("com.example.ShopTest[2] pears.buys");
  }

  @Test
  void parameters_ofJUnit4_areToldApart() {
    Node first = container(shop, "[0]", null);

    assertThat(nameOf(shop, "buys[1]", BUYS)).isEqualTo("com.example.ShopTest.buys[1]");
    assertThat(nameOf(first, "buys[0]", BUYS)).isEqualTo("com.example.ShopTest[0].buys");
  }
}
