/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package com.google.reports;

import java.util.List;
import java.util.stream.IntStream;
import net.littleweb.Web;

/** A text that grows by copies of itself, in a package of those of known libraries. */
public final class ReportsApp {
  private ReportsApp() {}

  record Row(int number, String text) {
    String cells() {
      return number + ";" + text;
    }
  }

  interface Format {
    String write(List<Row> rows);
  }

  static final class CsvFormat implements Format {
    @Override
    public String write(List<Row> rows) {
      String text = "";
      for (Row row : rows) {
        text += row.cells() + "\n";
      }
      return text;
    }
  }

  record Export(Format format) {
    int length(int rows) {
      return format
          .write(IntStream.range(0, rows).mapToObj(i -> new Row(i, "row")).toList())
          .length();
    }
  }

  public static void main(String[] args) throws Exception {
    Export export = new Export(new CsvFormat());
    new Web()
        .on("/charts", query -> Web.digest("charts"))
        .on("/export", query -> "length " + export.length(7_000))
        .on("/reports", query -> Web.digest("reports"))
        .on("/users", query -> Web.digest("users"))
        .onTheJdk();
  }
}
