/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.examples.demo.app;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Scope;
import java.util.Locale;

/** Burns CPU on text: writes a catalogue as JSON, reads it again and adds up its values. */
final class JsonEndpoint implements Endpoint {

  private static final int ARTICLES = 15_000;

  private final Tracer tracer;

  JsonEndpoint(Tracer tracer) {
    this.tracer = tracer;
  }

  @Override
  public String respond() {
    return "price of all articles: " + parse(render());
  }

  private String render() {
    Span span = tracer.spanBuilder("render catalogue").startSpan();
    try (Scope ignored = span.makeCurrent()) {
      JsonArray catalogue = new JsonArray();
      for (int i = 0; i < ARTICLES; i++) {
        JsonObject article = new JsonObject();
        article.addProperty("sku", "article-" + i);
        article.addProperty("title", describe(i));
        article.addProperty("price", i * 0.25);
        catalogue.add(article);
      }
      return catalogue.toString();
    } finally {
      span.end();
    }
  }

  private static String describe(int article) {
    StringBuilder text = new StringBuilder("\"Best\" <");
    for (int word = 0; word < 8; word++) {
      text.append(Integer.toString(article * 31 + word, 36)).append(' ');
    }
    return text.append('>').toString().toUpperCase(Locale.ROOT);
  }

  private double parse(String json) {
    Span span = tracer.spanBuilder("parse catalogue").startSpan();
    try (Scope ignored = span.makeCurrent()) {
      double sum = 0;
      for (JsonElement article : JsonParser.parseString(json).getAsJsonArray()) {
        sum += article.getAsJsonObject().get("price").getAsDouble();
      }
      return sum;
    } finally {
      span.end();
    }
  }
}
