// What was measured of the requests of a range of bins, and the parts of their durations, as io.flamespan.page.timeline has them.
const NOT_KNOWN = 'notKnown';
const WAITS = ['lock', 'sleep', 'io', 'pool', 'classLoading', 'otherWait', 'otherThread'];
const PARTS = ['stopped', 'onCpu', 'ready', 'throttled', ...WAITS, NOT_KNOWN];
const QUANTILE = 1.96; // of 95 %
const LEAST_OF_SENTENCE = 0.01; // of the duration, and of a part that has ±
const MOST_OF_PART = 0.5;
const LONGEST_NAME = 90;

// The sums of a range: {requests, duration, sums}, with {nanos, count, squares} by "source part", as in "samples onCpu".
// Requests count if their duration is known.
function measuredIn({measured = {}, ...slices}, range) {
  return {
    requests: timedIn(slices, range),
    duration: sumInRange(slices.durations, range),
    sums: mapped(measured, ({bins, micros, counts = [], squares = []}) => {
      const sum = (values) => values.reduce((all, value, place) => inRange(bins[place], range) ? all + value : all, 0);
      return {nanos: 1e3 * sum(micros), count: sum(counts), squares: 1e6 * sum(squares)};
    }),
  };
}

// [{part, nanos, plusMinus}] in the order of PARTS, of the sum of requests. The sum of all is the duration.
function partsOf(measured) {
  const {duration, sums} = measured;
  const nanosOf = (source, part) => sums[`${source} ${part}`]?.nanos ?? 0;
  const exact = Object.fromEntries(PARTS.map((part) => [part, Math.max(0, nanosOf('exact', part))]));
  const estimated = estimatesOf(nanosOf);
  const all = (amounts) => Object.values(amounts).reduce((sum, nanos) => sum + nanos, 0);
  const stopped = Math.min(duration, exact.stopped);
  const others = all(exact) - exact.stopped;
  const scale = others > duration - stopped ? (duration - stopped) / others : 1;
  const room = Math.max(0, duration - stopped - others);
  const sum = all(estimated);
  const scaleOfEstimated = sum > room ? room / sum : 1;
  PARTS.forEach((part) => { exact[part] = part === 'stopped' ? stopped : exact[part] * scale; });
  // Of what is ready, as much is throttled as there was throttling meanwhile.
  let left = Math.max(0, nanosOf('samples', 'throttled'));
  [exact, estimated].forEach((amounts) => {
    amounts.throttled = Math.min(amounts.ready, left);
    amounts.ready -= amounts.throttled;
    left -= amounts.throttled;
  });
  let passed = 0;
  let before = 0;
  return PARTS.map((part) => {
    const estimate = (estimated[part] ?? 0) * scaleOfEstimated;
    passed += exact[part] + estimate;
    const end = part === NOT_KNOWN ? duration : Math.min(duration, Math.round(passed));
    const nanos = end - before;
    before = end;
    return {part, nanos, plusMinus: estimate > 0 ? chanceOf(measured, part) * scaleOfEstimated : NaN};
  });
}

// What samples tell of each part. Waits contain those for locks, which are waits of unknown reason if they are no known ones.
function estimatesOf(nanosOf) {
  const estimated = Object.fromEntries(['stopped', 'onCpu', 'ready'].map((part) => [part, Math.max(0, nanosOf('samples', part))]));
  let more = 0;
  WAITS.forEach((part) => {
    const waits = nanosOf('samples', part);
    const locks = Math.max(0, nanosOf('locks', part) - nanosOf('exact', part));
    estimated[part] = Math.max(waits, locks);
    more += Math.max(0, locks - waits);
  });
  estimated.otherWait -= Math.min(more, nanosOf('samples', 'otherWait'));
  return estimated;
}

