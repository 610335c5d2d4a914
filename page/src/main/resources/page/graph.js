// Graphs and what can be made of them. A graph is {frames, parent, frame, values, leftOut}: node 0 is the root, a parent has
// a smaller number than its children, and values[measure][node] contains what is below the node. Nothing here is changed
// once it is made. The root of one with `ofMethod` is a method. With `ofCallers`, what is below a method is its self or total value.

// What samples measure, by the names of amounts and of numbers of samples in the data.
const MEASURES = [['cpu', 'samples'], ['allocated', 'allocations'], ['locking', 'locks'], ['waiting', 'waits']];

function graphOf(tree, frames) {
  const values = Object.fromEntries(MEASURES.flat().filter((name) => tree[name]).map((name) => [name, tree[name]]));
  return {frames, parent: tree.parent, frame: tree.frame, values, leftOut: tree.leftOut};
}

// A graph of these nodes, from the values of each without those below it.
function graphOfOwn(parent, frame, frames, own, leftOut) {
  return {frames, parent, frame, values: mapped(own, (values) => summedUp(parent, values)), leftOut};
}

function mapped(object, change) {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value)]));
}

function summedUp(parent, own) {
  const sums = [...own];
  for (let node = sums.length - 1; node > 0; node--) {
    sums[parent[node]] += sums[node];
  }
  return sums;
}

// The values of nodes without those below them.
function ownOf({parent, values}) {
  return mapped(values, (whole) => {
    const own = [...whole];
    parent.forEach((above, node) => {
      if (above >= 0) {
        own[above] -= whole[node];
      }
    });
    return own;
  });
}

// Collects nodes below a root, each path once.
class Growing {
  constructor({frames, values, leftOut}, root) {
    this.made = {frames, leftOut, parent: [-1], frame: [root], values: mapped(values, () => [0])};
    this.places = new Map();
  }

  child(node, frame) {
    const {made, places} = this;
    const key = node * made.frames.length + frame;
    if (!places.has(key)) {
      places.set(key, made.parent.length);
      made.parent.push(node);
      made.frame.push(frame);
      Object.values(made.values).forEach((values) => values.push(0));
    }
    return places.get(key);
  }

  add(place, values, node) {
    for (const measure of Object.keys(values)) {
      this.made.values[measure][place] += values[measure][node];
    }
  }

  // For values without those below them.
  summed() {
    const {made} = this;
    return {...made, values: mapped(made.values, (own) => summedUp(made.parent, own))};
  }
}

// Moves the values of each node: `place` says where to, from the new place of its parent.
function moved(graph, frames, place) {
  const growing = new Growing({...graph, frames}, graph.frame[0]);
  const own = ownOf(graph);
  const places = [0];
  growing.add(0, own, 0);
  for (let node = 1; node < graph.parent.length; node++) {
    places[node] = place(growing, places[graph.parent[node]], node);
    growing.add(places[node], own, node);
  }
  return growing.summed();
}

// The sum of graphs whose roots have different names.
function sumOfGraphs(graphs) {
  const measures = [...new Set(graphs.flatMap((graph) => Object.keys(graph.values)))];
  const growing = new Growing({
    frames: graphs[0].frames,
    values: Object.fromEntries(measures.map((measure) => [measure, 0])),
    leftOut: graphs.reduce((sum, graph) => sum + graph.leftOut, 0),
  }, graphs[0].frame[0]);
  for (const graph of graphs) {
    const places = [];
    graph.parent.forEach((parent, node) => {
      places[node] = node === 0 ? 0 : growing.child(places[parent], graph.frame[node]);
      growing.add(places[node], graph.values, node);
    });
  }
  return growing.made;
}

// A method that calls itself, also by way of others, becomes one frame: what is between is left out.
function recursionFolded(graph) {
  return moved(graph, graph.frames, (growing, place, node) => {
    const frame = graph.frame[node];
    for (let above = place; above > 0; above = growing.made.parent[above]) {
      if (growing.made.frame[above] === frame) {
        return above;
      }
    }
    return growing.child(place, frame);
  });
}

const FEWEST_SHARED = 5; // a shorter way is no trouble
const SHARED = 'frames that all samples share)';

