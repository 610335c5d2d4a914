/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.input;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.WireFormat;
import io.opentelemetry.proto.profiles.v1development.ProfilesData;
import io.opentelemetry.proto.trace.v1.TracesData;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.zip.ZipException;

/**
 * OTLP protobuf: messages, each after its length in four bytes, the highest byte first, or a single
 * message without a length.
 */
final class ProtobufMessages implements GrowingFile.Reader {
  private static final int LIMIT = 1 << 28;
  private static final int PPROF_STRINGS = 6 << 3 | WireFormat.WIRETYPE_LENGTH_DELIMITED;

  private final String file;
  private final Messages messages;
  private final Problems problems;
  private int number;
  private boolean damaged;
  private boolean hasRest;

  ProtobufMessages(String file, Messages messages, Problems problems) {
    this.file = file;
    this.messages = messages;
    this.problems = problems;
  }

  /** Whether a single message without a length begins with this byte. */
  static boolean isBare(int first) {
    return first == 0x0a || first == 0x12;
  }

  void read(InputStream bytes, int first) throws IOException {
    if (isBare(first)) {
      byte[] message = bytes.readNBytes(LIMIT);
      if (isPprof(message)) {
        problems.add(
            OtlpFile.NOT_READ,
            file + " is a file of pprof, which has no Links; send OTLP profiles in its place");
      } else {
        message(message, file);
      }
    } else {
      prefixed(bytes);
    }
  }

  @Override
  public long readWhole(InputStream bytes, long most) throws IOException {
    long read = 0;
    while (!damaged && read < most) {
      byte[] prefix = bytes.readNBytes(4);
      int length = length(prefix);
      if (prefix.length < 4 || length > bytes.available()) {
        hasRest = prefix.length > 0;
        return read;
      }
      number++;
      read += prefix.length;
      damaged = length < 0;
      if (damaged) {
        noLength();
      } else {
        message(bytes.readNBytes(length), where(number));
        read += length;
      }
    }
    hasRest = false;
    return read;
  }

  @Override
  public boolean hasRest() {
    return hasRest;
  }

  /** -1 if it cannot be one. */
  private static int length(byte[] prefix) {
    int length = prefix.length < 4 ? -1 : ByteBuffer.wrap(prefix).getInt();
    return length > LIMIT ? -1 : Math.max(-1, length);
  }

  private void noLength() {
    problems.add(
        OtlpFile.CUT, where(number) + " has no valid length; the file is not read any further");
  }

  private void prefixed(InputStream bytes) throws IOException {
    try {
      for (byte[] prefix = bytes.readNBytes(4); prefix.length > 0; prefix = bytes.readNBytes(4)) {
        number++;
        int length = length(prefix);
        if (length < 0) {
          noLength();
          return;
        }
        byte[] message = bytes.readNBytes(length);
        if (message.length < length) {
          problems.add(
              OtlpFile.CUT,
              where(number)
                  + " has "
                  + message.length
                  + " of "
                  + length
                  + " bytes, and was left out");
          return;
        }
        message(message, where(number));
      }
    } catch (EOFException | ZipException e) {
      problems.add(
          OtlpFile.CUT,
          where(number) + " ends within compressed data; the messages before it were read");
    }
  }

  private String where(int number) {
    return file + " message " + number;
  }

  private void message(byte[] bytes, String where) {
    try {
      Messages.Message message;
      try {
        message = message(bytes, ProtobufMessage::read);
      } catch (InvalidProtocolBufferException e) {
        message = message(bytes, ProtobufMessage::readLeniently);
      }
      message.add(where);
    } catch (InvalidProtocolBufferException e) {
      problems.add(
          OtlpFile.CUT,
          where + " is not a whole message of OTLP and was left out: " + e.getMessage());
    } catch (IOException e) {
      problems.add(OtlpFile.NOT_READ, where + ": " + e);
    }
  }

  @FunctionalInterface
  private interface Reader {
    void read(byte[] bytes, Descriptor type, Fields fields) throws IOException;
  }

  private Messages.Message message(byte[] bytes, Reader reader) throws IOException {
    boolean profiles = hasDictionary(bytes);
    Messages.Message message = profiles ? messages.profiles() : messages.traces();
    reader.read(
        bytes, profiles ? ProfilesData.getDescriptor() : TracesData.getDescriptor(), message);
    return message;
  }

  /** Its table of strings, of which the first is empty, has a number that OTLP does not use. */
  private static boolean isPprof(byte[] bytes) {
    try {
      CodedInputStream fields = CodedInputStream.newInstance(bytes);
      for (int tag = fields.readTag(); tag != 0; tag = fields.readTag()) {
        if (tag == PPROF_STRINGS) {
          return fields.readRawVarint32() == 0;
        }
        fields.skipField(tag);
      }
    } catch (IOException e) {
      // It is cut off.
    }
    return false;
  }

  /** Only profiles have a second field. The first field has the same form in all signals. */
  private static boolean hasDictionary(byte[] bytes) throws IOException {
    CodedInputStream fields = CodedInputStream.newInstance(bytes);
    for (int tag = fields.readTag(); tag != 0; tag = fields.readTag()) {
      if (WireFormat.getTagFieldNumber(tag) == ProfilesData.DICTIONARY_FIELD_NUMBER) {
        return true;
      }
      fields.skipField(tag);
    }
    return false;
  }
}
