/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.faults;

import java.nio.ByteOrder;
import java.util.Map;
import jnr.ffi.LibraryLoader;
import jnr.ffi.Memory;
import jnr.ffi.Pointer;
import jnr.ffi.Runtime;

/**
 * Forbids system calls to the calling thread and to threads started by it or its descendants, as a
 * container's seccomp filter does for a process. Other threads of the JVM are not affected.
 */
final class Seccomp {
  static final int EPERM = 1;
  static final int EAFNOSUPPORT = 97;

  private static final int PR_SET_SECCOMP = 22;
  private static final int PR_SET_NO_NEW_PRIVS = 38;
  private static final int SECCOMP_MODE_FILTER = 2;

  // BPF instructions and the return values of a filter.
  private static final short LOAD_WORD = 0x20;
  private static final short JUMP_IF_EQUAL = 0x15;
  private static final short RETURN = 0x06;
  private static final int ALLOW = 0x7fff_0000;
  private static final int FAIL = 0x0005_0000;
  private static final int INSTRUCTION_BYTES = 8;
  private static final int PROGRAM_BYTES = 16;

  private static final Map<String, Integer> X64 =
      Map.of(
          "socket", 41,
          "bind", 49,
          "clone", 56,
          "prctl", 157,
          "memfd_create", 319,
          "eventfd2", 290,
          "sched_setattr", 314,
          "clone3", 435);

  private static final Map<String, Integer> ARM64 =
      Map.of(
          "eventfd2", 19,
          "memfd_create", 279,
          "prctl", 167,
          "socket", 198,
          "bind", 200,
          "clone", 220,
          "sched_setattr", 274,
          "clone3", 435);

  /** The C functions, which jnr-ffi binds by name. */
  public interface Functions {
    int prctl(int option, long argument2, Pointer argument3, long argument4, long argument5);
  }

  private Seccomp() {}

  /** Makes these calls fail with an errno from now on. */
  static void forbid(int errno, String... calls) {
    Functions functions = LibraryLoader.create(Functions.class).load("c");
    Runtime runtime = Runtime.getRuntime(functions);
    Map<String, Integer> numbers = System.getProperty("os.arch").equals("amd64") ? X64 : ARM64;
    int length = 2 + 2 * calls.length;
    Pointer code = Memory.allocateDirect(runtime, length * INSTRUCTION_BYTES);
    int at = 0;
    put(code, at++, LOAD_WORD, 0, 0); // the number of the call
    for (String call : calls) {
      put(code, at++, JUMP_IF_EQUAL, 1, numbers.get(call)); // otherwise skips the next instruction
      put(code, at++, RETURN, 0, FAIL | errno);
    }
    put(code, at++, RETURN, 0, ALLOW);
    Pointer program = Memory.allocateDirect(runtime, PROGRAM_BYTES, true);
    program.putShort(0, (short) length);
    program.putAddress(8, code.address());
    int result = functions.prctl(PR_SET_NO_NEW_PRIVS, 1, null, 0, 0);
    if (result == 0) {
      result = functions.prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, program, 0, 0);
    }
    if (result != 0) {
      throw new IllegalStateException("no seccomp: errno " + runtime.getLastError());
    }
  }

  private static void put(Pointer code, int at, short instruction, int jumpIfFalse, int value) {
    boolean little = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;
    int jumps = little ? jumpIfFalse << 8 : jumpIfFalse;
    code.putShort(at * INSTRUCTION_BYTES, instruction);
    code.putShort(at * INSTRUCTION_BYTES + 2, (short) jumps);
    code.putInt(at * INSTRUCTION_BYTES + 4, value);
  }
}