// Whether it is no frame of the profile, but several of them.
function sumsUp([name, , kind]) {
  return kind === 'package' || name === REST || name.endsWith(SHARED);
}

// How many frames below the root all samples share, without the last one, below which they differ.
function sharedBy(graph) {
  const below = graph.parent.map(() => []);
  graph.parent.forEach((parent, node) => parent >= 0 && below[parent].push(node));
  const whole = Object.values(graph.values);
  let node = 0;
  let length = 0;
  while (below[node].length === 1 && whole.every((values) => values[below[node][0]] === values[0])) {
    [node] = below[node];
    length++;
  }
  return length > FEWEST_SHARED ? length - 1 : 0;
}

// The way that all samples share becomes one frame. It says which ones it is of in place of a file.
function sharedFolded(graph) {
  const length = sharedBy(graph);
  if (length === 0) {
    return graph;
  }
  const shared = graph.frame.slice(1, length + 1).map((frame) => graph.frames[frame][0]);
  const frames = [...graph.frames, [`(${length} ${SHARED}`, `from ${shared[0]} to ${shared[length - 1]}`, '']];
  return moved(graph, frames, (growing, place, node) =>
    node <= length ? growing.child(0, graph.frames.length) : growing.child(place, graph.frame[node]));
}

// Frames of one package that call each other become one frame.
function packagesCollapsed(graph) {
  const frames = [...graph.frames];
  const numbers = new Map();
  const collapsed = new Map();
  const frameOf = (frame) => {
    if (!collapsed.has(frame)) {
      const name = packageOf(graph.frames[frame]);
      if (name !== undefined && !numbers.has(name)) {
        numbers.set(name, frames.push([`${name}.*`, '', 'package']) - 1);
      }
      collapsed.set(frame, name === undefined ? frame : numbers.get(name));
    }
    return collapsed.get(frame);
  };
  graph.frame.forEach((frame, node) => node > 0 && frameOf(frame));
  return moved(graph, frames, (growing, place, node) => {
    const frame = frameOf(graph.frame[node]);
    const same = frame >= graph.frames.length && place > 0 && growing.made.frame[place] === frame;
    return same ? place : growing.child(place, frame);
  });
}

// Callers below callees: the methods in which time passed are next to the root.
function turnedRound(graph) {
  const growing = new Growing(graph, graph.frame[0]);
  const own = ownOf(graph);
  growing.add(0, graph.values, 0);
  for (let node = 1; node < graph.parent.length; node++) {
    if (Object.values(own).some((values) => values[node] > 0)) {
      addCallers(growing, graph, node, own, node);
    }
  }
  return {...growing.made, ofCallers: 'self'};
}

function addCallers(growing, graph, from, values, node) {
  let place = 0;
  for (let above = from; above > 0; above = graph.parent[above]) {
    place = growing.child(place, graph.frame[above]);
    growing.add(place, values, node);
  }
}

// The nodes of a method that are not below another one of it, so that recursion counts once.
function outermostOf(graph, frame) {
  const inside = [];
  return graph.parent.flatMap((parent, node) => {
    const is = node > 0 && graph.frame[node] === frame;
    inside[node] = is || (parent >= 0 && inside[parent]);
    return is && !inside[parent] ? [node] : [];
  });
}

// The method at the root, and its callers below it.
function callersOf(graph, frame) {
  const growing = new Growing(graph, frame);
  for (const node of outermostOf(graph, frame)) {
    growing.add(0, graph.values, node);
    addCallers(growing, graph, graph.parent[node], graph.values, node);
  }
  return {...growing.made, ofCallers: 'total', ofMethod: true};
}

// The method at the root, and what it calls below it.
function calleesOf(graph, frame) {
  const growing = new Growing(graph, frame);
  const outermost = new Set(outermostOf(graph, frame));
  const places = [];
  graph.parent.forEach((parent, node) => {
    places[node] = outermost.has(node) ? 0 : places[parent] === undefined ? undefined : growing.child(places[parent], graph.frame[node]);
    if (places[node] !== undefined) {
      growing.add(places[node], graph.values, node);
    }
  });
  return {...growing.made, ofMethod: true};
}

