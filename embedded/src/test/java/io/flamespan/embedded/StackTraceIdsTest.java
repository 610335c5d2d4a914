/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class StackTraceIdsTest {
  private final StackTraceIds ids = new StackTraceIds();

  @Test
  void id_ofAStack_isTheBeginningOfTheHashOfItsNames() throws Exception {
    StackTrace stack =
        ids.identify(
            List.of(new Frame("", "write", 0, "Native"), new Frame("a.B", "c", 7, "Inlined")));

    byte[] hash =
        MessageDigest.getInstance("SHA-256")
            .digest(".write\na.B.c\n".getBytes(StandardCharsets.UTF_8));
    assertThat(stack.idHigh).isEqualTo(ByteBuffer.wrap(hash).getLong(0));
    assertThat(stack.idLow).isEqualTo(ByteBuffer.wrap(hash).getLong(8));
  }

  @Test
  void id_otherLinesOrOrder_differsByOrderOnly() {
    Frame first = new Frame("a.B", "c", 7, "Inlined");
    Frame second = new Frame("a.B", "d", 7, "Inlined");
    long id = ids.identify(List.of(first, second)).idHigh;

    assertThat(ids.identify(List.of(new Frame("a.B", "c", 8, "Interpreted"), second)).idHigh)
        .isEqualTo(id);
    assertThat(ids.identify(List.of(second, first)).idHigh).isNotEqualTo(id);
  }

  @Test
  void id_withTheClassOfAnObject_isThatOfNoOtherStack() throws Exception {
    Frame method = new Frame("a.B", "c", 7, "Inlined");
    long id = ids.identify(List.of(Frame.ofClass("[B"), method)).idHigh;

    byte[] hash =
        MessageDigest.getInstance("SHA-256")
            .digest("byte[].\na.B.c\n".getBytes(StandardCharsets.UTF_8));
    assertThat(id).isEqualTo(ByteBuffer.wrap(hash).getLong(0));
    assertThat(ids.identify(List.of(method)).idHigh).isNotEqualTo(id);
    assertThat(ids.identify(List.of(Frame.ofClass("[C"), method)).idHigh).isNotEqualTo(id);
  }

  @Test
  void classes_areNamedAsInTheSource() {
    Map<String, String> names =
        Map.of(
            "java/lang/String", "java.lang.String",
            "a/B$C", "a.B$C",
            "[B", "byte[]",
            "[[J", "long[][]",
            "[Z", "boolean[]",
            "[Ljava/util/Map$Entry;", "java.util.Map$Entry[]",
            "a/B$$Lambda+0x000000001704a670", "a.B$$Lambda");
    names.forEach(
        (descriptor, name) -> {
          Frame frame = Frame.ofClass(descriptor);
          assertThat(frame.className).isEqualTo(name);
          assertThat(frame.isClass()).isTrue();
        });
  }

  @Test
  void id_ofALambda_isTheSameInEachProcess() {
    for (String name :
        List.of(
            "a.B$$Lambda",
            "a.B$$Lambda.0x000000001704a670",
            "a.B$$Lambda/0x000000001704a670",
            "a.B$$Lambda$14.0x0000000800066840",
            "a.B$$Lambda$14.1234567890")) {
      assertThat(new Frame(name, "run", 0, "Inlined").className).isEqualTo("a.B$$Lambda");
    }
    assertThat(new Frame("a.B$1", "run", 0, "Inlined").className).isEqualTo("a.B$1");
    assertThat(new Frame("a.B$x10", "run", 0, "Inlined").className).isEqualTo("a.B$x10");
  }
}
