// Compares range A of the bins with range B. The files of a baseline are bin 0, the others bin 1.
function sideOf(slices, [from, to]) {
  const sum = (values) => values.slice(from, to).reduce((all, value) => all + value, 0);
  const cpu = slices.cpu.reduce((all, nanos, cell) => inRange(slices.bin[cell], from, to) ? all + nanos : all, 0);
  const requests = sum(slices.requests);
  return {requests, cpu, perRequest: requests > 0 ? cpu / requests : 0, mean: requests > 0 ? sum(slices.durations) / requests : 0};
}

function inRange(bin, from, to) {
  return bin >= from && bin < to;
}

// The endpoint that changed most first: by the difference times the requests of B, or of A if B does not have any.
function changesOf(endpoints, ranges) {
  return endpoints.map((endpoint, index) => {
    const a = sideOf(endpoint.slices, ranges.A);
    const b = sideOf(endpoint.slices, ranges.B);
    const both = a.requests > 0 && b.requests > 0;
    const weight = b.requests || a.requests;
    const difference = b.perRequest - a.perRequest;
    const longer = both ? b.mean - a.mean : 0;
    const kind = both ? '' : b.requests > 0 ? 'only in B' : 'only in A';
    return {endpoint, index, a, b, both, kind, difference, longer, impact: Math.abs(difference) * weight, delay: Math.abs(longer) * weight};
  }).filter(({a, b}) => a.requests + b.requests > 0)
    .sort((one, other) => other.impact - one.impact || other.delay - one.delay || one.index - other.index);
}

// A graph with the CPU time per request of each node in A and in B.
function differentialTree(slices, ranges, {a, b}) {
  const values = {A: slices.parent.map(() => 0), B: slices.parent.map(() => 0)};
  for (const [letter, {requests}] of [['A', a], ['B', b]]) {
    const [from, to] = ranges[letter];
    const nodes = values[letter];
    slices.cpu.forEach((nanos, cell) => {
      if (inRange(slices.bin[cell], from, to)) {
        nodes[slices.node[cell]] += nanos / requests;
      }
    });
    for (let node = nodes.length - 1; node > 0; node--) {
      nodes[slices.parent[node]] += nodes[node];
    }
  }
  return values;
}

function baselineComparison(data) {
  const {received, unjoined, endpoints, others} = data.comparison;
  return {
    hash: '#compare/baseline', endpoints, ranges: {A: [0, 1], B: [1, 2]}, others,
    withWaits: endpoints.some(({waiting}) => waiting[0] + waiting[1] > 0),
    notes: [
      element('p', {}, `A is the baseline, with ${count(received.samples, 'sample', 'samples')} of ${time(received.cpu)} of CPU time received; `
        + `B is everything else on this page, with ${count(data.received.samples, 'sample', 'samples')} of ${time(data.received.cpu)}.`),
      ...(others.endpoints > 0 ? [element('p', {}, `${count(others.endpoints, 'endpoint that changed less is', 'endpoints that changed less are')} `
        + `not in the table, with ${time(others.cpu[0])} of CPU time in A and ${time(others.cpu[1])} in B.`)] : []),
      ...(unjoined.some(({tally}) => tally.samples > 0) ? [element('p', {}, 'Not joined in A: ',
        unjoined.filter(({tally}) => tally.samples > 0).map(({reason, tally}) => `${reason} ${time(tally.cpu)}`).join(', '), '.')] : []),
    ],
  };
}

function rangeComparison(data, texts) {
  const hash = `#compare/${texts.join('/')}`;
  if (data.overTime.series[0].length > 1 && !data.endpoints.every(({slices}) => slices)) {
    return {hash, problem: [element('p', {}, 'Ranges of this chart cannot be compared, because a page from ClickHouse does not have sums by time and '
      + 'stack. The options --baseline-from and --baseline-to compare two ranges.')]};
  }
  const ranges = rangesOf(data, texts);
  if (!ranges) {
    const chart = data.overTime.series[0].length > 1;
    return {hash, problem: [element('p', {}, chart
      ? 'The link does not name two ranges of time that are on the chart of this page. Choose two:'
      : 'All samples are of the same second, so there are not two ranges of time to compare.'),
      ...(chart ? [rangeChooser(data).form] : [])]};
  }
  const {start, width} = data.overTime;
  const text = (letter) => {
    const [from, to] = ranges[letter];
    const requests = data.endpoints.reduce((sum, {slices}) => sum + sideOf(slices, ranges[letter]).requests, 0);
    const seconds = (to - from) * width;
    return `${letter} is ${clock(start + from * width, true)} to ${clock(start + to * width, true)} UTC, ${seconds} s with `
      + `${count(requests, 'request', 'requests')}, ${(requests / seconds).toFixed(2)} per second.`;
  };
  const inside = (slices) => slices.requests.reduce((sum, value) => sum + value, 0);
  const outside = data.endpoints.reduce((sum, {requests, slices}) => sum + requests - inside(slices), 0);
  const overlap = ranges.A[0] < ranges.B[1] && ranges.B[0] < ranges.A[1];
  return {
    hash, endpoints: data.endpoints, ranges,
    notes: [
      element('p', {}, text('A')), element('p', {}, text('B')),
      element('p', {}, 'A request belongs to the range in which it begins, with all of its CPU time.'
        + (overlap ? ' The ranges overlap: requests that begin in both count in both.' : '')),
      ...(outside > 0 ? [element('p', {}, `${count(outside, 'request begins', 'requests begin')} outside the chart and not in any range.`)] : []),
      rangeChooser(data, {ranges}).form,
    ],
  };
}

function comparisonView(data, parts) {
  const baseline = parts[0] === 'baseline';
  if (baseline && !data.comparison) {
    return {title: 'Comparison', path: [['All endpoints', '#']],
      content: [element('p', {}, 'This page was made without a baseline; the option --baseline names one.')]};
  }
  const comparison = baseline ? baselineComparison(data) : rangeComparison(data, parts.slice(0, 2));
  if (comparison.problem) {
    return {title: 'Comparison', path: [['All endpoints', '#']], content: comparison.problem};
  }
  const rest = parts.slice(baseline ? 1 : 2);
  const changes = changesOf(comparison.endpoints, comparison.ranges);
  const change = rest[0] === 'endpoint' && changes.find(({index}) => index === Number(rest[1]));
  return change ? changedEndpoint(data, comparison, change) : changedEndpoints(comparison, changes);
}
