// Compares range A of the bins with range B. The files of a baseline are bin 0, the others bin 1.
function sideOf(slices, range) {
  const cpu = slices.cpu.reduce((all, nanos, cell) => inRange(slices.bin[cell], range) ? all + nanos : all, 0);
  const requests = sumInRange(slices.requests, range);
  const squares = slices.squares && sumInRange(slices.squares, range);
  return {requests, cpu, squares, perRequest: requests > 0 ? cpu / requests : 0, mean: requests > 0 ? sumInRange(slices.durations, range) / requests : 0};
}

// The endpoint that changed most first: by the difference times the requests of B, or of A if B does not have any.
function changesOf(endpoints, ranges, periods) {
  return endpoints.map((endpoint, index) => {
    const a = sideOf(endpoint.slices, ranges.A);
    const b = sideOf(endpoint.slices, ranges.B);
    const both = a.requests > 0 && b.requests > 0;
    const weight = b.requests || a.requests;
    const longer = both ? b.mean - a.mean : 0;
    const kind = both ? '' : b.requests > 0 ? 'only in B' : 'only in A';
    const sample = {a: sampleOf(a, periods.A), b: sampleOf(b, periods.B)}; // what one sample adds to the time of a request
    const difference = differenceOf(a.perRequest, b.perRequest, sample, Math.hypot(scatter(a), scatter(b)));
    return {
      endpoint, index, a, b, both, kind, sample, difference, longer,
      impact: Math.abs(difference.difference) * weight, delay: Math.abs(longer) * weight,
    };
  }).filter(({a, b}) => a.requests + b.requests > 0)
    .sort((one, other) => other.impact - one.impact || other.delay - one.delay || one.index - other.index);
}

function sampleOf({requests}, period) {
  return requests > 0 ? period / requests : 0;
}

// The difference of two times of a request, with what chance may do to it: by the numbers of samples, and by how much
// requests differ among themselves, where that is known and more.
function differenceOf(a, b, sample, scattered = 0) {
  const samples = (sample.a > 0 ? a / sample.a : 0) + (sample.b > 0 ? b / sample.b : 0);
  return {...judged(b - a, Math.max(deviation(a, sample.a, b, sample.b), scattered), samples), samples: Math.round(samples)};
}

// A graph with the CPU time per request of each node in A and in B.
function differentialGraph(slices, frames, ranges, {a, b}) {
  const own = {a: slices.parent.map(() => 0), b: slices.parent.map(() => 0)};
  for (const [side, range, {requests}] of [['a', ranges.A, a], ['b', ranges.B, b]]) {
    slices.cpu.forEach((nanos, cell) => {
      if (inRange(slices.bin[cell], range)) {
        own[side][slices.node[cell]] += nanos / requests;
      }
    });
  }
  return graphOfOwn(slices.parent, slices.frame, frames, own, slices.leftOut);
}

function baselineComparison(data) {
  const {received, unjoined, endpoints, others} = data.comparison;
  return {
    parts: ['compare', 'baseline'], endpoints, ranges: {A: [0, 1], B: [1, 2]}, others,
    periods: {A: periodOf(received), B: periodOf(data.received)},
    wholes: {a: received.cpu, b: data.received.cpu},
    beside: BESIDE_CPU.filter(({name}) => endpoints.some((endpoint) => endpoint[name][0] + endpoint[name][1] > 0)),
    notes: [
      paragraph(`A is the baseline, with ${count(received.samples, 'sample', 'samples')} of ${time(received.cpu)} of CPU time received; `
        + `B is everything else on this page, with ${count(data.received.samples, 'sample', 'samples')} of ${time(data.received.cpu)}.`),
      ...(others.endpoints > 0 ? [paragraph(`${count(others.endpoints, 'endpoint that changed less is', 'endpoints that changed less are')} `
        + `not in the table, with ${time(others.cpu[0])} of CPU time in A and ${time(others.cpu[1])} in B.`)] : []),
      ...(unjoined.some(({tally}) => tally.samples > 0) ? [paragraph('Not joined in A: ',
        unjoined.filter(({tally}) => tally.samples > 0).map(({reason, tally}) => `${reason} ${time(tally.cpu)}`).join(', '), '.')] : []),
    ],
  };
}

function rangeComparison(data, texts) {
  const chart = data.overTime.series[0].length > 1;
  if (chart && !canNarrow(data)) {
    return {problem: [paragraph('Ranges of this chart cannot be compared, because a page from ClickHouse does not have sums by time and '
      + 'stack. The options --baseline-from and --baseline-to compare two ranges.')]};
  }
  const ranges = rangesOf(data, texts);
  if (!ranges) {
    if (!chart) {
      return {problem: [paragraph('All samples are of the same second, so there are not two ranges of time to compare.')]};
    }
    const [A, B] = rangesToCompare(data);
    const chooser = rangeChooser(data, {A, B});
    return {problem: [paragraph('The link does not name two ranges of time that are on the chart of this page. Choose two:'),
      ...cpuChart(data, chooser), chooser.form]};
  }
  const {width} = data.overTime;
  const text = (letter) => {
    const requests = data.endpoints.reduce((sum, {slices}) => sum + sideOf(slices, ranges[letter]).requests, 0);
    const seconds = (ranges[letter][1] - ranges[letter][0]) * width;
    return `${letter} is ${periodText(data, ranges[letter])}, ${seconds} s with `
      + `${count(requests, 'request', 'requests')}, ${(requests / seconds).toFixed(2)} per second.`;
  };
  const inside = (slices) => slices.requests.reduce((sum, value) => sum + value, 0);
  const outside = data.endpoints.reduce((sum, {requests, slices}) => sum + requests - inside(slices), 0);
  const overlap = ranges.A[0] < ranges.B[1] && ranges.B[0] < ranges.A[1];
  const chooser = rangeChooser(data, ranges);
  const period = periodOf(data.received);
  return {
    parts: ['compare', ...texts], endpoints: data.endpoints, ranges, periods: {A: period, B: period},
    wholes: {a: wholeOf(data, ranges.A).all, b: wholeOf(data, ranges.B).all},
    notes: [
      paragraph(text('A')), paragraph(text('B')),
      paragraph('A request belongs to the range in which it begins, with all of its CPU time.'
        + (overlap ? ' The ranges overlap: requests that begin in both count in both.' : '')),
      ...(outside > 0 ? [paragraph(`${count(outside, 'request begins', 'requests begin')} outside the chart and not in any range.`)] : []),
      ...cpuChart(data, chooser), chooser.form,
    ],
  };
}

function comparisonView(data, parts) {
  const baseline = parts[0] === 'baseline';
  const path = [[ALL, to('')]];
  if (baseline && !data.comparison) {
    return {title: 'Comparison', path, content: [paragraph('This page was made without a baseline; the option --baseline names one.')]};
  }
  const comparison = baseline ? baselineComparison(data) : rangeComparison(data, parts.slice(0, 2));
  if (comparison.problem) {
    return {title: 'Comparison', path, content: comparison.problem};
  }
  const [kind, name, service] = parts.slice(baseline ? 1 : 2);
  const changes = changesOf(comparison.endpoints, comparison.ranges, comparison.periods);
  const change = kind === 'endpoint' && changes.find(({endpoint}) => plain(endpoint.name) === name && plain(endpoint.service) === service);
  return change ? changedEndpoint(data, comparison, change) : changedEndpoints(comparison, changes);
}
