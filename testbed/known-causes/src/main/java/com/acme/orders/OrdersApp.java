/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package com.acme.orders;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;
import net.littleweb.Web;

/** A connection of the pool that is kept during work which needs none. */
public final class OrdersApp {
  private OrdersApp() {}

  interface Work<T> {
    T with(Connection connection) throws SQLException;
  }

  static final class Database {
    private final DataSource source;

    Database(DataSource source) {
      this.source = source;
    }

    <T> T transaction(Work<T> work) throws SQLException {
      try (Connection connection = source.getConnection()) {
        return work.with(connection);
      }
    }
  }

  static final class Mail {
    void confirm(int orders) {
      try {
        Thread.sleep(80); // a slow server
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  static final class OrderStore {
    private final Database database;
    private final Mail mail = new Mail();

    OrderStore(Database database) {
      this.database = database;
    }

    int placeAndConfirm(int article) throws SQLException {
      return database.transaction(
          connection -> {
            try (Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery("select " + article)) {
              result.next();
              mail.confirm(result.getInt(1));
              return result.getInt(1);
            }
          });
    }
  }

  public static void main(String[] args) throws Exception {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl("jdbc:h2:mem:orders");
    config.setMaximumPoolSize(1);
    OrderStore store = new OrderStore(new Database(new HikariDataSource(config)));
    new Web()
        .on("/baskets", query -> Web.digest("baskets"))
        .on("/order", query -> "placed " + store.placeAndConfirm(7))
        .on("/delivery", query -> Web.digest("delivery"))
        .on("/returns", query -> Web.digest("returns"))
        .onJetty();
  }
}
