/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.embedded;

import io.flamespan.correlation.internal.embedded.Carriers;
import io.flamespan.correlation.internal.embedded.Wait;
import java.nio.ByteBuffer;
import java.util.List;

/** Follows carriers, of which there are none. */
class StubCarriers implements Carriers {
  @Override
  public boolean begin(ByteBuffer lastSample, boolean withWaits) {
    return true;
  }

  @Override
  public boolean areOthersKnown() {
    return true;
  }

  @Override
  public void take(Receiver receiver) {}

  @Override
  public List<Wait> takeWaits() {
    return List.of();
  }

  @Override
  public long lostWaits() {
    return 0;
  }

  @Override
  public void end() {}
}
