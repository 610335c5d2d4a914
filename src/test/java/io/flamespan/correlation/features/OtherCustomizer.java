/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.features;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.flamespan.correlation.testing.CorrelatedSdk;
import io.opentelemetry.sdk.autoconfigure.spi.AutoConfigurationCustomizer;
import io.opentelemetry.sdk.autoconfigure.spi.AutoConfigurationCustomizerProvider;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.function.Consumer;

/**
 * Another library on the class path that customizes the same SDK, before or after the plug-in. The
 * plug-in has the highest possible order, so a customizer can only run after it with the same order
 * and a later place on the class path.
 */
enum OtherCustomizer {
  FIRST_OF_ALL(First.class),
  IN_USUAL_ORDER(Usual.class),
  OF_SAME_ORDER_AND_BEFORE(Last.class),
  OF_SAME_ORDER_AND_BEHIND(Last.class);

  private static final String SERVICE =
      "META-INF/services/" + AutoConfigurationCustomizerProvider.class.getName();

  private static volatile Consumer<AutoConfigurationCustomizer> customizer = sdk -> {};

  private final Class<? extends AutoConfigurationCustomizerProvider> provider;

  OtherCustomizer(Class<? extends AutoConfigurationCustomizerProvider> provider) {
    this.provider = provider;
  }

  /** Starts an SDK that this library also customizes. */
  CorrelatedSdk start(Consumer<AutoConfigurationCustomizer> does, String... settings) {
    return start(OtherCustomizer.class.getClassLoader(), does, settings);
  }

  /** The same with the customizers that this class loader has in addition. */
  CorrelatedSdk start(
      ClassLoader parent, Consumer<AutoConfigurationCustomizer> does, String... settings) {
    customizer = does;
    return CorrelatedSdk.start(builder -> builder.setServiceClassLoader(loader(parent)), settings);
  }

  private ClassLoader loader(ClassLoader parent) {
    URL service = serviceFile();
    return new ClassLoader(parent) {
      @Override
      public Enumeration<URL> getResources(String name) throws IOException {
        List<URL> found = new ArrayList<>(Collections.list(super.getResources(name)));
        if (name.equals(SERVICE)) {
          found.add(OtherCustomizer.this == OF_SAME_ORDER_AND_BEHIND ? found.size() : 0, service);
        }
        return Collections.enumeration(found);
      }
    };
  }

  private URL serviceFile() {
    try {
      Path file = Files.createTempFile("service", "");
      file.toFile().deleteOnExit();
      Files.write(file, provider.getName().getBytes(UTF_8));
      return file.toUri().toURL();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The service loader instantiates this class and its siblings. */
  public static class Usual implements AutoConfigurationCustomizerProvider {
    @Override
    public void customize(AutoConfigurationCustomizer sdk) {
      customizer.accept(sdk);
    }
  }

  public static final class First extends Usual {
    @Override
    public int order() {
      return Integer.MIN_VALUE;
    }
  }

  public static final class Last extends Usual {
    @Override
    public int order() {
      return Integer.MAX_VALUE;
    }
  }
}