// The methods with what passed in them, and in them and below them, where recursion counts once. A leaf that is the class of
// what was allocated or locked is not a method: what it has also is that of the method above it, itself.
function methodsOf(graph) {
  const own = ownOf(graph);
  const measures = Object.keys(graph.values);
  const methods = new Map();
  for (let node = 1; node < graph.parent.length; node++) {
    const frame = graph.frame[node];
    if (!methods.has(frame)) {
      methods.set(frame, {frame, self: mapped(graph.values, () => 0), total: mapped(graph.values, () => 0)});
    }
    const method = methods.get(frame);
    const above = isClass(graph.frames[frame]) && methods.get(graph.frame[graph.parent[node]]);
    const outermost = !isBelow(graph, node, frame);
    for (const measure of measures) {
      method.self[measure] += own[measure][node];
      if (above) {
        above.self[measure] += own[measure][node];
      }
      method.total[measure] += outermost ? graph.values[measure][node] : 0;
    }
  }
  return [...methods.values()];
}

function isClass([, , kind]) {
  return kind === 'class';
}

function isBelow(graph, node, frame) {
  let above = graph.parent[node];
  while (above > 0 && graph.frame[above] !== frame) {
    above = graph.parent[above];
  }
  return above > 0;
}

// How many nodes at or below `top` match, and the sum of their values, where matches below others count once.
function foundIn(graph, values, top, matches) {
  const state = []; // by node: undefined outside of top, else whether it or a node above it matches
  let nodes = 0;
  let sum = 0;
  for (let node = top; node < graph.parent.length; node++) {
    const above = node === top ? isBelowMatch(graph, top, matches) : state[graph.parent[node]];
    if (above === undefined) {
      continue;
    }
    const is = node > 0 && matches(graph.frame[node]);
    nodes += is && values[node] > 0 ? 1 : 0;
    sum += node === top ? (is || above ? values[node] : 0) : is && !above ? values[node] : 0;
    state[node] = is || above;
  }
  return {nodes, sum};
}

function isBelowMatch(graph, node, matches) {
  let above = graph.parent[node];
  while (above > 0 && !matches(graph.frame[above])) {
    above = graph.parent[above];
  }
  return above > 0;
}

// A short name for a node, by the frames on its path, for links.
function pathName(graph, node) {
  return hashesOf(graph, textOfFrame)[node].toString(36);
}

function textOfFrame(frame) {
  const origin = originText(frame);
  return origin ? `${frame[0]}\t${origin}` : frame[0];
}

// In old links, paths are of names only, which several nodes may have: they mean the first one.
function nodeOfPath(graph, name) {
  const nodeOf = (text) => hashesOf(graph, text).findIndex((hash) => hash.toString(36) === name);
  return name ? [textOfFrame, ([text]) => text].map(nodeOf).find((node) => node >= 0) ?? 0 : 0;
}

// FNV-1a.
function hashesOf(graph, text) {
  const hashes = [0x811c9dc5];
  for (let node = 1; node < graph.parent.length; node++) {
    let hash = hashes[graph.parent[node]];
    for (const unit of `${text(graph.frames[graph.frame[node]])}\n`) {
      hash = Math.imul(hash ^ unit.codePointAt(0), 0x01000193) >>> 0;
    }
    hashes[node] = hash;
  }
  return hashes;
}

// Where the nodes are drawn, in shares of the width: the zoomed one and those around it over all of it.
function layoutOf(graph, values, zoomed, least) {
  const below = graph.parent.map(() => []);
  graph.parent.forEach((parent, node) => {
    if (parent >= 0 && values[node] > 0) {
      below[parent].push(node);
    }
  });
  const path = [];
  for (let node = zoomed; node >= 0; node = graph.parent[node]) {
    path.unshift(node);
  }
  const placed = path.map((node, depth) => ({node, depth, left: 0, width: 1, above: node !== zoomed}));
  for (let next = path.length - 1; next < placed.length; next++) {
    const {node, depth, left} = placed[next];
    let at = left;
    below[node].sort((a, b) => values[b] - values[a] || a - b).forEach((child) => {
      const width = values[child] / values[zoomed];
      if (width >= least) {
        placed.push({node: child, depth: depth + 1, left: at, width, above: false});
      }
      at += width;
    });
  }
  return placed;
}
