/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.transport;

import io.flamespan.correlation.internal.log.Trouble;
import io.flamespan.correlation.internal.protocol.HexIds;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.security.SecureRandom;
import java.util.Locale;
import java.util.logging.Level;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/**
 * The file name of this process's socket. It is the same in all class loaders of the process,
 * because a profiler reads the path only once. It consists of the process id, the kernel, and a
 * hash of everything else that distinguishes the process from others on that kernel: {@code
 * profiler-4711-0123ab-89abcdef.sock}.
 */
final class SocketName {
  private static final Pattern FORMAT =
      Pattern.compile("profiler-\\d+-([0-9a-f]{6})-[0-9a-f]{8}\\.sock");
  private static final Pattern BOOT_ID = Pattern.compile("([0-9a-f]{6})[0-9a-f-]{30}\\s*");

  // The process id, the program's name, which may contain any characters, and the start time, field
  // 22.
  private static final Pattern STAT =
      Pattern.compile("(\\d+) \\(.*\\)(?: \\S+){19} (\\d+) .*", Pattern.DOTALL);

  private static final SocketName OWN = of(Paths.get("/proc"));

  private final String text;
  private final @Nullable String kernel;

  private SocketName(String text, @Nullable String kernel) {
    this.text = text;
    this.kernel = kernel;
  }

  static SocketName own() {
    return OWN;
  }

  /** Returns the name for the process that this proc file system describes. */
  static SocketName of(Path proc) {
    try {
      Matcher bootId = match(BOOT_ID, proc.resolve("sys/kernel/random/boot_id"));
      Matcher stat = match(STAT, proc.resolve("self/stat"));
      // Two containers may have processes with the same id that started at the same moment.
      Path namespace = Files.readSymbolicLink(proc.resolve("self/ns/pid"));
      CRC32 hash = new CRC32();
      String process = bootId.group() + namespace + ' ' + stat.group(2);
      hash.update(process.getBytes(StandardCharsets.UTF_8));
      String kernel = bootId.group(1);
      // A formatter takes long to load.
      String digits = HexIds.toHex(hash.getValue()).substring(Integer.BYTES * 2);
      return new SocketName(
          "profiler-" + stat.group(1) + "-" + kernel + "-" + digits + ".sock", kernel);
    } catch (IOException | RuntimeException e) {
      Trouble.log(SocketName.class, Level.FINE, "The socket of this process has a random name", e);
      return random();
    }
  }

  /** Returns a name in another format, which no process mistakes for a name on its kernel. */
  private static SocketName random() {
    long number = new SecureRandom().nextLong();
    return new SocketName(String.format(Locale.ROOT, "profiler-%016x.sock", number), null);
  }

  private static Matcher match(Pattern pattern, Path file) throws IOException {
    String content = new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
    Matcher matcher = pattern.matcher(content);
    if (!matcher.matches()) {
      throw new IOException(file + " has unknown content: " + content);
    }
    return matcher;
  }

  /** Returns whether this is the name of a socket on the same kernel, as far as is known. */
  boolean isOfSameKernel(String fileName) {
    Matcher matcher = FORMAT.matcher(fileName);
    return matcher.matches() && matcher.group(1).equals(kernel);
  }

  @Override
  public String toString() {
    return text;
  }
}
