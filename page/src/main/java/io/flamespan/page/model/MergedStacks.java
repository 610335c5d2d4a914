/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.model;

import io.flamespan.page.results.StackTree;

/** The tree of stacks in which a frame is one, whatever its line. */
final class MergedStacks {
  private final StackTree tree;
  private final int[] nodes;

  /** Takes a tree of locations, which without lines is the tree of frames. */
  MergedStacks(StackTree located, Locations locations) {
    boolean same = !locations.anyLine();
    tree = same ? located : new StackTree(located.size());
    nodes = new int[same ? 0 : located.size()];
    for (int node = 1; node < nodes.length; node++) {
      int frame = locations.frame(located.frame(node));
      nodes[node] = tree.child(nodes[located.parent(node)], frame);
    }
  }

  StackTree tree() {
    return tree;
  }

  /** The node of this one of the tree of locations. */
  int node(int located) {
    return nodes.length == 0 ? located : nodes[located];
  }
}
