/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.input;

import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.PushbackInputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Arrays;
import java.util.zip.ZipException;
import org.jspecify.annotations.Nullable;

/**
 * A file to which a process appends: each call reads the messages that are whole and were not read
 * before. A file of another form, such as a compressed one, is read as a whole.
 */
public final class GrowingFile {
  private static final int MARK = 1 << 12; // so long that ids and times are in it
  private static final String GZIP = ".gz"; // the program keeps the time of the file
  private static final FileTime UNKNOWN = FileTime.fromMillis(Long.MIN_VALUE);

  /** Reads messages that follow one another. */
  interface Reader {
    /**
     * Reads the messages that are whole, until they have so many bytes. Returns how many they have;
     * the next call takes those that follow.
     */
    long readWhole(InputStream bytes, long most) throws IOException;

    /** Whether a part of a message followed. */
    boolean hasRest();
  }

  private final Path file;
  private final Messages messages;
  private final Problems problems;
  private @Nullable Reader reader; // null before the first byte, and in other forms
  private long read; // bytes
  private boolean isPart;
  private byte[] marks = {}; // the first and the last bytes that were read, decompressed
  private FileTime modified = UNKNOWN; // when a file of another form was read

  /** Reads nothing yet. */
  public GrowingFile(Path file, Messages messages, Problems problems) {
    this.file = file;
    this.messages = messages;
    this.problems = problems;
  }

  /** Whether the file still begins with all that was read of it. */
  public boolean isSame() throws IOException {
    if (!modified.equals(UNKNOWN)) {
      return Files.size(file) == read && Files.getLastModifiedTime(file).equals(modified);
    }
    try (FileChannel channel = FileChannel.open(file)) {
      return isIn(Channels.newInputStream(channel));
    }
  }

  /** Whether another file may be this one, by the first bytes that were read of both. */
  public boolean mayBeIn(GrowingFile other) {
    int first = Math.min(MARK, marks.length);
    int common = Math.min(first, other.marks.length);
    return (common == first || other.modified.equals(UNKNOWN))
        && Arrays.equals(marks, 0, common, other.marks, 0, common);
  }

  /** Whether another file is this one: renamed, copied, compressed or decompressed. */
  public boolean isIn(Path other) throws IOException {
    if (!modified.equals(UNKNOWN)) {
      return Files.getLastModifiedTime(other).equals(modified)
          && (Files.size(other) == read
              || file.equals(Path.of(other + GZIP))
              || other.equals(Path.of(file + GZIP)));
    }
    try (InputStream raw = Files.newInputStream(other);
        InputStream bytes = OtlpFile.decompressed(raw)) {
      return isIn(bytes);
    }
  }

  private boolean isIn(InputStream bytes) throws IOException {
    int first = Math.min(MARK, marks.length);
    if (!Arrays.equals(bytes.readNBytes(first), Arrays.copyOf(marks, first))) {
      return false;
    }
    try {
      bytes.skipNBytes(read - marks.length);
    } catch (EOFException e) {
      return false;
    }
    byte[] last = bytes.readNBytes(marks.length - first);
    return Arrays.equals(last, Arrays.copyOfRange(marks, first, marks.length));
  }

  /** The bytes of this file that were read. */
  public long bytesRead() {
    return read;
  }

  /** Whether the file ends within a message, as far as is known. */
  public boolean hasRest() {
    return reader != null && reader.hasRest();
  }

  /** Whether more is there than the last call was to read. */
  public boolean isPart() {
    return isPart;
  }

  /**
   * Returns whether there was anything new.
   *
   * @param most after how many bytes the rest is left for the next call; a file of another form is
   *     read as a whole
   */
  public boolean read(long most) throws IOException {
    isPart = false;
    long size = Files.size(file);
    boolean hadRest = hasRest();
    if ((size == read && !hadRest) || !modified.equals(UNKNOWN)) {
      return false;
    }
    try (FileChannel channel = FileChannel.open(file)) {
      if (read == 0) {
        reader = open(channel);
      } else if (!isIn(Channels.newInputStream(channel))) {
        return false; // it was replaced in this moment
      }
      Reader known = reader;
      if (known != null) {
        long before = read;
        read += known.readWhole(Channels.newInputStream(channel.position(before)), most);
        marks = marks(channel, read);
        isPart = read - before >= most && read < size;
        return read > before || (hadRest && !hasRest());
      }
    }
    modified = Files.getLastModifiedTime(file);
    OtlpFile.read(file, messages, problems);
    read = size;
    marks = head();
    return true;
  }

  /** Null for a form in which messages cannot follow one another, or for too few bytes to tell. */
  private @Nullable Reader open(FileChannel channel) throws IOException {
    byte[] head = Channels.newInputStream(channel).readNBytes(OtlpFile.LONGEST_SPACE);
    PushbackInputStream bytes =
        new PushbackInputStream(new ByteArrayInputStream(head), OtlpFile.LONGEST_SPACE + 2);
    int first = OtlpFile.first(bytes);
    boolean json = first == '{';
    boolean lengths = first >= 0 && first <= OtlpFile.LAST_TAG && !ProtobufMessages.isBare(first);
    if (!json && (!lengths || Character.isWhitespace(first))) {
      return null;
    }
    read = (long) head.length - bytes.available();
    return json
        ? new JsonLines(file.toString(), messages, problems)
        : new ProtobufMessages(file.toString(), messages, problems);
  }

  /** The first bytes of a file of another form, as far as they can be decompressed. */
  private byte[] head() throws IOException {
    byte[] head = new byte[MARK];
    int length = 0;
    try (InputStream raw = Files.newInputStream(file);
        InputStream bytes = OtlpFile.decompressed(raw)) {
      int count = bytes.read(head);
      while (count > 0) {
        length += count;
        count = bytes.read(head, length, MARK - length);
      }
    } catch (EOFException | ZipException e) {
      return Arrays.copyOf(head, length); // before the cut
    }
    return Arrays.copyOf(head, length);
  }

  private static byte[] marks(FileChannel channel, long end) throws IOException {
    int first = (int) Math.min(MARK, end);
    int last = (int) Math.min(MARK, end - first);
    InputStream bytes = Channels.newInputStream(channel.position(0));
    byte[] marks = Arrays.copyOf(bytes.readNBytes(first), first + last);
    channel.position(end - last);
    int unused = bytes.readNBytes(marks, first, last);
    return marks;
  }
}