// ± of what samples estimate, NaN if it is not known.
function chanceOf({requests, sums}, part) {
  if (part === 'throttled' || part === 'stopped') {
    return NaN;
  }
  const samples = sums[`samples ${part}`];
  const locks = sums[`locks ${part}`];
  const {nanos, count, squares} = (locks && locks.nanos > (samples?.nanos ?? 0) ? locks : samples) ?? {nanos: 0, count: 0, squares: 0};
  const independent = part === 'onCpu' && count > 0;
  const ofSamples = independent ? nanos * nanos / count : 0;
  if (requests < 2) {
    return independent ? QUANTILE * Math.sqrt(ofSamples) : NaN;
  }
  return QUANTILE * Math.sqrt(Math.max(ofSamples, squares - nanos * nanos / requests));
}

// The mean duration, and what each request has of it on average, the most first.
function meanOf(measured) {
  const {requests, duration} = measured;
  let passed = 0;
  let before = 0;
  const parts = partsOf(measured).map(({part, nanos, plusMinus}) => {
    passed += nanos;
    const end = Math.round(passed / requests);
    const mean = end - before;
    before = end;
    return {part, nanos: mean, plusMinus: plusMinus / requests};
  });
  return {nanos: Math.round(duration / requests), parts: parts.filter(({nanos}) => nanos > 0).sort((a, b) => b.nanos - a.nanos)};
}

// As io.flamespan.page.results.Sentence writes it. A graph of the same requests has the names of methods.
function meanSentence(data, whole, parts, graph) {
  const isSmall = ({nanos}) => nanos < LEAST_OF_SENTENCE * whole;
  const rest = parts.filter(isSmall).reduce((sum, {nanos}) => sum + nanos, 0);
  const nameOf = namesOf(data, graph);
  const texts = parts.filter((part) => !isSmall(part)).map(({part, nanos, plusMinus}) => {
    const name = nameOf(part);
    return `${time(nanos)}${plusMinus >= LEAST_OF_SENTENCE * nanos ? ` ± ${time(plusMinus)}` : ''} ${data.parts[part]}`
      + (name && (part === 'onCpu' ? `, most of it in ${name}` : ` (${name})`));
  });
  return `${time(whole)}: ${[...texts, ...(rest > 0 ? [`${time(rest)} of smaller parts`] : [])].join('; ')}`;
}

// What has most of a part in a graph, as a function of the part.
function namesOf(data, graph) {
  const reasonOf = remembered((node) => waitParts(data).get(waitKind(graph, node)));
  const ofWaits = (measure, part, unknown) => mostOf(data, graph, measure, (node) => (reasonOf(node) ?? unknown) === part);
  return (part) => {
    if (part === 'onCpu') {
      return mostOf(data, graph, 'cpu', () => true);
    }
    return WAITS.includes(part) ? ofWaits('waiting', part, 'otherWait') || ofWaits('locking', part, 'lock') : '';
  };
}

// The innermost method that has most of what these nodes have by themselves, an own one if there is any.
function mostOf({named}, graph, measure, isOf) {
  const {parent, frame, frames, values} = graph;
  if (!values[measure]) {
    return '';
  }
  const amounts = summedUp(parent, ownOf(graph)[measure].map((amount, node) => amount > 0 && isOf(node) ? amount : 0));
  const found = {};
  let at = 0;
  frame.forEach((one, node) => {
    if (node > 0 && parent[node] === at && amounts[node] > MOST_OF_PART * amounts[0]) {
      at = node;
      found[named[one]] = frames[one][0];
    }
  });
  return codeOf(found.o ?? found.j ?? '');
}

// The class without its packages and the method, without types, as code unless it is no plain name.
function codeOf(name) {
  const points = [...name.replace(/\(.*/, '').replaceAll('/', '.').split(' ').at(-1).split('.').slice(-2).join('.')];
  const method = points.length <= LONGEST_NAME ? points.join('') : `…${points.slice(1 - LONGEST_NAME).join('')}`;
  return /^…?[\w$.-]+(<(cl)?init>)?$/.test(method) ? `\`${method}\`` : method.replaceAll('`', "'");
}
