/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.input;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.WireFormat;
import java.io.IOException;

/** Reads messages in protobuf's wire form, and accepts what the classes of the schema accept. */
final class ProtobufMessage {
  private static final int MOST_NESTED = 100;

  private final CodedInputStream in;
  private final boolean lenient;
  private int nested;

  private ProtobufMessage(byte[] bytes, boolean lenient) {
    this.in = CodedInputStream.newInstance(bytes);
    this.lenient = lenient;
  }

  static void read(byte[] bytes, Descriptor type, Fields fields) throws IOException {
    new ProtobufMessage(bytes, false).message(type, fields);
  }

  /** The same of a message with text that is not UTF-8, or with odd fields that have no use. */
  static void readLeniently(byte[] bytes, Descriptor type, Fields fields) throws IOException {
    new ProtobufMessage(bytes, true).message(type, fields);
  }

  private void message(Descriptor type, Fields fields) throws IOException {
    boolean more = true;
    while (more) {
      int tag = in.readTag();
      FieldDescriptor field = type.findFieldByNumber(WireFormat.getTagFieldNumber(tag));
      int form = WireFormat.getTagWireType(tag);
      if (tag == 0) {
        more = false;
      } else if (field != null && form == field.getLiteType().getWireType()) {
        if (field.isPackable()) {
          fields.otherForm(field.getNumber());
        }
        value(field, fields);
      } else if (field != null
          && field.isPackable()
          && form == WireFormat.WIRETYPE_LENGTH_DELIMITED) {
        int limit = in.pushLimit(in.readRawVarint32());
        while (in.getBytesUntilLimit() > 0) {
          value(field, fields);
        }
        in.popLimit(limit);
      } else {
        fields.unknown();
        if (field != null) {
          fields.otherForm(field.getNumber());
        }
        more = in.skipField(tag);
      }
    }
    in.checkLastTagWas(0);
  }

  private void value(FieldDescriptor field, Fields fields) throws IOException {
    int number = field.getNumber();
    switch (field.getType()) {
      case MESSAGE -> {
        if (nested == MOST_NESTED) {
          throw new InvalidProtocolBufferException("It has too many levels of messages");
        }
        int limit = in.pushLimit(in.readRawVarint32());
        nested++;
        Fields below = fields.message(number);
        if (lenient && below == Fields.LEFT_OUT) {
          in.skipRawBytes(in.getBytesUntilLimit());
        } else {
          message(field.getMessageType(), below);
        }
        nested--;
        in.popLimit(limit);
      }
      case STRING ->
          fields.text(
              number, lenient ? new String(in.readByteArray(), UTF_8) : in.readStringRequireUtf8());
      case BYTES -> fields.bytes(number, in.readByteArray());
      case INT32, UINT32, ENUM -> fields.number(number, in.readInt32());
      case INT64, UINT64 -> fields.number(number, in.readInt64());
      case FIXED32 -> fields.number(number, in.readFixed32());
      case FIXED64, SFIXED64, DOUBLE -> fields.number(number, in.readFixed64());
      case BOOL -> fields.number(number, in.readBool() ? 1 : 0);
      default -> throw new InvalidProtocolBufferException("No field has the type of " + field);
    }
  }
}
