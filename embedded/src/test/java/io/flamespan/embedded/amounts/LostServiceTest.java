/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.embedded.amounts;

import static org.assertj.core.api.Assertions.assertThat;

import io.flamespan.correlation.internal.autoconfigure.ServiceFiles;
import io.flamespan.correlation.internal.log.Trouble;
import io.opentelemetry.sdk.autoconfigure.spi.AutoConfigurationCustomizer;
import java.io.File;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** One jar of several, in which the service file of this artifact has replaced the plug-in's. */
class LostServiceTest {
  /** The class path of the tests, maybe with one file less. */
  private static final class PackedJar extends URLClassLoader {
    private final String lost;

    PackedJar(String lost) throws MalformedURLException {
      super(classPath(), ClassLoader.getPlatformClassLoader());
      this.lost = lost;
    }

    @Override
    public Enumeration<URL> getResources(String name) throws IOException {
      return name.equals(lost) ? Collections.emptyEnumeration() : super.getResources(name);
    }

    private static URL[] classPath() throws MalformedURLException {
      List<URL> urls = new ArrayList<>();
      String entries =
          System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
      for (String entry : entries.split(File.pathSeparator)) {
        urls.add(Path.of(entry).toUri().toURL());
      }
      return urls.toArray(new URL[0]);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void jar_thatHasLostThePluginsService_hasALineWithTheFile(boolean isLost) throws Exception {
    String file = ServiceFiles.OF_THE_SDK;
    try (PackedJar jar = new PackedJar(isLost ? file : "")) {
      Class<?> type = jar.loadClass(AutoConfigurationCustomizer.class.getName());
      Object sdk =
          Proxy.newProxyInstance(jar, new Class<?>[] {type}, (proxy, method, all) -> proxy);
      Object entry =
          jar.loadClass(AmountsAutoConfig.class.getName()).getConstructor().newInstance();
      entry.getClass().getMethod("customize", type).invoke(entry, sdk);

      assertThat(lastWarning(jar))
          .isEqualTo(
              isLost
                  ? "Flamespan is off or incomplete: "
                      + file
                      + " lacks "
                      + ServiceFiles.ENTRY
                      + ". Where several jars are packed into one, their files of this name must be"
                      + " merged"
                  : null);
    }
  }

  private static @Nullable Object lastWarning(ClassLoader loader) throws Exception {
    Class<?> trouble = loader.loadClass(Trouble.class.getName());
    Object last = trouble.getMethod("last").invoke(null);
    return last == null ? null : trouble.getMethod("message").invoke(last);
  }
}
