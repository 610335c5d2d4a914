/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.serve;

import io.flamespan.page.input.FileErrors;
import io.flamespan.page.input.GrowingFile;
import io.flamespan.page.input.InputFiles;
import io.flamespan.page.input.Problems;
import io.flamespan.page.model.KeptMessages;
import io.flamespan.page.model.Profiles;
import io.flamespan.page.model.RecentTexts;
import io.flamespan.page.model.Spans;
import io.flamespan.page.output.Outputs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;

/**
 * Files and directories in which processes write. What was read of a file is kept, also if the file
 * is deleted, until deleted files have more bytes than those that are there. A file whose directory
 * cannot be read counts as there. One thread at a time may call this.
 */
public final class FollowedFiles {
  /** The bytes of all files that are read before somebody asks whether it is enough. */
  public static final long TURN = 1 << 23;

  private static final String GONE = "not there or not readable any more";
  private static final int MOST_FILES = 32; // of a turn, if they are large; each has its own work

  private record Followed(Path path, GrowingFile file, KeptMessages messages, Problems problems) {
    static Followed of(Path path, RecentTexts texts) {
      KeptMessages messages = new KeptMessages(texts);
      Problems problems = new Problems();
      return new Followed(path, new GrowingFile(path, messages, problems), messages, problems);
    }
  }

  private final List<Path> inputs;
  private final long turn;
  private final RecentTexts texts = new RecentTexts();
  private final SortedMap<Path, Followed> files = new TreeMap<>();
  private final List<Followed> deleted = new ArrayList<>();
  private Problems ofLook = new Problems();
  private boolean changed; // since the last call that returned
  private Set<Path> left = Set.of(); // by the last call, those first that waited longest
  private volatile boolean isPart;

  /** Reads about so many bytes of all files in a turn. */
  public FollowedFiles(List<Path> inputs, long turn) {
    this.inputs = inputs;
    this.turn = turn;
  }

  /**
   * Reads what is new. Returns whether anything changed.
   *
   * @throws IOException if a directory that was named ceases to be there in this moment
   */
  public boolean read() throws IOException {
    return read(Long.MAX_VALUE, () -> false);
  }

  /**
   * The same, until it is enough, which is asked after each turn: a part of each file in turn, as
   * the spans may be in one and the samples in another.
   */
  public boolean readPart(BooleanSupplier enough) throws IOException {
    return read(turn, enough);
  }

  private boolean read(long ofTurn, BooleanSupplier enough) throws IOException {
    Problems problems = new Problems();
    List<Path> there = inputs.stream().filter(FollowedFiles::isThere).toList();
    inputs.stream()
        .filter(input -> !there.contains(input))
        .forEach(input -> problems.add(GONE, input.toString()));
    Set<Path> found = new LinkedHashSet<>(InputFiles.of(there, Outputs.names(), problems));
    List<Followed> gone =
        files.values().stream()
            .filter(one -> !found.contains(one.path()) && !isHidden(one.path()))
            .toList();
    gone.forEach(one -> files.remove(one.path()));
    for (Followed one : gone) {
      if (files.values().stream().anyMatch(other -> isIn(one, other))) {
        changed = true;
      } else {
        deleted.add(one);
      }
    }
    Set<Path> waiting = new LinkedHashSet<>(left);
    waiting.retainAll(found);
    waiting.addAll(found);
    left = waiting;
    do {
      readTurn(waiting, ofTurn, problems);
    } while (!waiting.isEmpty() && !enough.getAsBoolean());
    boolean rest = !waiting.isEmpty();
    changed |= rest != isPart;
    isPart = rest;
    changed |= !problems.lines().equals(ofLook.lines());
    ofLook = problems;
    if (!files.isEmpty() && bytes(deleted) > bytes(files.values())) {
      deleted.clear();
      changed = true;
    }
    boolean any = changed;
    changed = false;
    return any;
  }

  private static boolean isThere(Path input) {
    return Files.isDirectory(input) ? Files.isReadable(input) : Files.exists(input);
  }

