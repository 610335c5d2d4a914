/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.results;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Tells the methods of an application from methods of the JDK, servers and libraries. Without
 * packages of a user, these are the packages that are no known library and, if there are several
 * graphs, in which their stacks begin to differ: a server is above that, a library below. Those of
 * the class whose main method started the process are own, even among packages of libraries.
 */
public final class OwnCode {
  private static final Set<String> LIBRARIES =
      Set.of(
          ("java javax jakarta jdk sun com.sun kotlin kotlinx scala groovy clojure akka play rx"
                  + " okhttp3 okio retrofit2 io.netty io.undertow io.vertx io.quarkus io.helidon"
                  + " io.micronaut io.micrometer io.grpc io.reactivex io.opentelemetry io.prometheus"
                  + " io.lettuce io.ktor io.dropwizard io.smallrye io.jsonwebtoken io.swagger"
                  + " io.flamespan.correlation io.flamespan.embedded one.profiler reactor"
                  + " co.elastic redis.clients ch.qos.logback net.bytebuddy net.sf net.logstash"
                  + " javassist freemarker antlr oracle liquibase com.fasterxml com.google com.zaxxer"
                  + " com.mysql com.microsoft com.mongodb com.datastax com.ibm com.oracle"
                  + " com.github.benmanes com.rabbitmq com.codahale com.squareup com.netflix"
                  + " com.typesafe com.datadog com.newrelic com.amazonaws com.azure com.hazelcast"
                  + " com.mchange com.querydsl com.jayway com.graphql graphql software.amazon"
                  + " org.springframework org.apache org.eclipse org.jboss org.hibernate"
                  + " org.postgresql org.mariadb org.h2 org.hsqldb org.slf4j org.glassfish org.jvnet"
                  + " org.wildfly org.xnio org.infinispan org.jooq org.mybatis org.thymeleaf"
                  + " org.flywaydb org.aspectj org.codehaus org.reactivestreams org.objectweb"
                  + " org.objenesis org.joda org.bouncycastle org.mozilla org.yaml org.xml org.w3c"
                  + " org.xerial org.sqlite org.redisson org.elasticsearch org.opensearch org.neo4j"
                  + " org.jetbrains org.json org.mockito org.junit org.quartz org.http4s org.scalatra"
                  + " org.graalvm org.openjdk org.antlr org.jctools org.agrona org.rocksdb org.xmlpull"
                  + " org.snakeyaml tools.jackson io.github.resilience4j dev.failsafe net.jodah"
                  + " net.minidev net.sourceforge feign brave zipkin2 io.zipkin io.sentry io.fabric8"
                  + " io.kubernetes io.confluent io.minio io.nats io.awspring com.auth0 com.nimbusds"
                  + " com.lowagie com.itextpdf com.ctc com.sendgrid com.stripe com.twilio"
                  + " com.github.jknack com.googlecode org.ehcache org.jdbi org.jsoup org.owasp"
                  + " org.mapstruct org.modelmapper org.springdoc org.locationtech org.typelevel"
                  + " org.http4k org.koin org.projectlombok org.cache2k")
              .split(" "));

  /** The first parts of packages that alone do not tell who wrote them. */
  private static final Set<String> COMMON = Set.of("com", "org", "net", "io", "de", "uk", "co");

  /** Code that a JVM makes, which has no class. */
  private static final Pattern MADE_BY_THE_JVM =
      Pattern.compile("(?i)^interpreter$|stub|adapter|blob|arraycopy|^\\W");

  private static final Pattern METHOD =
      Pattern.compile(
          "(?:\\S+ )?([\\w$/.<>-]+\\.[\\w$<>-]+)(\\(.*)?", Pattern.UNICODE_CHARACTER_CLASS);

  /** Classes that a JVM or a library makes, which carry the name of another class. */
  private static final Pattern MADE_OF_ANOTHER =
      Pattern.compile(
          "\\$\\$(Lambda|InjectedInvoker|\\w*CGLIB|(Enhancer|FastClass)By|\\w+ByGuice)|\\$Proxy"
              + "|\\$(ByteBuddy|Hibernate\\w*Proxy|MockitoMock)\\$|_\\$\\$_"
              + "|_(ClientProxy|Subclass|WeldSubclass)\\.");

  private static final Pattern MAIN = Pattern.compile("([\\w$.]+)\\.[\\w$]+\\.main");

  /** Libraries, beside the JDK, whose main methods start applications of others. */
  private static final Pattern LAUNCHER =
      Pattern.compile(
          "(org\\.(springframework\\.boot|eclipse\\.(jetty|equinox|core)|jboss|wildfly|codehaus|junit"
              + "|glassfish|apache\\.(catalina|tomcat|tomee|openejb|maven|karaf|felix|commons))"
              + "|io\\.(quarkus|vertx|helidon|micronaut|ktor|opentelemetry|flamespan\\.(correlation"
              + "|embedded))|com\\.(intellij|sun|ibm\\.(ws|wsspi))|scala|groovy|clojure|kotlin|kotlinx"
              + "|akka|play|weblogic|java|jdk|sun)\\..*");

  private static final double MOST = 0.6;

  private final Set<String> started; // packages of the class with the main method
  private final Set<String> packages;
  private final boolean chosen;
  private final boolean haveClasses; // else a name without a class may be a method's, too
  private final Map<Frame, Boolean> known = new HashMap<>();

  private OwnCode(Set<String> started, Set<String> packages, boolean chosen, boolean haveClasses) {
    this.started = started;
    this.packages = packages;
    this.chosen = chosen;
    this.haveClasses = haveClasses;
  }

  /** The methods of these packages, and of those in them. */
  public static OwnCode of(List<String> packages) {
    return new OwnCode(Set.of(), new TreeSet<>(packages), true, true);
  }

