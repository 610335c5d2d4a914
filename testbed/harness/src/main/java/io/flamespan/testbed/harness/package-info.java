/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * The parts that all runners share: an application under the stand-in profiler, a receiver of its
 * spans, and checks that compare the profiler's messages with the received spans. The plug-in's
 * tests use the receiver.
 */
package io.flamespan.testbed.harness;
