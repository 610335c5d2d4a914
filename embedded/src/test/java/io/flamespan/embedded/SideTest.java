/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Stacks as async-profiler has shown them on JDK 25. */
class SideTest {
  private static final String YIELD = "java.lang.VirtualThread.yieldContinuation";
  private static final String PARK = "java.util.concurrent.locks.LockSupport.park";
  private static final String RUN = "java.lang.VirtualThread.run";

  /** Names of native functions begin with a dot. */
  private static Side of(String... names) {
    List<Frame> frames = new ArrayList<>();
    for (String name : names) {
      int end = name.startsWith(".") ? 0 : name.lastIndexOf('.');
      frames.add(Samples.frame(name.substring(0, end), name.substring(end + 1), 0, "Native"));
    }
    return Side.of(frames);
  }

  @Test
  void stack_ofTheCarrier_isNoVirtualThreads() {
    assertThat(
            of(
                "java.util.concurrent.ForkJoinPool.awaitWork",
                "java.util.concurrent.ForkJoinWorkerThread.run"))
        .isEqualTo(Side.CARRIER);
    assertThat(
            of(
                ".JvmtiVTMSTransitionDisabler::VTMS_mount_begin",
                "java.lang.VirtualThread.notifyJvmtiMount",
                "java.lang.VirtualThread.mount",
                "java.lang.VirtualThread.runContinuation"))
        .isEqualTo(Side.CARRIER);
  }

  @Test
  void class_ofWhatIsAllocated_tellsNothing() {
    List<Frame> frames = new ArrayList<>();
    frames.add(Frame.ofClass("java/util/concurrent/ForkJoinWorkerThread"));
    frames.add(Samples.frame("A", "a", 0, "Inlined"));

    assertThat(Side.of(frames)).isEqualTo(Side.UNKNOWN);
    frames.set(0, Frame.ofClass("java/lang/VirtualThread"));
    assertThat(Samples.stack(frames.toArray(new Frame[0])).isOfVirtualThread).isFalse();
  }

  @Test
  void stack_whileItIsCopiedAway_isThatOfWhoLeaves() {
    String copying = "jdk.internal.vm.Continuation.doYield";
    String yield = "jdk.internal.vm.Continuation.yield0";

    assertThat(of(".freeze", copying, yield, YIELD, PARK, RUN)).isEqualTo(Side.FROM);
    assertThat(of(".C2 Runtime notify_jvmti_vthread_unmount", YIELD, PARK)).isEqualTo(Side.FROM);
    assertThat(of("java.lang.VirtualThread.notifyJvmtiEnd", RUN)).isEqualTo(Side.FROM);
    assertThat(of(".freeze_preempt", ".Continuation::try_preempt", ".ObjectMonitor::enter", "A.a"))
        .isEqualTo(Side.FROM);
  }

  @Test
  void stack_afterItWasCopiedBack_isThatOfWhoComes() {
    assertThat(of(".thaw", ".cont_thaw")).isEqualTo(Side.TO);
    assertThat(of("java.lang.VirtualThread.notifyJvmtiMount", YIELD, PARK)).isEqualTo(Side.TO);
    assertThat(of(".C2 Runtime notify_jvmti_vthread_mount", YIELD, PARK)).isEqualTo(Side.TO);
    assertThat(of("java.lang.VirtualThread.notifyJvmtiStart", RUN)).isEqualTo(Side.TO);
    assertThat(of(".post_vthread_mount", ".ThawBase::handle_preempted_continuation", "A.a"))
        .isEqualTo(Side.TO);
  }

  @Test
  void stack_thatBothMayHave_isNotGuessed() {
    assertThat(of("jdk.internal.vm.Continuation.yield0", YIELD, PARK, RUN)).isEqualTo(Side.UNKNOWN);
    assertThat(of(YIELD, PARK, RUN)).isEqualTo(Side.UNKNOWN);
    assertThat(of("A.a", RUN)).isEqualTo(Side.UNKNOWN);
    assertThat(of("A.a")).isEqualTo(Side.UNKNOWN);
    assertThat(of()).isEqualTo(Side.UNKNOWN);
  }
}
