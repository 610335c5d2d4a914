/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.nativelib;

import com.kenai.jffi.Library;
import com.kenai.jffi.NativeMethod;
import com.kenai.jffi.NativeMethods;
import io.flamespan.correlation.internal.posix.PrivateDirectory;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Objects;

/**
 * Does through jffi what {@link SocketLibrary#attach} does, where jnr replaces that library. No
 * other class of this package uses jnr.
 */
final class JnrAttachment {
  private static final String ATTACH = "pc_bridge_attach";

  static boolean attach(Path mapped, byte[] processStorage) throws IOException {
    Path open = PrivateDirectory.openToOthers(Objects.requireNonNull(mapped.getParent()));
    if (open != null) {
      throw new IOException("others may write to " + open + ", and exchange it");
    }
    Library library = Library.openLibrary(mapped.toString(), Library.LAZY | Library.LOCAL);
    long function = library == null ? 0 : library.getSymbolAddress(ATTACH);
    if (function == 0) {
      throw new IOException(Library.getLastError());
    }
    NativeMethod attach = new NativeMethod(function, "attach0", "([B)Z");
    NativeMethods.register(NativeBridge.class, Collections.singletonList(attach));
    return NativeBridge.attach0(processStorage);
  }

  private JnrAttachment() {}
}
