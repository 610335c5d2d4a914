/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.posix;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ErrnoTest {
  private static final Map<Integer, String> OF_LINUX =
      Arrays.stream(jnr.constants.platform.linux.Errno.values())
          .collect(
              Collectors.toMap(each -> each.intValue(), each -> each.name(), (one, alias) -> one));

  @Test
  void name_ofEachError_isThatOfLinuxOrItsNumber() {
    IntStream.rangeClosed(1, 200)
        .forEach(
            errno ->
                assertThat(Errno.name(errno))
                    .isIn("errno " + errno, OF_LINUX.getOrDefault(errno, "")));
  }

  @Test
  void name_ofErrorsWithAConstant_isThatOfTheConstant() throws IllegalAccessException {
    for (var constant : Errno.class.getFields()) {
      assertThat(Errno.name(constant.getInt(null))).isEqualTo(constant.getName());
    }
  }
}
