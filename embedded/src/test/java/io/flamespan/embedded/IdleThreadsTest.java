/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.ThreadPoolExecutor;
import org.junit.jupiter.api.Test;

/** Threads of writers and senders end with their SDK, before a server looks for what is left. */
class IdleThreadsTest {
  private static Thread threadOf(ThreadPoolExecutor executor) throws Exception {
    return executor.submit(Thread::currentThread).get();
  }

  @Test
  void thread_thatShallEndSoon_endsBeforeOneThatIsIdle() throws Exception {
    ThreadPoolExecutor ending = IdleThreads.create("ending");
    Thread thread = threadOf(ending);
    Thread idle = threadOf(IdleThreads.create("idle"));

    IdleThreads.endSoon(ending);

    thread.join();
    assertThat(idle.isAlive()).isTrue();
    assertThat(threadOf(ending)).isNotSameAs(thread);
  }
}
