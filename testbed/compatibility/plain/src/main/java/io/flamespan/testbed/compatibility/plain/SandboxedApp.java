/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.testbed.compatibility.plain;

import io.opentelemetry.sdk.autoconfigure.AutoConfiguredOpenTelemetrySdk;
import java.io.IOException;
import java.security.AccessControlContext;
import java.security.AccessController;
import java.security.PrivilegedAction;
import java.security.ProtectionDomain;

/** Serves its requests as code to which a security manager grants nothing. */
public final class SandboxedApp {
  private static final AccessControlContext NOTHING_GRANTED =
      new AccessControlContext(new ProtectionDomain[] {new ProtectionDomain(null, null)});

  private SandboxedApp() {}

  /** Serves requests until the process is terminated. */
  public static void main(String[] arguments) throws IOException {
    if (System.getSecurityManager() == null) {
      throw new IllegalStateException("there is no security manager");
    }
    TracedRequests requests =
        new TracedRequests(AutoConfiguredOpenTelemetrySdk.initialize().getOpenTelemetrySdk());
    // OpenTelemetry itself reads properties when it is first used.
    requests.serve("00-0123456789abcdef0123456789abcdef-0123456789abcdef-01");
    PlainServer.start(
        new PlainServer.Requests() {
          @Override
          public void serve(String traceParent) {
            sandboxed(() -> requests.serve(traceParent));
          }

          @Override
          public void serveNobody() {
            sandboxed(requests::serveNobody);
          }
        });
  }

  private static void sandboxed(Runnable task) {
    AccessController.doPrivileged(
        (PrivilegedAction<Void>)
            () -> {
              task.run();
              return null;
            },
        NOTHING_GRANTED);
  }
}
