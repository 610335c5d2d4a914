/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Messages of OTLP with profiles and with spans, in protobuf. Nothing here is loaded unless the
 * settings want profiles in files or at an endpoint.
 */
package io.flamespan.embedded.messages;
