/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.doctor;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.util.HashMap;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

/**
 * Starts {@link Doctor}. Its classes are one resource, because classes that are compressed together
 * take two thirds of the room, in a jar that every application carries and few look into.
 */
public final class Main {
  private static final String BUNDLE = "doctor.bundle";

  public static void main(String[] arguments) throws Exception {
    Object status =
        Class.forName(Main.class.getPackage().getName() + ".Doctor", true, loader())
            .getMethod("run", String[].class, PrintStream.class, PrintStream.class)
            .invoke(null, arguments, System.out, System.err);
    System.exit((Integer) status);
  }

  private static ClassLoader loader() throws IOException {
    Map<String, byte[]> classes = new HashMap<>();
    try (InputStream bundle = Main.class.getResourceAsStream(BUNDLE)) {
      if (bundle == null) {
        return Main.class.getClassLoader();
      }
      ZipInputStream in = new ZipInputStream(bundle);
      for (ZipEntry entry = in.getNextEntry(); entry != null; entry = in.getNextEntry()) {
        classes.put(entry.getName(), content(in));
      }
    }
    return new ClassLoader(Main.class.getClassLoader()) {
      @Override
      protected Class<?> findClass(String name) throws ClassNotFoundException {
        byte[] bytes = classes.get(name.replace('.', '/') + ".class");
        if (bytes == null) {
          throw new ClassNotFoundException(name);
        }
        return defineClass(name, bytes, 0, bytes.length);
      }
    };
  }

  private static byte[] content(InputStream in) throws IOException {
    ByteArrayOutputStream content = new ByteArrayOutputStream();
    byte[] buffer = new byte[8192];
    for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
      content.write(buffer, 0, n);
    }
    return content.toByteArray();
  }

  private Main() {}
}
