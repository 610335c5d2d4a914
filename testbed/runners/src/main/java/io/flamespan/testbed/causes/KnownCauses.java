/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.testbed.causes;

import io.flamespan.testbed.harness.Results;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/**
 * Starts applications whose slow endpoint has a known cause, as {@code make flame-graphs APP=}
 * does, and then asks as a stranger would: first for the endpoints, then what each answer names
 * next. The first three rows have to name the method that is the cause.
 *
 * <p>Ends with status 0 if all causes were named, 1 if one was not, 2 if there was nothing to ask.
 */
public final class KnownCauses {
  private static final int AT_A_TIME = 2;
  private static final int ROWS = 3;

  private static final List<Cause> CAUSES =
      List.of(
          new Cause(
              "ContactsApp",
              List.of("/import", "/contacts", "/groups", "/status"),
              false,
              "MailAddressRule.accepts"),
          new Cause(
              "com.acme.customers.CustomersApp",
              List.of("/customers", "/regions", "/offers", "/visits"),
              false,
              "FullView.of"),
          new Cause(
              "com.acme.orders.OrdersApp",
              List.of("/order", "/baskets", "/delivery", "/returns"),
              true,
              "Database.transaction"),
          new Cause(
              "com.google.reports.ReportsApp",
              List.of("/export", "/charts", "/reports", "/users"),
              false,
              "CsvFormat.write"),
          new Cause(
              "com.example.payments.PaymentsApp",
              List.of("/pay", "/cards", "/currencies", "/receipt"),
              true,
              "SettlementPoller.await"),
          new Cause(
              "de.hofladen.stock.StockApp",
              List.of("/checkout", "/articles", "/farms", "/opening-hours"),
              true,
              "Ledger.reserve"),
          new Cause(
              "io.fleet.routes.RoutesApp",
              List.of("/route", "/drivers", "/trucks", "/depots"),
              true,
              "RoutePlanner.totalMinutes"),
          new Cause(
              "org.bluebank.statements.StatementsApp",
              List.of("/statement", "/accounts", "/balance", "/limits"),
              false,
              "distinctRef"),
          new Cause(
              "org.civic.permits.PermitsApp",
              List.of("/permit", "/offices", "/fees", "/queue"),
              false,
              "Numbers.strict"),
          new Cause(
              "shop.catalog.CatalogApp",
              List.of("/catalog", "/brands", "/shops", "/imprint"),
              true,
              "CatalogService.listWithPrices"));

  private KnownCauses() {}

  /**
   * Runs everything. The arguments are the script that starts an application, the class path of the
   * applications, the jar that answers, a directory for files and logs, and a regular expression
   * that selects applications.
   */
  public static void main(String[] args) throws Exception {
    Pattern selected = Pattern.compile(args[4]);
    List<Cause> causes =
        CAUSES.stream().filter(one -> selected.matcher(one.application()).find()).toList();
    if (causes.isEmpty()) {
      System.err.println("No application matches " + args[4]);
      System.exit(2);
    }
    Results results = new Results();
    boolean nothing = false;
    ExecutorService runs = Executors.newFixedThreadPool(AT_A_TIME);
    try {
      List<Future<Questions>> asked =
          causes.stream()
              .map(
                  one ->
                      runs.submit(
                          () -> {
                            Path directory = Path.of(args[3], one.name()).toAbsolutePath();
                            new OwnApplication(one, Path.of(args[0]), args[1], directory).visit();
                            return Questions.ask(Path.of(args[2]), directory.resolve("otlp"));
                          }))
              .toList();
      for (int i = 0; i < causes.size(); i++) {
        check(causes.get(i), asked.get(i).get(), results);
      }
    } catch (ExecutionException e) {
      System.err.println("A cause was not looked for: " + e.getCause().getMessage());
      nothing = true;
    } finally {
      runs.shutdown();
      runs.awaitTermination(1, TimeUnit.HOURS);
    }
    System.exit(nothing ? 2 : results.failed() == 0 ? 0 : 1);
  }

  private static void check(Cause cause, Questions asked, Results results) {
    int row = asked.row(cause.method());
    boolean named =
        asked.endpoint().equals("GET " + cause.slow())
            && (!cause.waits() || asked.question().equals("waiting"))
            && row > 0
            && row <= ROWS;
    results.check(
        named,
        "%s: %s, %s, row %s names %s",
        cause.name(),
        asked.endpoint(),
        asked.question(),
        row == 0 ? "none" : row,
        cause.method());
    if (!named) {
      System.out.println(asked);
    }
  }
}
