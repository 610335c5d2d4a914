/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.examples.demo.app;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;

/** Something to sort: an order of a customer. */
final class Order {

  static final Comparator<Order> BY_CUSTOMER_THEN_AMOUNT =
      Comparator.comparing(Order::customer).thenComparingLong(Order::cents);

  private final String customer;
  private final long cents;

  private Order(String customer, long cents) {
    this.customer = customer;
    this.cents = cents;
  }

  static List<Order> random(int count, long seed) {
    Random random = new Random(seed);
    List<Order> orders = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      orders.add(new Order("customer-" + random.nextInt(1_000), random.nextInt(100_000)));
    }
    return orders;
  }

  String customer() {
    return customer;
  }

  long cents() {
    return cents;
  }
}
