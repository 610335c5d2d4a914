/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.results;

import java.io.IOException;
import java.io.InputStream;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import net.bytebuddy.ByteBuddy;
import net.bytebuddy.implementation.MethodDelegation;

/**
 * A program that prints the names of its frames, libraries and threads. With an argument, it first
 * makes others, so that its own have other numbers.
 */
public final class NumberedNames {
  // Their classes lack annotations, of which the compiler warns.
  private static final String EPOLL =
      "io.grpc.netty.shaded.io.netty.channel.epoll.EpollEventLoopGroup";

  private static final int MORE_CALLS_THAN_UNTIL_ACCESSORS = 40;

  /** Prints the stack on which it is called. */
  public static final class Printer implements Runnable {
    private static boolean quiet;

    @Override
    public void run() {
      print();
    }

    public static void print() {
      if (!quiet) {
        StackWalker.getInstance(StackWalker.Option.SHOW_HIDDEN_FRAMES)
            .forEach(
                frame ->
                    System.out.println(
                        "frame\t" + frame.getClassName() + "." + frame.getMethodName()));
      }
    }
  }

  private NumberedNames() {}

  public static void main(String[] args) throws Throwable {
    Printer.quiet = true;
    for (int i = 0; i < 1 + 30 * args.length; i++) {
      Executors.newFixedThreadPool(1).submit(() -> {}).get();
      makeOthers(i);
    }
    call();
    Printer.quiet = false;
    call();
    ExecutorService loops =
        (ExecutorService) Class.forName(EPOLL).getConstructor(int.class).newInstance(2);
    loops.submit(Printer::print).get();
    Class.forName("net.jpountz.lz4.LZ4Factory").getMethod("nativeInstance").invoke(null);
    libraries();
    Thread named = new Thread(NumberedNames::threads, "client-" + UUID.randomUUID());
    named.start();
    named.join();
    System.exit(0); // the others are no daemons
  }

  private static void makeOthers(int number) throws Throwable {
    Class<?>[] several = {Runnable.class, Comparable.class, AutoCloseable.class, Iterable.class};
    Proxy.newProxyInstance(
        NumberedNames.class.getClassLoader(),
        Stream.of(several).skip(number % 4).toArray(Class<?>[]::new),
        (proxy, method, arguments) -> null);
    hidden().run();
    generated().run();
    ((Runnable) () -> System.identityHashCode(number)).run();
  }

  private static void call() throws Throwable {
    Runnable lambda = () -> Printer.print();
    lambda.run();
    Runnable proxy =
        (Runnable)
            Proxy.newProxyInstance(
                NumberedNames.class.getClassLoader(),
                new Class<?>[] {Runnable.class},
                (made, method, arguments) -> {
                  Printer.print();
                  return null;
                });
    proxy.run();
    hidden().run();
    generated().run();
    MethodHandle handle =
        MethodHandles.lookup()
            .findStatic(Printer.class, "print", MethodType.methodType(void.class));
    MethodHandles.foldArguments(handle, handle).invokeExact();
    Method print = Printer.class.getMethod("print");
    boolean before = Printer.quiet;
    Printer.quiet = true;
    for (int i = 0; i < MORE_CALLS_THAN_UNTIL_ACCESSORS; i++) {
      print.invoke(null);
    }
    Printer.quiet = before;
    print.invoke(null);
  }

  private static Runnable hidden() throws Exception {
    try (InputStream in = Hidden.class.getResourceAsStream("NumberedNames$Hidden.class")) {
      return (Runnable)
          MethodHandles.lookup()
              .defineHiddenClass(in.readAllBytes(), true)
              .lookupClass()
              .getDeclaredConstructor()
              .newInstance();
    }
  }

  /** Its bytes become a hidden class. */
  static final class Hidden implements Runnable {
    Hidden() {}

    @Override
    public void run() {
      Printer.print();
    }
  }

  private static Runnable generated() throws ReflectiveOperationException {
    return new ByteBuddy()
        .subclass(Runnable.class)
        .method(method -> method.getName().equals("run"))
        .intercept(MethodDelegation.to(Printer.class))
        .make()
        .load(NumberedNames.class.getClassLoader())
        .getLoaded()
        .getDeclaredConstructor()
        .newInstance();
  }

  private static void libraries() throws IOException {
    try (Stream<String> maps = Files.lines(Path.of("/proc/self/maps"))) {
      maps.filter(line -> line.contains(".so"))
          .map(line -> line.substring(line.indexOf('/')))
          .distinct()
          .forEach(
              file ->
                  System.out.println(
                      "library\t"
                          + file
                          + "\t["
                          + file.substring(file.lastIndexOf('/') + 1)
                          + "]"));
    }
  }

  private static void threads() {
    try (Stream<Path> tasks = Files.list(Path.of("/proc/self/task"))) {
      for (Path task : tasks.toList()) {
        System.out.println("thread\t" + Files.readString(task.resolve("comm")).strip());
      }
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
    System.out.println("thread\t" + Thread.currentThread().getName());
  }
}