  /** All but the JDK, servers and libraries that are known by name. */
  public static OwnCode withoutLibraries() {
    return new OwnCode(Set.of(), Set.of(), false, true);
  }

  /** What the stacks of these endpoints and of main threads tell. */
  public static OwnCode of(Iterable<FlameTree> trees, Iterable<FlameTree> mains) {
    List<FlameTree> all = new ArrayList<>();
    Map<Frame, Integer> uses = new HashMap<>();
    for (FlameTree tree : trees) {
      all.add(tree);
      Set<Frame> frames = new HashSet<>();
      for (int node = 1; node < tree.size(); node++) {
        frames.add(tree.frame(node));
      }
      frames.forEach(frame -> uses.merge(frame, 1, Integer::sum));
    }
    boolean haveClasses = uses.keySet().stream().anyMatch(frame -> !ofClass(frame).isEmpty());
    Set<String> started = started(mains);
    OwnCode candidates = new OwnCode(started, Set.of(), false, haveClasses);
    Set<String> found = new TreeSet<>(started);
    for (FlameTree tree : all) {
      boolean[] differs = new boolean[tree.size()]; // from most others, at or above the node
      for (int node = 1; node < tree.size(); node++) {
        Frame frame = tree.frame(node);
        differs[node] = differs[tree.parent(node)];
        boolean shared = all.size() > 1 && uses.getOrDefault(frame, 0) > MOST * all.size();
        if (!differs[node] && !shared && candidates.isOwn(frame)) {
          differs[node] = true;
          found.add(candidates.origin(candidates.method(frame)));
        }
      }
    }
    // One endpoint alone differs from no other.
    boolean starts =
        uses.keySet().stream()
            .anyMatch(frame -> started.stream().anyMatch(one -> isIn(ofClass(frame), one)));
    Set<String> ofOne = starts ? started : Set.of();
    return new OwnCode(started, all.size() > 1 ? found : ofOne, false, haveClasses);
  }

  private static Set<String> started(Iterable<FlameTree> mains) {
    Set<String> started = new TreeSet<>();
    for (FlameTree tree : mains) {
      for (int node = 1; node < tree.size(); node++) {
        Matcher main = MAIN.matcher(ofClass(tree.frame(node)));
        if (main.matches() && !LAUNCHER.matcher(main.group()).matches()) {
          started.add(beginning(main.group(1)));
        }
      }
    }
    started.removeIf(one -> COMMON.contains(one) || LIBRARIES.contains(one));
    return started;
  }

  /** Of a package: what tells who wrote it, and one part more if that also wrote libraries. */
  private static String beginning(String name) {
    String library = library(name + ".");
    int end = name.indexOf('.', library.isEmpty() ? name.indexOf('.') + 1 : library.length() + 1);
    boolean common = !library.isEmpty() || COMMON.contains(name.replaceFirst("\\..*", ""));
    return common ? end < 0 ? name : name.substring(0, end) : name.replaceFirst("\\..*", "");
  }

  /** The known library of a method, or the empty string. */
  private static String library(String method) {
    for (int dot = method.indexOf('.'); dot > 0; dot = method.indexOf('.', dot + 1)) {
      if (LIBRARIES.contains(method.substring(0, dot))) {
        return method.substring(0, dot);
      }
    }
    return "";
  }

  /** The packages that were chosen or found; empty if all that are no known library are own. */
  public Set<String> packages() {
    return packages;
  }

  public boolean isOwn(Frame frame) {
    return known.computeIfAbsent(frame, this::decided);
  }

  private boolean decided(Frame frame) {
    String method = method(frame);
    if (method.isEmpty() || MADE_OF_ANOTHER.matcher(method).find()) {
      return false;
    }
    if (chosen) {
      return packages.stream().anyMatch(one -> isIn(method, one));
    }
    if (started.stream().anyMatch(one -> isIn(method, one))) {
      return true;
    }
    if (!library(method).isEmpty()) {
      return false;
    }
    String origin = origin(method);
    return packages.isEmpty() || !origin.contains(".") || packages.contains(origin);
  }

  private static boolean isIn(String method, String prefix) {
    return method.startsWith(prefix)
        && (method.length() == prefix.length()
            || prefix.endsWith(".")
            || !Character.isJavaIdentifierPart(method.charAt(prefix.length())));
  }

  /** Whether it is a method of Java, and not code that a JVM made or in another language. */
  public boolean isJava(Frame frame) {
    return !method(frame).isEmpty();
  }

  /** The class, if there is one, and the method with dots; empty if it is none of Java. */
  private String method(Frame frame) {
    String method = ofClass(frame);
    boolean alone =
        !haveClasses
            && method.isEmpty()
            && frame.kind().equals("jvm")
            && !MADE_BY_THE_JVM.matcher(frame.name()).find();
    return alone ? frame.name() : method;
  }

  /** The class and the method with dots, or the empty string. */
  private static String ofClass(Frame frame) {
    if (!frame.kind().isEmpty() && !frame.kind().equals("jvm")) {
      return "";
    }
    Matcher method = METHOD.matcher(frame.name());
    return method.matches() ? method.group(1).replace('/', '.') : "";
  }

  /** The beginning of the package that tells who wrote it. */
  private String origin(String method) {
    for (String one : started) {
      if (isIn(method, one)) {
        return one;
      }
    }
    int first = method.indexOf('.');
    int second = first < 0 ? -1 : method.indexOf('.', first + 1);
    boolean isClass = first > 0 && Character.isUpperCase(method.charAt(first + 1));
    if (second < 0 || isClass || !COMMON.contains(method.substring(0, first))) {
      return first < 0 || Character.isUpperCase(method.charAt(0)) ? "" : method.substring(0, first);
    }
    return method.substring(0, second);
  }
}
