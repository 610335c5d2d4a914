/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.answers;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.gson.Gson;
import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonPrimitive;
import com.google.gson.Strictness;
import com.google.gson.TypeAdapter;
import com.google.gson.stream.JsonReader;
import com.google.gson.stream.JsonToken;
import io.flamespan.page.input.FileErrors;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The questions as tools of the Model Context Protocol. */
final class McpServer {
  private static final List<String> VERSIONS =
      List.of("2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05");
  private static final String WITH_BATCHES = "2025-03-26";
  private static final TypeAdapter<JsonElement> ANY = new Gson().getAdapter(JsonElement.class);
  private static final int MOST_MESSAGES = 50; // of a batch
  private static final int OK = 200;
  private static final int ACCEPTED = 202;
  private static final int BAD_REQUEST = 400;
  private static final int PARSE_ERROR = -32700;
  private static final int INVALID_REQUEST = -32600;
  private static final int METHOD_NOT_FOUND = -32601;
  private static final int INVALID_PARAMS = -32602;

  private static final class ErrorException extends Exception {
    private static final long serialVersionUID = 1;
    final int code;

    ErrorException(int code, String message) {
      super(message);
      this.code = code;
    }
  }

  private final Asked.Source source;
  private final String version;
  private boolean hasBatches;

  McpServer(Asked.Source source, String version) {
    this.source = source;
    this.version = version;
  }

  static boolean knows(String protocol) {
    return VERSIONS.contains(protocol);
  }