  /** Whether a file may still be there, in a directory that cannot be read. */
  private static boolean isHidden(Path file) {
    Path directory = file.toAbsolutePath().getParent();
    return directory != null && !Files.isReadable(directory) && !Files.notExists(file);
  }

  /**
   * Reads so many bytes of the first of these files. Then those are last, or out if no more is
   * there.
   */
  private void readTurn(Set<Path> waiting, long ofTurn, Problems problems) {
    double part = (double) ofTurn / Math.max(1, unread(waiting));
    long least = Math.max(1, ofTurn / MOST_FILES);
    long toRead = ofTurn;
    for (Path path : List.copyOf(waiting)) {
      if (toRead <= 0) {
        return;
      }
      waiting.remove(path);
      long unread = unread(path);
      try {
        if (read(path, Math.max(least, (long) (part * unread)))) {
          waiting.add(path);
        }
        toRead -= unread - unread(path);
      } catch (NoSuchFileException e) {
        // The next look does not find it any more.
      } catch (IOException e) {
        problems.add("not read", FileErrors.line(e));
      }
    }
  }

  private long unread(Collection<Path> some) {
    return some.stream().mapToLong(this::unread).sum();
  }

  /** In bytes, as far as is known. */
  private long unread(Path path) {
    Followed known = files.get(path);
    return Math.max(0, path.toFile().length() - (known == null ? 0 : known.file().bytesRead()));
  }

  /** Returns whether there is more than so many bytes. */
  private boolean read(Path path, long most) throws IOException {
    Followed known = files.get(path);
    if (known != null && known.file().isSame()) {
      return read(known, most);
    }
    changed |= known != null;
    Followed added = Followed.of(path, texts);
    files.put(path, added);
    boolean more = read(added, most);
    changed |= deleted.removeIf(one -> isIn(one, added)); // it was read again
    return more;
  }

  private boolean read(Followed known, long most) throws IOException {
    try {
      changed |= known.file().read(most);
      return known.file().isPart();
    } catch (NoSuchFileException e) {
      throw e;
    } catch (IOException | RuntimeException | Error e) { // else a part would count twice
      files.remove(known.path());
      changed |= known.file().bytesRead() > 0;
      throw e;
    }
  }

  /** Whether a deleted file is there by another name. */
  private static boolean isIn(Followed one, Followed other) {
    try {
      return one.file().bytesRead() > 0
          && one.file().mayBeIn(other.file())
          && one.file().isIn(other.path());
    } catch (IOException e) { // such as of one that is not yet whole
      return false;
    }
  }

  private static long bytes(Collection<Followed> some) {
    return some.stream().mapToLong(one -> one.file().bytesRead()).sum();
  }

  /** Adds all that was read: of deleted files, then of others in the order of their names. */
  public void addTo(Spans spans, Profiles profiles, Problems problems) {
    problems.addAll(ofLook);
    List<Followed> all = new ArrayList<>(deleted);
    all.addAll(files.values());
    for (Followed one : all) {
      problems.addAll(one.problems());
      one.messages().addTo(spans, profiles);
    }
    files.values().stream()
        .filter(one -> one.file().hasRest())
        .forEach(one -> problems.add("not yet read", one.path() + " ends within a message"));
  }

  /** Whether a file ends within a message, of which the rest may follow. */
  public boolean haveRest() {
    return files.values().stream().anyMatch(one -> one.file().hasRest());
  }

  /** Whether the last call has left a part of what is there. Any thread may call this. */
  public boolean isPart() {
    return isPart;
  }

  /** The share of the bytes of files that was read. */
  public double readShare() {
    long read = bytes(files.values());
    return (double) read / Math.max(1, read + unread(files.keySet()));
  }

  /** The number of samples, as far as the part of each file lets expect. */
  public double expectedSamples() {
    return files.values().stream().mapToDouble(this::expectedSamples).sum();
  }

  private double expectedSamples(Followed one) {
    long samples = one.messages().samples();
    long read = one.file().bytesRead();
    return one.file().isPart() ? samples * (double) (read + unread(one.path())) / read : samples;
  }

  /** The number of files that are there. */
  public int size() {
    return files.size();
  }
}
