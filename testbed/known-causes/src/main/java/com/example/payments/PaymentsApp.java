/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package com.example.payments;

import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import net.littleweb.Web;

/** A loop that asks again and again, and sleeps in between. */
public final class PaymentsApp {
  private PaymentsApp() {}

  static final class Pause {
    void between(int attempt) throws InterruptedException {
      TimeUnit.MILLISECONDS.sleep(10L * attempt);
    }
  }

  static final class Retrier {
    private final Pause pause = new Pause();

    <T> T untilPresent(Callable<T> callable) throws Exception {
      for (int attempt = 1; ; attempt++) {
        T result = callable.call();
        if (result != null) {
          return result;
        }
        pause.between(attempt);
      }
    }
  }

  interface Settlements {
    String state(String payment);
  }

  static final class SettlementPoller {
    private final Retrier retrier = new Retrier();
    private final Settlements settlements;

    SettlementPoller(Settlements settlements) {
      this.settlements = settlements;
    }

    String awaitSettled(String payment) throws Exception {
      return retrier.untilPresent(() -> settlements.state(payment));
    }
  }

  record Payments(SettlementPoller poller, AtomicInteger numbers) {
    String pay(String query) throws Exception {
      return poller.awaitSettled("payment " + numbers.incrementAndGet());
    }
  }

  public static void main(String[] args) throws Exception {
    Map<String, AtomicInteger> asked = new ConcurrentHashMap<>();
    Settlements settlements =
        payment ->
            asked.computeIfAbsent(payment, any -> new AtomicInteger()).incrementAndGet() < 8
                ? null
                : "settled";
    Payments payments = new Payments(new SettlementPoller(settlements), new AtomicInteger());
    new Web()
        .on("/cards", query -> Web.digest("cards"))
        .on("/currencies", query -> Web.digest("currencies"))
        .on("/pay", payments::pay)
        .on("/receipt", query -> Web.digest("receipt" + query))
        .onTheJdk();
  }
}
