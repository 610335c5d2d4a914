/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.protocol;

import io.flamespan.correlation.internal.log.RateLimitedLogger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * Validates datagrams and passes their content to a handler. An invalid datagram is dropped and
 * counted, with a warning at most once a minute. A higher minor version, with more bytes after the
 * known ones, is accepted.
 *
 * <pre>
 *   every message      registration (type 2)         correlation (type 1)
 *   0  type    uint16  4  samples delay ms  uint32   4   trace id        uint8[16]
 *   2  minor   uint16  8  host id         utf8-str   20  transaction id  uint8[8]
 *   4  payload                                       28  stack trace id  uint8[16]
 *                                                    44  count           uint16
 * </pre>
 *
 * An empty datagram is no message, and is ignored: a tool may send one and see whether it is read.
 *
 * <p>Source: Universal profiling integration, "Message format". Numbers have native endianness.
 */
public final class MessageDecoder {
  private static final int CORRELATION_TYPE = 1;
  private static final int REGISTRATION_TYPE = 2;

  private static final int TYPE_OFFSET = 0;
  private static final int PAYLOAD_OFFSET = 4;

  private static final int SAMPLES_DELAY_OFFSET = PAYLOAD_OFFSET;
  private static final int HOST_ID_OFFSET = SAMPLES_DELAY_OFFSET + Integer.BYTES;

  private static final int TRACE_ID_OFFSET = PAYLOAD_OFFSET;
  private static final int TRANSACTION_ID_OFFSET = TRACE_ID_OFFSET + 2 * Long.BYTES;
  private static final int STACK_TRACE_ID_OFFSET = TRANSACTION_ID_OFFSET + Long.BYTES;
  private static final int COUNT_OFFSET = STACK_TRACE_ID_OFFSET + 2 * Long.BYTES;
  private static final int CORRELATION_LENGTH = COUNT_OFFSET + Short.BYTES;

  private final MessageHandler handler;
  private final RateLimitedLogger logger;
  private volatile long datagrams;
  private volatile long registrationMessages;
  private volatile long correlationMessages;
  private volatile long invalidMessages;
  private volatile long lastMessageMillis;

  public MessageDecoder(MessageHandler handler) {
    this.handler = handler;
    this.logger = new RateLimitedLogger(MessageDecoder.class);
  }

  /** Decodes the bytes between position and limit. Called by one thread at a time. */
  @SuppressWarnings("NonAtomicVolatileUpdate") // one writer
  public void decode(ByteBuffer datagram) {
    datagrams++;
    if (!datagram.hasRemaining()) {
      return;
    }
    ByteBuffer message = datagram.slice().order(ByteOrder.nativeOrder());
    String problem = message.remaining() < PAYLOAD_OFFSET ? "no header" : dispatch(message);
    if (problem != null) {
      drop(problem, message.capacity());
    }
  }

  /** Counts a datagram that was larger than the buffer into which it was received. */
  @SuppressWarnings("NonAtomicVolatileUpdate") // one writer
  public void dropTruncated(int length) {
    datagrams++;
    drop("longer than any message", length);
  }

  /** Returns the number of datagrams, valid or not. */
  public long datagrams() {
    return datagrams;
  }

  /** Returns the number of valid registration messages. */
  public long registrationMessages() {
    return registrationMessages;
  }

  /** Returns the number of valid correlation messages. */
  public long correlationMessages() {
    return correlationMessages;
  }

  /** Returns the number of datagrams that were not valid messages. */
  public long invalidMessages() {
    return invalidMessages;
  }

  /** Returns the time of the last valid message in milliseconds since the epoch, or 0. */
  public long lastMessageMillis() {
    return lastMessageMillis;
  }

  private @Nullable String dispatch(ByteBuffer message) {
    int type = message.getShort(TYPE_OFFSET) & 0xffff;
    switch (type) {
      case CORRELATION_TYPE:
        return correlation(message);
      case REGISTRATION_TYPE:
        return registration(message);
      default:
        return "unknown message type " + type;
    }
  }

  @SuppressWarnings("NonAtomicVolatileUpdate") // one writer
  private @Nullable String correlation(ByteBuffer message) {
    if (message.remaining() < CORRELATION_LENGTH) {
      return "correlation message shorter than " + CORRELATION_LENGTH + " bytes";
    }
    correlationMessages++;
    lastMessageMillis = System.currentTimeMillis();
    int count = message.getShort(COUNT_OFFSET) & 0xffff;
    message.order(ByteOrder.BIG_ENDIAN); // ids are byte arrays
    handler.onCorrelation(
        message.getLong(TRACE_ID_OFFSET),
        message.getLong(TRACE_ID_OFFSET + Long.BYTES),
        message.getLong(TRANSACTION_ID_OFFSET),
        message.getLong(STACK_TRACE_ID_OFFSET),
        message.getLong(STACK_TRACE_ID_OFFSET + Long.BYTES),
        count);
    return null;
  }

  @SuppressWarnings("NonAtomicVolatileUpdate") // one writer
  private @Nullable String registration(ByteBuffer message) {
    if (message.remaining() < HOST_ID_OFFSET) {
      return "registration message without a host id";
    }
    message.position(HOST_ID_OFFSET);
    String hostId = Utf8Str.get(message);
    if (hostId == null) {
      return "registration message with a host id that is cut off or not UTF-8";
    }
    registrationMessages++;
    lastMessageMillis = System.currentTimeMillis();
    handler.onRegistration(message.getInt(SAMPLES_DELAY_OFFSET) & 0xffffffffL, hostId);
    return null;
  }

  @SuppressWarnings("NonAtomicVolatileUpdate") // one writer
  private void drop(String problem, int length) {
    invalidMessages++;
    logger.warn("Dropped a profiler message of " + length + " bytes: " + problem);
  }
}
