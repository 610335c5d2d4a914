/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package de.hofladen.stock;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import net.littleweb.Web;

/** A lock that a background job holds for long. */
public final class StockApp {
  private StockApp() {}

  static final class Ledger {
    private final ReentrantLock lock = new ReentrantLock(true);
    private final Map<String, Integer> pieces = new HashMap<>();

    int reserve(String article) {
      lock.lock();
      try {
        return pieces.merge(article, 1, Integer::sum);
      } finally {
        lock.unlock();
      }
    }

    String writeSnapshot() throws Exception {
      lock.lock();
      try {
        String sum = pieces.toString();
        for (int i = 0; i < 120; i++) {
          sum = Web.digest(sum);
        }
        return sum;
      } finally {
        lock.unlock();
      }
    }
  }

  record Basket(Ledger ledger) {
    String checkout(String query) {
      return "reserved " + ledger.reserve("eggs" + query);
    }
  }

  public static void main(String[] args) throws Exception {
    Ledger ledger = new Ledger();
    Basket basket = new Basket(ledger);
    Executors.newSingleThreadScheduledExecutor()
        .scheduleWithFixedDelay(
            () -> {
              try {
                ledger.writeSnapshot();
              } catch (Exception e) {
                throw new IllegalStateException(e);
              }
            },
            0,
            1,
            TimeUnit.MILLISECONDS);
    new Web()
        .on("/articles", query -> Web.digest("articles"))
        .on("/farms", query -> Web.digest("farms" + query))
        .on("/checkout", basket::checkout)
        .on("/opening-hours", query -> "8 to 18")
        .onTheJdk();
  }
}
