/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.embedded.otlp;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.InvalidProtocolBufferException;
import io.flamespan.embedded.messages.MessageConformance;
import io.opentelemetry.proto.collector.profiles.v1development.ExportProfilesServiceRequest;
import io.opentelemetry.proto.collector.profiles.v1development.ExportProfilesServiceResponse;
import io.opentelemetry.proto.profiles.v1development.ProfilesData;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A server that receives profiles on this machine. */
abstract class Receiver implements AutoCloseable {
  /** What arrived: the path or method, headers by name in lower case, and the message. */
  record Received(String path, Map<String, String> headers, byte[] message) {
    ExportProfilesServiceRequest decode() {
      try {
        assertThat(MessageConformance.violations(ProfilesData.parseFrom(message))).isEmpty();
        return ExportProfilesServiceRequest.parseFrom(message);
      } catch (InvalidProtocolBufferException e) {
        throw new AssertionError(e);
      }
    }
  }

  final BlockingQueue<Received> received = new LinkedBlockingQueue<>();

  /** What requests wait for before they are answered. */
  volatile CountDownLatch mayAnswer = new CountDownLatch(0);

  /** The status of HTTP or gRPC, or 0 if all is well. */
  volatile int status;

  /** How many profiles of an accepted message are rejected. */
  volatile int rejected;

  /** Why a message is refused, or profiles of it are rejected. */
  volatile String reason = "";

  /** The answer to a message that is accepted. */
  byte[] success() {
    ExportProfilesServiceResponse.Builder answer = ExportProfilesServiceResponse.newBuilder();
    if (rejected > 0 || !reason.isEmpty()) {
      answer.getPartialSuccessBuilder().setRejectedProfiles(rejected).setErrorMessage(reason);
    }
    return answer.build().toByteArray();
  }

  abstract String url();

  @Override
  public abstract void close();

  Received await() throws InterruptedException {
    Received next = received.poll(1, TimeUnit.MINUTES);
    if (next == null) {
      throw new AssertionError("nothing has arrived");
    }
    return next;
  }
}
