/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.posix;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Field;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ErrnoTest {
  private static final int LARGEST = 133;

  // Some numbers have two names.
  private static final Map<Integer, Set<String>> OF_LINUX =
      Arrays.stream(jnr.constants.platform.linux.Errno.values())
          .collect(groupingBy(each -> each.intValue(), mapping(Enum::name, toSet())));

  @Test
  void name_ofEachError_isThatOfLinuxOrItsNumber() {
    for (int errno = 1; errno <= LARGEST; errno++) {
      String name = Errno.name(errno);

      assertThat(name.equals("errno " + errno) || OF_LINUX.get(errno).contains(name))
          .as("%d is %s", errno, name)
          .isTrue();
    }
  }

  @Test
  void name_ofEachConstant_isTheConstants() throws IllegalAccessException {
    for (Field constant : Errno.class.getFields()) {
      assertThat(Errno.name(constant.getInt(null))).isEqualTo(constant.getName());
    }
  }

  @ParameterizedTest
  @CsvSource({"bind, 98, bind: EADDRINUSE", "mmap, 71, mmap: errno 71"})
  void exception_ofASystemCall_namesCallAndError(String call, int errno, String message) {
    assertThat(new SystemCallException(call, errno)).hasMessage(message);
  }
}
