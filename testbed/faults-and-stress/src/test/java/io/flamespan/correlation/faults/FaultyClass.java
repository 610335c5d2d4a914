/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.faults;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Handle;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * Rewrites a class of the plug-in so that it calls {@link FaultPoints#reach} wherever memory may
 * run out or a class may be missing: before it allocates something, and before it calls code
 * outside the plug-in. A point is identified by class, method and a number within the method.
 */
final class FaultyClass extends ClassVisitor {
  private static final String OURS = "io/flamespan/";
  private static final String POINTS = Type.getInternalName(FaultPoints.class);

  // These types neither allocate nor load anything, so they cannot fail for these reasons. The
  // functional interfaces are implemented by the plug-in, whose methods have points themselves.
  private static final Set<String> HARMLESS =
      Set.of(
          "java/lang/Object",
          "java/lang/Math",
          "java/lang/Long",
          "java/lang/Integer",
          "java/lang/Boolean",
          "java/lang/Enum",
          "java/lang/ref/Reference",
          "java/util/concurrent/locks/LockSupport",
          "java/lang/Runnable",
          "java/util/function/LongSupplier",
          "java/util/function/LongConsumer",
          "java/util/function/LongFunction",
          "java/util/function/Supplier",
          "java/util/function/Consumer",
          "java/util/function/Function",
          "java/util/function/UnaryOperator",
          "java/util/function/BiFunction",
          "java/util/concurrent/atomic/AtomicIntegerFieldUpdater",
          "java/util/concurrent/atomic/AtomicBoolean",
          "java/util/concurrent/atomic/AtomicLong",
          "java/util/concurrent/atomic/AtomicInteger",
          "java/util/concurrent/atomic/AtomicReference");

  // The default storage of OpenTelemetry also allocates one for each scope.
  private static final String SCOPE =
      OURS + "correlation/internal/context/MirroredThreadLocalStorage$AttachedScope";

  // Exceptions thrown by parts of the application occur with and without the plug-in.
  private static final Set<String> OF_THE_APPLICATION =
      Set.of(
          "io/opentelemetry/sdk/trace/ReadableSpan",
          "io/opentelemetry/sdk/trace/ReadWriteSpan",
          "io/opentelemetry/sdk/trace/data/SpanData",
          "io/opentelemetry/sdk/metrics/data/MetricData",
          "io/opentelemetry/sdk/logs/data/LogRecordData",
          "io/opentelemetry/sdk/trace/SpanProcessor",
          "io/opentelemetry/sdk/trace/samplers/Sampler",
          "io/opentelemetry/sdk/trace/samplers/SamplingResult",
          "io/opentelemetry/sdk/trace/export/SpanExporter",
          "io/opentelemetry/sdk/metrics/export/MetricExporter",
          "io/opentelemetry/sdk/logs/export/LogRecordExporter");

  private static final Set<String> HARMLESS_METHODS =
      Set.of(
          "java/lang/Thread.currentThread",
          "java/lang/ThreadLocal.get", // the default storage also calls it
          // Their classes are initialized before OpenTelemetry gets the storage that calls them.
          OURS + "correlation/internal/context/ThreadMirrors.find",
          OURS + "correlation/internal/context/ThreadMirrors.findAndHold",
          OURS + "correlation/internal/context/VirtualThreads.isCurrent",
          // A proxy for the application's telemetry calls the application's data objects.
          "java/lang/reflect/Method.getName",
          "java/lang/reflect/Method.invoke",
          "java/lang/String.equals",
          "java/util/concurrent/CountDownLatch.countDown",
          "java/lang/Thread.isAlive",
          "java/lang/Thread.interrupted",
          OURS + "correlation/internal/nativelib/NativeBridge.stopReceiver0",
          OURS + "correlation/internal/nativelib/NativeBridge.freeReceiver0",
          OURS + "correlation/internal/nativelib/NativeBridge.wake0",
          OURS + "correlation/internal/nativelib/NativeBridge.await0",
          OURS + "correlation/internal/nativelib/NativeBridge.pump0",
          OURS + "correlation/internal/nativelib/NativeBridge.take0",
          OURS + "correlation/internal/nativelib/SocketLibrary.close0",
          "java/util/concurrent/TimeUnit.toNanos",
          "java/util/concurrent/TimeUnit.toMillis",
          "java/util/Collections.emptyList",
          "java/util/Collections.emptyMap",
          "java/lang/Class.getName",
          "java/lang/Class.getClassLoader",
          "java/lang/System.nanoTime",
          "java/lang/System.currentTimeMillis");

  private final List<String> points;
  private String className = "";

  private FaultyClass(ClassVisitor next, List<String> points) {
    super(Opcodes.ASM9, next);
    this.points = points;
  }

  static byte[] rewrite(byte[] original) {
    ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_MAXS);
    new ClassReader(original).accept(new FaultyClass(writer, new ArrayList<>()), 0);
    return writer.toByteArray();
  }

  /** Returns the names of all points of a class, including those that are never reached. */
  static List<String> points(byte[] original) {
    List<String> points = new ArrayList<>();
    new ClassReader(original).accept(new FaultyClass(new ClassWriter(0), points), 0);
    return points;
  }

  @Override
  public void visit(
      int version, int access, String name, String signature, String parent, String[] interfaces) {
    className = name;
    super.visit(version, access, name, signature, parent, interfaces);
  }

  @Override
  public MethodVisitor visitMethod(
      int access, String name, String descriptor, String signature, String[] exceptions) {
    MethodVisitor next = super.visitMethod(access, name, descriptor, signature, exceptions);
    String ofClass =
        className
            .substring(OURS.length())
            .replaceFirst("^correlation/", "")
            .replace("internal/", "")
            .replace('/', '.');
    return new FaultyMethod(next, ofClass + "." + name + parameters(descriptor));
  }

  private static String parameters(String descriptor) {
    StringBuilder types = new StringBuilder("(");
    for (Type type : Type.getArgumentTypes(descriptor)) {
      String name = type.getClassName();
      types
          .append(types.length() == 1 ? "" : ",")
          .append(name.substring(name.lastIndexOf('.') + 1));
    }
    return types.append(')').toString();
  }

  private final class FaultyMethod extends MethodVisitor {
    private final String method;
    private int number;

    FaultyMethod(MethodVisitor next, String method) {
      super(Opcodes.ASM9, next);
      this.method = method;
    }

    private void point(String what) {
      number++;
      String name = method + " " + number + " " + what;
      points.add(name);
      super.visitLdcInsn(name);
      super.visitMethodInsn(Opcodes.INVOKESTATIC, POINTS, "reach", "(Ljava/lang/String;)V", false);
    }

    @Override
    public void visitTypeInsn(int opcode, String type) {
      super.visitTypeInsn(opcode, type);
      if (type.equals(SCOPE)) {
        return;
      }
      // Placed after the instruction, because stack maps refer to the instruction by the label
      // before it.
      if (opcode == Opcodes.NEW || opcode == Opcodes.ANEWARRAY) {
        point("new " + type.substring(type.lastIndexOf('/') + 1));
      }
    }

    @Override
    public void visitIntInsn(int opcode, int operand) {
      if (opcode == Opcodes.NEWARRAY) {
        point("new array");
      }
      super.visitIntInsn(opcode, operand);
    }

    @Override
    public void visitInvokeDynamicInsn(
        String name, String descriptor, Handle bootstrap, Object... arguments) {
      point("lambda");
      super.visitInvokeDynamicInsn(name, descriptor, bootstrap, arguments);
    }

    @Override
    public void visitMethodInsn(
        int opcode, String owner, String name, String descriptor, boolean isInterface) {
      if (mayFail(opcode, owner, name)) {
        point(owner.substring(owner.lastIndexOf('/') + 1) + "." + name);
      }
      super.visitMethodInsn(opcode, owner, name, descriptor, isInterface);
    }

    private boolean mayFail(int opcode, String owner, String name) {
      if (name.equals("<init>") || owner.startsWith("[")) {
        return false; // the allocation before it already is a point
      }
      if (owner.startsWith(OURS)) {
        // A static call may fail while the class is loaded or initialized.
        return opcode == Opcodes.INVOKESTATIC
            && !owner.equals(className)
            && !HARMLESS_METHODS.contains(owner + "." + name);
      }
      if (owner.equals("java/nio/ByteBuffer") && !name.startsWith("allocate")) {
        return false; // writes to records never allocate
      }
      return !HARMLESS.contains(owner)
          && !OF_THE_APPLICATION.contains(owner)
          && !HARMLESS_METHODS.contains(owner + "." + name);
    }
  }
}
