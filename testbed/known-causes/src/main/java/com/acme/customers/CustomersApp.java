/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package com.acme.customers;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.List;
import java.util.stream.IntStream;
import net.littleweb.Web;

/** All that there is, as JSON. */
public final class CustomersApp {
  private CustomersApp() {}

  public record Line(int article, String text, double price) {}

  public static final class Order {
    private final int number;
    private final List<Line> lines;

    Order(int number) {
      this.number = number;
      this.lines =
          IntStream.range(0, 20).mapToObj(i -> new Line(i, "article " + i, 1.5 * i)).toList();
    }

    public int getNumber() {
      return number;
    }

    public List<Line> getLines() {
      return lines;
    }

    public double getTotal() {
      return lines.stream().mapToDouble(Line::price).sum();
    }
  }

  public record Customer(int number, List<Order> orders) {}

  interface View {
    String of(List<Customer> customers) throws Exception;
  }

  static final class FullView implements View {
    private final ObjectMapper mapper = new ObjectMapper();

    @Override
    public String of(List<Customer> customers) throws Exception {
      return mapper.writeValueAsString(customers);
    }
  }

  record Customers(List<Customer> all, View view) {
    String list() throws Exception {
      return "bytes: " + view.of(all).length();
    }
  }

  public static void main(String[] args) throws Exception {
    List<Customer> all =
        IntStream.range(0, 300)
            .mapToObj(i -> new Customer(i, IntStream.range(0, 25).mapToObj(Order::new).toList()))
            .toList();
    Customers customers = new Customers(all, new FullView());
    new Web()
        .on("/regions", query -> Web.digest("regions"))
        .on("/customers", query -> customers.list())
        .on("/offers", query -> Web.digest("offers"))
        .on("/visits", query -> Web.digest("visits"))
        .onJetty();
  }
}
