/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.zip.CRC32;
import java.util.zip.Deflater;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;

/**
 * Writes a jar again with the best compression, and without entries for directories, which no class
 * loader needs.
 */
public final class SmallJar {
  public static void main(String[] args) throws IOException {
    Path jar = Path.of(args[0]);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ZipFile from = new ZipFile(jar.toFile());
        ZipOutputStream to = new ZipOutputStream(bytes)) {
      to.setLevel(Deflater.BEST_COMPRESSION);
      for (ZipEntry entry : Collections.list(from.entries())) {
        if (!entry.isDirectory()) {
          byte[] content = from.getInputStream(entry).readAllBytes();
          to.putNextEntry(withSizes(entry, content));
          to.write(content);
        }
      }
    }
    Files.write(jar, bytes.toByteArray());
  }

  /** With sizes that are known in advance, no record of them has to follow the content. */
  private static ZipEntry withSizes(ZipEntry original, byte[] content) {
    CRC32 checksum = new CRC32();
    checksum.update(content);
    Deflater deflater = new Deflater(Deflater.BEST_COMPRESSION, true);
    deflater.setInput(content);
    deflater.finish();
    while (!deflater.finished()) {
      deflater.deflate(new byte[8_192]);
    }
    ZipEntry entry = new ZipEntry(original.getName());
    entry.setTimeLocal(original.getTimeLocal());
    entry.setSize(content.length);
    entry.setCompressedSize(deflater.getBytesWritten());
    entry.setCrc(checksum.getValue());
    deflater.end();
    return entry;
  }

  private SmallJar() {}
}
