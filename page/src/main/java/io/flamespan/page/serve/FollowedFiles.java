/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.serve;

import io.flamespan.page.Problems;
import io.flamespan.page.input.FileErrors;
import io.flamespan.page.input.GrowingFile;
import io.flamespan.page.input.InputFiles;
import io.flamespan.page.model.KeptMessages;
import io.flamespan.page.model.Profiles;
import io.flamespan.page.model.Spans;
import io.flamespan.page.output.Outputs;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Files and directories in which processes write. What was read of a file is kept, also if the file
 * is deleted, until deleted files have more bytes than those that are there. One thread at a time
 * may call this.
 */
public final class FollowedFiles {
  private record Followed(GrowingFile file, KeptMessages messages, Problems problems) {
    static Followed of(Path path) {
      KeptMessages messages = new KeptMessages();
      Problems problems = new Problems();
      return new Followed(new GrowingFile(path, messages, problems), messages, problems);
    }
  }

  private final List<Path> inputs;
  private final SortedMap<Path, Followed> files = new TreeMap<>();
  private final SortedMap<Path, Followed> deleted = new TreeMap<>();
  private Problems ofLook = new Problems();
  private boolean changed; // since the last call that returned

  public FollowedFiles(List<Path> inputs) {
    this.inputs = inputs;
  }

  /**
   * Reads what is new. Returns whether anything changed.
   *
   * @throws IOException if a file or directory cannot be read; the next call may find it again
   */
  public boolean read() throws IOException {
    Problems problems = new Problems();
    List<Path> there = inputs.stream().filter(Files::exists).toList();
    inputs.stream()
        .filter(input -> !there.contains(input))
        .forEach(
            input -> problems.add("not there any more", input + "; the page keeps what it had"));
    List<Path> found = find(there, problems);
    changed |= !problems.lines().equals(ofLook.lines());
    ofLook = problems;
    for (Path gone : files.keySet().stream().filter(path -> !found.contains(path)).toList()) {
      deleted.put(gone, files.remove(gone));
    }
    for (Path path : found) {
      read(path);
    }
    if (!files.isEmpty() && bytes(deleted) > bytes(files)) {
      deleted.clear();
      changed = true;
    }
    boolean any = changed;
    changed = false;
    return any;
  }

  private static List<Path> find(List<Path> there, Problems problems) throws IOException {
    try {
      return InputFiles.of(there, Outputs.names(), problems);
    } catch (UncheckedIOException e) { // of a directory that is deleted meanwhile, or unreadable
      throw new IOException(FileErrors.line(e), e);
    }
  }

  private void read(Path path) throws IOException {
    Followed known = files.get(path);
    if (known == null || !known.file().isIn(path)) {
      changed |= known != null;
      forgetRenamed(path);
      known = Followed.of(path);
      files.put(path, known);
    }
    changed |= known.file().read();
  }

  /** A file that is known by another name is read again under the new one. */
  private void forgetRenamed(Path path) throws IOException {
    for (Map.Entry<Path, Followed> one : List.copyOf(deleted.entrySet())) {
      if (one.getValue().file().bytesRead() > 0 && one.getValue().file().isIn(path)) {
        deleted.remove(one.getKey());
        changed = true;
      }
    }
  }

  private static long bytes(Map<Path, Followed> some) {
    return some.values().stream().mapToLong(one -> one.file().bytesRead()).sum();
  }

  /** Adds all that was read, in the order of the files' names. */
  public void addTo(Spans spans, Profiles profiles, Problems problems) {
    problems.addAll(ofLook);
    SortedMap<Path, Followed> all = new TreeMap<>(deleted);
    all.putAll(files);
    all.forEach(
        (path, followed) -> {
          problems.addAll(followed.problems());
          followed.messages().addTo(spans, profiles);
          if (files.containsKey(path) && followed.file().hasRest()) {
            problems.add("not yet read", path + " ends within a message");
          }
        });
  }

  /** Whether a file ends within a message, of which the rest may follow. */
  public boolean haveRest() {
    return files.values().stream().anyMatch(one -> one.file().hasRest());
  }

  /** The number of files that are there. */
  public int size() {
    return files.size();
  }
}
