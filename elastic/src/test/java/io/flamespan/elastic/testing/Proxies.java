/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.elastic.testing;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;

/** Proxies for SDK interfaces whose behaviour a test defines. */
public final class Proxies {
  private Proxies() {}

  public static <T> T of(Class<T> type, InvocationHandler handler) {
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
  }

  /** Returns an object whose methods all throw an error. */
  public static <T> T failing(Class<T> type) {
    return of(
        type,
        (proxy, method, arguments) -> {
          throw new NoClassDefFoundError("injected");
        });
  }
}
