/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.junit.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.reflect.Proxy;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
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

  @RepeatedTest(2)
  @Retention(RetentionPolicy.RUNTIME)
  private @interface Twice {}

  /** Is no class of tests, but has methods that look like some. */
  private static final class Repeated {
    @RepeatedTest(value = 5, name = "{displayName} {currentRepetition}/{totalRepetitions}")
    void buys() {}

    @Twice
    void sells() {}

    void other() {}
  }

  @Test
  void repetitions_whateverTheirNames_areOneName() throws Exception {
    String suite = Repeated.class.getName();
    for (String method : List.of("buys", "sells")) {
      MethodSource source = MethodSource.from(Repeated.class.getDeclaredMethod(method));
      Node template = container(shop, method + "()", source);

      assertThat(nameOf(template, "repetition 1 of 5000", source)).isEqualTo(suite + '.' + method);
      assertThat(nameOf(template, "buys() 3/5", source)).isEqualTo(suite + '.' + method);
    }
    MethodSource other = MethodSource.from(Repeated.class.getDeclaredMethod("other"));
    assertThat(nameOf(container(shop, "other()", other), "repetition 1 of 2", other))
        .isEqualTo(suite + ".other repetition 1 of 2");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "com.example.Order@5e91993f | com.example.Order@#",
        "com.example.Order@feedbeef | com.example.Order@#",
        "Order@5e91993f, Order@7e91993 | Order@#, Order@#",
        "[[Lcom.example.Order;@5e91993f] | [[Lcom.example.Order;@#]",
        "[I@5e91993f | [I@#",
        "a.B$$Lambda/0x00007f1c2c001000@5e91993f | a.B$$Lambda@#",
        "a.B$$Lambda$14/0x0000000800c8d1b0@5e91993f | a.B$$Lambda@#",
        "a.B$$Lambda$14/1234567@5e91993f | a.B$$Lambda@#",
      })
  void argument_withoutANameOfItsOwn_hasNoHash(String argument, String expected) {
    Node template = container(shop, "buys(Order)", BUYS);

    assertThat(nameOf(template, "[1] " + argument, BUYS))
        .isEqualTo("com.example.ShopTest.buys[1] " + expected);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "bob@acade",
        "bob@beefed",
        "eve@decade.com",
        "eve.smith@facade1",
        "Eve.Smith@decade1.com",
        "Eve@facade",
        "me@example.com",
        "image@5e91993f",
        "Order@5e91993f-1"
      })
  void argument_thatIsNoObjectWithoutAName_isUnchanged(String argument) {
    Node template = container(shop, "buys(Order)", BUYS);

    assertThat(nameOf(template, "[1] " + argument, BUYS)).endsWith(".buys[1] " + argument);
  }

  @Test
  void names_thatDifferBehindTheLongestOne_areToldApart() {
    Node template = container(shop, "buys(String)", BUYS);
    String longest = "x".repeat(255 - "com.example.ShopTest.buys ".length());
    String first = nameOf(template, longest + "1", BUYS);

    assertThat(nameOf(template, longest, BUYS)).hasSize(255).doesNotContain("…");
    assertThat(first).hasSize(255).matches(".*x…[0-9a-f]{8}");
    assertThat(nameOf(template, longest + "2", BUYS)).hasSize(255).isNotEqualTo(first);
  }

  @Test
  void invocations_ofAParameterizedClass_areToldApart() {
    Node first = container(shop, "[1] apples", SHOP);
    Node second = container(shop, "pears", SHOP);

    assertThat(nameOf(first, "buys()", BUYS)).isEqualTo("com.example.ShopTest[1] apples.buys");
    assertThat(nameOf(second, "buys()", BUYS)).isEqualTo("com.example.ShopTest pears.buys");
  }

  @Test
  void displayName_ofAClass_isNoInvocation() {
    Node ticket = container(engine, "[JIRA-1] slow things", SHOP);
    TestSource inside = ClassSource.from("com.example.ShopTest$Inside");
    Node nested = container(ticket, "[JIRA-2] inside", inside);

    assertThat(nameOf(ticket, "buys()", BUYS)).isEqualTo("com.example.ShopTest.buys");
    assertThat(nameOf(nested, "buys()", MethodSource.from("com.example.ShopTest$Inside", "buys")))
        .isEqualTo("com.example.ShopTest$Inside.buys");
  }

  @Test
  void parameters_ofJUnit4_areToldApart() {
    Node first = container(shop, "[0]", null);

    assertThat(nameOf(shop, "buys[1]", BUYS)).isEqualTo("com.example.ShopTest.buys[1]");
    assertThat(nameOf(first, "buys[0]", BUYS)).isEqualTo("com.example.ShopTest[0].buys");
  }
}