  /** Serves one message on each line until the end of the input. */
  void serve(InputStream in, PrintStream out) throws IOException {
    BufferedReader lines = new BufferedReader(new InputStreamReader(in, UTF_8));
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      JsonElement answer = line.isBlank() ? null : receive(line);
      if (answer != null) {
        out.print(answer + "\n");
        out.flush();
      }
    }
  }

  /**
   * Answers one message over HTTP.
   *
   * @param protocol the version in the header of the request, or null
   */
  Asked.HttpAnswer post(String text, @Nullable String protocol) {
    hasBatches = protocol == null || protocol.equals(WITH_BATCHES);
    JsonElement answer = receive(text);
    if (answer == null) {
      return new Asked.HttpAnswer(ACCEPTED, "");
    }
    boolean refused = answer.isJsonObject() && answer.getAsJsonObject().get("id").isJsonNull();
    return new Asked.HttpAnswer(refused ? BAD_REQUEST : OK, answer.toString());
  }

  /** Null if the message needs no answer. */
  private @Nullable JsonElement receive(String text) {
    try {
      JsonElement message = parsed(text);
      return message.isJsonArray() ? batch(message.getAsJsonArray()) : answer(message);
    } catch (ErrorException e) {
      return error(JsonNull.INSTANCE, e);
    }
  }

  /** Only the version of March 2025 has batches. */
  private @Nullable JsonElement batch(JsonArray messages) throws ErrorException {
    if (!hasBatches || messages.isEmpty()) {
      throw new ErrorException(INVALID_REQUEST, "not an object; send one message on each line");
    }
    if (messages.size() > MOST_MESSAGES) {
      throw new ErrorException(INVALID_REQUEST, "more than " + MOST_MESSAGES + " messages");
    }
    JsonArray answers = new JsonArray();
    for (JsonElement message : messages) {
      JsonElement answer = answer(message);
      if (answer != null) {
        answers.add(answer);
      }
    }
    return answers.isEmpty() ? null : answers;
  }

  /** Null to a notification, and to the answer to a request, which this server never sends. */
  private @Nullable JsonObject answer(JsonElement element) {
    JsonElement id = JsonNull.INSTANCE;
    try {
      JsonObject message = object(element, INVALID_REQUEST);
      if (isGiven(message, "id")) {
        id = id(message.get("id"));
      }
      boolean isAnswer = message.has("result") || message.has("error");
      if (!message.has("method") && isAnswer) {
        return null;
      }
      JsonElement method = message.get("method");
      if (method == null
          || !isString(method)
          || !message.has("jsonrpc")
          || !message.get("jsonrpc").equals(new JsonPrimitive("2.0"))) {
        throw new ErrorException(INVALID_REQUEST, "not a request of JSON-RPC 2.0");
      }
      if (!message.has("id")) {
        return null;
      }
      if (id.isJsonNull()) {
        throw new ErrorException(INVALID_REQUEST, "the id of a request is a string or a number");
      }
      JsonObject answer = new JsonObject();
      answer.addProperty("jsonrpc", "2.0");
      answer.add("result", result(method.getAsString(), parameters(message)));
      answer.add("id", id);
      return answer;
    } catch (ErrorException e) {
      return error(id, e);
    }
  }

  private static JsonElement id(JsonElement id) throws ErrorException {
    boolean valid = isString(id) || (id.isJsonPrimitive() && id.getAsJsonPrimitive().isNumber());
    if (!valid) {
      throw new ErrorException(INVALID_REQUEST, "the id of a request is a string or a number");
    }
    return id;
  }

  private static JsonObject error(JsonElement id, ErrorException e) {
    JsonObject error = new JsonObject();
    error.addProperty("code", e.code);
    error.addProperty("message", e.getMessage());
    JsonObject answer = new JsonObject();
    answer.addProperty("jsonrpc", "2.0");
    answer.add("error", error);
    answer.add("id", id);
    return answer;
  }

  private JsonObject result(String method, JsonObject parameters) throws ErrorException {
    return switch (method) {
      case "initialize" -> initialize(parameters);
      case "ping" -> new JsonObject();
      case "tools/list" -> tools();
      case "tools/call" -> call(parameters);
      default -> throw new ErrorException(METHOD_NOT_FOUND, "there is no method " + method);
    };
  }

  private JsonObject initialize(JsonObject parameters) throws ErrorException {
    String asked = string(parameters, "protocolVersion");
    JsonObject result = new JsonObject();
    String chosen = VERSIONS.contains(asked) ? asked : VERSIONS.get(0);
    hasBatches = chosen.equals(WITH_BATCHES);
    result.addProperty("protocolVersion", chosen);
    JsonObject capabilities = new JsonObject();
    capabilities.add("tools", new JsonObject());
    result.add("capabilities", capabilities);
    JsonObject server = new JsonObject();
    server.addProperty("name", "flamespan-page");
    server.addProperty("version", version);
    result.add("serverInfo", server);
    result.addProperty(
        "instructions",
        "CPU time and waiting of requests from profiles joined with traces. Ask endpoints first,"
            + " then methods of the endpoint in question, whose own time names the code to change."
            + " Names may be copied from an answer. Each answer is short and says what it left"
            + " out.");
    return result;
  }

  private JsonObject tools() {
    JsonArray tools = new JsonArray();
    for (Question question : Question.values()) {
      JsonObject properties = new JsonObject();
      JsonArray required = new JsonArray();
      for (String parameter : question.parameters) {
        properties.add(parameter, property(Question.MEANINGS.get(parameter)));
        if (question.needs(parameter)) {
          required.add(parameter);
        }
      }
      if (source.hasRanges()) {
        new TreeMap<>(Asked.RANGE)
            .forEach((name, meaning) -> properties.add(name, property(meaning)));
      }
      JsonObject schema = new JsonObject();
      schema.addProperty("type", "object");
      schema.add("properties", properties);
      schema.add("required", required);
      schema.addProperty("additionalProperties", false);
      JsonObject tool = new JsonObject();
      tool.addProperty("name", question.word());
      tool.addProperty("description", question.description);
      tool.add("inputSchema", schema);
      JsonObject hints = new JsonObject();
      hints.addProperty("readOnlyHint", true);
      tool.add("annotations", hints);
      tools.add(tool);
    }
    JsonObject result = new JsonObject();
    result.add("tools", tools);
    return result;
  }

  private static JsonObject property(@Nullable String meaning) {
    JsonObject property = new JsonObject();
    property.addProperty("type", "string");
    property.addProperty("description", meaning);
    return property;
  }

  private JsonObject call(JsonObject parameters) throws ErrorException {
    String name = string(parameters, "name");
    if (!Asked.questions().contains(name)) {
      throw new ErrorException(INVALID_PARAMS, "there is no tool " + name);
    }
    JsonObject given =
        isGiven(parameters, "arguments")
            ? object(parameters.get("arguments"), INVALID_PARAMS)
            : new JsonObject();
    Map<String, String> arguments = new HashMap<>();
    try {
      for (String key : given.keySet()) {
        arguments.put(key, string(given, key));
      }
      ByteArrayOutputStream text = new ByteArrayOutputStream();
      Optional<String> problem = source.answer(name, arguments, new PrintStream(text, true, UTF_8));
      return content(problem.orElseGet(() -> text.toString(UTF_8)), problem.isPresent());
    } catch (ErrorException e) { // which the model that asks can correct
      return content(String.valueOf(e.getMessage()), true);
    } catch (IOException e) {
      return content(FileErrors.line(e), true);
    } catch (UncheckedIOException e) {
      return content(FileErrors.line(e), true);
    } catch (RuntimeException e) { // the next question may be answered
      return content("this question cannot be answered: " + e, true);
    }
  }

  private static JsonObject content(String text, boolean failed) {
    JsonObject content = new JsonObject();
    content.addProperty("type", "text");
    content.addProperty("text", text);
    JsonArray contents = new JsonArray();
    contents.add(content);
    JsonObject result = new JsonObject();
    result.add("content", contents);
    result.addProperty("isError", failed);
    return result;
  }

  private static JsonElement parsed(String line) throws ErrorException {
    try (JsonReader json = new JsonReader(new StringReader(line))) {
      json.setStrictness(Strictness.STRICT);
      JsonElement parsed = ANY.read(json);
      if (json.peek() == JsonToken.END_DOCUMENT) {
        return parsed;
      }
    } catch (JsonParseException | IOException | NumberFormatException e) {
      // The same as more than one value.
    }
    throw new ErrorException(PARSE_ERROR, "not JSON");
  }

  private static JsonObject parameters(JsonObject message) throws ErrorException {
    return isGiven(message, "params")
        ? object(message.get("params"), INVALID_PARAMS)
        : new JsonObject();
  }

  private static boolean isGiven(JsonObject object, String name) {
    return object.has(name) && !object.get(name).isJsonNull();
  }

  private static boolean isString(JsonElement element) {
    return element.isJsonPrimitive() && element.getAsJsonPrimitive().isString();
  }

  private static JsonObject object(JsonElement element, int code) throws ErrorException {
    if (!element.isJsonObject()) {
      throw new ErrorException(code, "not an object");
    }
    return element.getAsJsonObject();
  }

  /** The empty string if it is missing. */
  private static String string(JsonObject object, String name) throws ErrorException {
    JsonElement value = object.get(name);
    if (value == null || value.isJsonNull()) {
      return "";
    }
    if (!value.isJsonPrimitive()) {
      throw new ErrorException(INVALID_PARAMS, name + " is not a string");
    }
    return value.getAsString();
  }
}
