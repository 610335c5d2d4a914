// The reason for a wait, where a frame leaves no doubt. The frame nearest to the leaf decides. What a wait for a lock or for
// another thread is about may be further away from the leaf.
function patternsOf(pairs) {
  return pairs.map(([name, pattern]) => [name, new RegExp(pattern)]);
}

const waitPatterns = remembered(({waitReasons, waitsAbout}) => ({reasons: patternsOf(waitReasons), about: patternsOf(waitsAbout)}), new WeakMap());

const waitParts = remembered(({waitReasons, waitsAbout}) => new Map([...waitReasons, ...waitsAbout].map(([name, , part]) => [name, part])));

function waitKind({parent, frame, frames}, leaf) {
  const {reasons, about} = waitPatterns(data);
  let kind = 'unknown';
  for (let node = leaf; node > 0; node = parent[node]) {
    const name = frames[frame[node]][0].replaceAll('/', '.');
    const first = (patterns) => patterns.find(([, pattern]) => pattern.test(name))?.[0];
    if (kind === 'unknown') {
      kind = first(reasons) ?? kind;
    }
    if (kind === 'a lock' || kind === 'another thread') {
      kind = first(about) ?? kind;
    } else if (kind !== 'unknown') {
      return kind;
    }
  }
  return kind;
}

function waitKinds(graph) {
  const {reasons, about} = waitPatterns(data);
  const sums = new Map([...reasons, ...about, ['unknown']].map(([name]) => [name, 0]));
  ownOf(graph).waiting.forEach((nanos, node) => {
    if (nanos > 0) {
      const kind = waitKind(graph, node);
      sums.set(kind, sums.get(kind) + nanos);
    }
  });
  const parts = [...sums].filter(([, nanos]) => nanos > 0).map(([name, nanos]) => `${name} ${time(nanos)}`);
  return `Waiting ${time(graph.values.waiting[0])}: ${parts.join(', ')}.`;
}

// The graph, and the reasons for its waits if there are any.
function graphWithWaits(graph, options) {
  return [...(graph.values.waiting?.[0] > 0 ? [paragraph(waitKinds(graph))] : []), graphPanel(graph, options)];
}
