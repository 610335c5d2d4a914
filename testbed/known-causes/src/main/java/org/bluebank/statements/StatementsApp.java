/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.bluebank.statements;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import net.littleweb.Web;

/** A list in place of a set. */
public final class StatementsApp {
  private StatementsApp() {}

  static final class Reference {
    private final String bank;
    private final long number;

    Reference(String bank, long number) {
      this.bank = bank;
      this.number = number;
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Reference reference
          && bank.equals(reference.bank)
          && number == reference.number;
    }

    @Override
    public int hashCode() {
      return Objects.hash(bank, number);
    }
  }

  static final class Deduplicator {
    List<Reference> distinctReferences(List<Reference> all) {
      List<Reference> seen = new ArrayList<>();
      for (Reference one : all) {
        if (!seen.contains(one)) {
          seen.add(one);
        }
      }
      return seen;
    }
  }

  static final class Statements {
    private final Deduplicator deduplicator = new Deduplicator();

    String month(int bookings) {
      List<Reference> all =
          IntStream.range(0, bookings).mapToObj(i -> new Reference("bluebank", i)).toList();
      return "bookings: " + deduplicator.distinctReferences(all).size();
    }
  }

  public static void main(String[] args) throws Exception {
    Statements statements = new Statements();
    new Web()
        .on("/accounts", query -> Web.digest("accounts"))
        .on("/statement", query -> statements.month(8_000))
        .on("/balance", query -> Web.digest("balance" + query))
        .on("/limits", query -> Web.digest("limits" + query))
        .onJetty();
  }
}
