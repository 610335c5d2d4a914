/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.results;

/** Why a sample is not on the page. */
public enum Unjoined {
  NO_LINK("no Link"),
  SPAN_NOT_RECEIVED("span not received"),
  LOCAL_ROOT_NOT_RECEIVED("local root not received"),
  AFTER_THE_END("after the end of a request"),
  NEITHER_CPU_NOR_WAIT("neither CPU nor waiting");

  private final String reason;

  Unjoined(String reason) {
    this.reason = reason;
  }

  public String reason() {
    return reason;
  }
}
