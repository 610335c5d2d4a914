/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.civic.permits;

import java.util.function.Supplier;
import net.littleweb.Web;

/** Exceptions for what is no exception, each with a deep stack. */
public final class PermitsApp {
  private PermitsApp() {}

  static final class FieldException extends RuntimeException {
    private static final long serialVersionUID = 1;

    FieldException(String field) {
      super("no number: " + field);
    }
  }

  static final class Numbers {
    int strict(String field) {
      if (field.isEmpty() || !Character.isDigit(field.charAt(0))) {
        throw new FieldException(field);
      }
      return Integer.parseInt(field);
    }
  }

  static final class LenientForm {
    private final Numbers numbers = new Numbers();

    int numberOrZero(String field) {
      try {
        return numbers.strict(field);
      } catch (FieldException e) {
        return 0;
      }
    }

    int sum(int fields) {
      int sum = 0;
      for (int i = 0; i < fields; i++) {
        sum += numberOrZero(i % 10 == 0 ? "1" : "none");
      }
      return sum;
    }
  }

  static final class Section {
    private final int depth;

    Section(int depth) {
      this.depth = depth;
    }

    int visit(Supplier<Integer> innermost) {
      return depth == 0 ? innermost.get() : new Section(depth - 1).visit(innermost);
    }
  }

  public static void main(String[] args) throws Exception {
    LenientForm form = new LenientForm();
    new Web()
        .on("/offices", query -> Web.digest("offices"))
        .on("/permit", query -> "sum " + new Section(150).visit(() -> form.sum(8_000)))
        .on("/fees", query -> Web.digest("fees"))
        .on("/queue", query -> Web.digest("queue"))
        .onJetty();
  }
}
