/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.testbed.exporter;

import java.util.List;

/**
 * A line of JSON from the stand-in profiler; one of the components is not null. The first line has
 * the source, the last one the end, all others a sample.
 */
record InputLine(Source source, ThreadSample sample, End end) {

  /**
   * The process that all profiles of a run describe.
   *
   * @param service empty: unknown
   * @param host empty: unknown
   * @param executable path; empty: unknown
   * @param period nanoseconds; 0: samples are taken as fast as possible
   * @param onCpu whether waiting threads are left out
   */
  record Source(
      String service, String host, String executable, long pid, long period, boolean onCpu) {}

  /**
   * A sample of one thread.
   *
   * @param time nanoseconds since 1970
   * @param trace in hex; null, like the span: the thread showed no trace
   * @param frames names of Java methods, leaf first; null: only the address is known
   * @param address of the instruction
   */
  record ThreadSample(
      long time,
      long tid,
      String thread,
      String trace,
      String span,
      List<String> frames,
      long address) {}

  /**
   * What was not written.
   *
   * @param dropped samples for which the connection had no room
   * @param movedOn samples of a thread without a trace that showed one when its stack was taken
   */
  record End(long dropped, long movedOn) {}
}
