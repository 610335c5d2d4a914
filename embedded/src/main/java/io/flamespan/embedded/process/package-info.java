/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * What stays in the process when the application is undeployed. Its class is defined in the
 * bootstrap class loader, so it must use nothing but the JDK.
 */
package io.flamespan.embedded.process;
