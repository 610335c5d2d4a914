/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.processcontext;

import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.exporter.internal.marshal.MarshalerUtil;
import io.opentelemetry.exporter.internal.marshal.MarshalerWithSize;
import io.opentelemetry.exporter.internal.marshal.ProtoFieldInfo;
import io.opentelemetry.exporter.internal.marshal.Serializer;
import io.opentelemetry.exporter.internal.otlp.KeyValueMarshaler;
import io.opentelemetry.exporter.internal.otlp.ResourceMarshaler;
import io.opentelemetry.sdk.resources.Resource;
import java.io.ByteArrayOutputStream;
import java.io.IOException;

/**
 * Encodes {@code opentelemetry.proto.processcontext.v1development.ProcessContext { Resource
 * resource = 1; repeated KeyValue attributes = 2; }} with the marshalers of the OTLP exporter,
 * which applications have anyway. These are internals of the exporter, so loading this class may
 * fail with a {@link LinkageError}.
 */
final class ProcessContextMarshaler extends MarshalerWithSize {
  private static final int LENGTH_DELIMITED = 2;
  private static final ProtoFieldInfo RESOURCE =
      ProtoFieldInfo.create(1, 1 << 3 | LENGTH_DELIMITED, "resource");
  private static final ProtoFieldInfo ATTRIBUTES =
      ProtoFieldInfo.create(2, 2 << 3 | LENGTH_DELIMITED, "attributes");

  private final ResourceMarshaler resource;
  private final KeyValueMarshaler[] attributes;

  private ProcessContextMarshaler(ResourceMarshaler resource, KeyValueMarshaler[] attributes) {
    super(
        MarshalerUtil.sizeMessage(RESOURCE, resource)
            + MarshalerUtil.sizeRepeatedMessage(ATTRIBUTES, attributes));
    this.resource = resource;
    this.attributes = attributes;
  }

  static byte[] encode(Resource resource, Attributes attributes) throws IOException {
    ProcessContextMarshaler message =
        new ProcessContextMarshaler(
            ResourceMarshaler.create(resource), KeyValueMarshaler.createForAttributes(attributes));
    ByteArrayOutputStream encoded = new ByteArrayOutputStream(message.getBinarySerializedSize());
    message.writeBinaryTo(encoded);
    return encoded.toByteArray();
  }

  @Override
  protected void writeTo(Serializer output) throws IOException {
    output.serializeMessage(RESOURCE, resource);
    output.serializeRepeatedMessage(ATTRIBUTES, attributes);
  }
}
